import { ModuleMocker } from 'jest-mock';

const { exit } = process;

/** The process of the worker itself; Jest's own environment is a context of `node:vm` for each spec file. */
export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);

  async setup() {
    // Jest's would not find the maps of what Node loaded.
    Error.prepareStackTrace = undefined;
  }

  /** A timeout of its own only gives a test or a hook more time than all have: none fails for being slow. */
  handleTestEvent({ name, test, hook }, { testTimeout }) {
    if (name !== 'test_fn_start' && name !== 'hook_start') return;
    const limited = test ?? hook;
    if (limited.timeout < testTimeout) limited.timeout = testTimeout;
  }

  async teardown() {
    process.exit = exit;
  }

  getVmContext() {
    return null;
  }
}
