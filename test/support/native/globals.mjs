/** Jest's globals of the current spec file. */
let current;

export const setGlobals = (globals) => {
  current = globals;
};

/** Modules are shared by spec files, so each use asks for those of the file that runs. */
const ofFile = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, _self, args) => current[name](...args),
    get: (_target, key) => current[name][key],
  });

export const [afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test] = [
  'afterAll',
  'afterEach',
  'beforeAll',
  'beforeEach',
  'describe',
  'expect',
  'it',
  'jest',
  'test',
].map(ofFile);
