import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const JEST = [
  '--max-semi-space-size=64',
  '--initial-heap-size=512',
  '--conditions=source',
  '--enable-source-maps',
  '--import=./test/support/native/typescript.mjs',
  'node_modules/jest/bin/jest.js',
];

/**
 * Runs Jest as `npm test` does.
 * @returns the exit code; 1 if a signal ended it
 */
export function runJest(options, env = {}) {
  const { status } = spawnSync(process.execPath, [...JEST, ...options], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}
