import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import { cpuSeconds } from '../cpu-seconds.mjs';
import { setGlobals } from './globals.mjs';

const require = createRequire(import.meta.url);
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/**
 * Jest's own test runner with Node's module loader instead of Jest's: a worker loads each module once, and not once for
 * each spec file. The state of a module is therefore shared by the spec files of a worker.
 */
export default async function run(globalConfig, config, environment, _runtime, testPath, sendMessageToJest) {
  const { moduleMocker } = environment;
  const jest = {
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    restoreAllMocks: () => moduleMocker.restoreAllMocks(),
    setTimeout: (ms) => {
      globalThis[TIMEOUT] = ms;
    },
  };
  const runtime = {
    requireInternalModule: requireAnew,
    requireModule: require,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path) => import(pathToFileURL(path).href),
    setGlobalsForRuntime: (globals) => setGlobals({ ...globals, jest }),
    enterTestCode: () => undefined,
    leaveTestCode: () => undefined,
  };
  const before = cpuSeconds();
  try {
    const result = await circus.default(
      globalConfig,
      config,
      environment,
      runtime,
      testPath,
      sendMessageToJest,
    );
    return { ...result, cpuSeconds: cpuSeconds() - before };
  } finally {
    moduleMocker.restoreAllMocks();
    delete globalThis[TIMEOUT];
  }
}

/** Each spec file has its own tests and event handlers. */
function requireAnew(path) {
  delete require.cache[require.resolve(path)];
  delete globalThis[EVENT_HANDLERS];
  return require(path);
}
