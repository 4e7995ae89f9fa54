import { ModuleMocker } from 'jest-mock';

const { exit } = process;

/** The process of the worker itself, where Jest's own environment is a context of `node:vm` for each spec file. */
export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);

  async setup() {
    // Jest's would not find the maps of what Node loaded.
    Error.prepareStackTrace = undefined;
  }

  async teardown() {
    process.exit = exit;
  }

  getVmContext() {
    return null;
  }
}
