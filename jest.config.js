import { availableParallelism } from 'node:os';

export default {
  // Node's own module loader: with Jest's each spec file loads all its modules anew, some seconds each.
  testEnvironment: '<rootDir>/test/support/native/test-environment.mjs',
  testRunner: '<rootDir>/test/support/native/test-runner.mjs',
  resolver: '<rootDir>/test/support/native/resolver.cjs',
  transform: {},
  roots: ['apps', 'libs', 'test', 'bench', 'client'].map((folder) => `<rootDir>/${folder}`),
  testRegex: '\\.spec\\.ts$',
  globalSetup: '<rootDir>/test/support/native/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/native/global-teardown.mjs',
  // A worker is replaced where the modules of its spec files hold more.
  workerIdleMemoryLimit: '1.5GB',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  reporters: ['default', '<rootDir>/test/support/closing-line.mjs'],
  // Tests wait for started programs: with two workers on two cores, a fifth of the time was waiting, with three a tenth.
  maxWorkers: availableParallelism() + 2,
  // Of what hangs: no test asserts how fast it is.
  testTimeout: 180_000,
};
