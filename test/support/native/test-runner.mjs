import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import { setGlobals } from './globals.mjs';

const require = createRequire(import.meta.url);

/**
 * Jest's own test runner, with Node's module loader instead of Jest's: a worker loads each module once, and not once
 * for each spec file.
 */
export default async function run(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  const { moduleMocker } = environment;
  const native = {
    requireInternalModule: requireAnew,
    requireModule: require,
    unstable_shouldLoadAsEsm: () => true,
    enterTestCode: () => undefined,
    leaveTestCode: () => undefined,
    unstable_importModule: (path) => import(pathToFileURL(path).href),
    setGlobalsForRuntime: (globals) => setGlobals({ ...globals, jest: moduleMocker }),
  };
  try {
    return await circus.default(globalConfig, config, environment, native, testPath, sendMessageToJest);
  } finally {
    moduleMocker.restoreAllMocks();
  }
}

/** Each spec file has its own tests and event handlers. */
function requireAnew(path) {
  delete require.cache[require.resolve(path)];
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  return require(path);
}
