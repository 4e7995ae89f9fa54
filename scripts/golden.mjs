// Records the golden logs that are new (test/golden/golden-logs.ts). What is recorded is never changed: a log that was
// recorded wrongly, and never released, is deleted by hand first.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { status } = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '--testRegex',
    'test/golden/record-logs\\.ts$',
    '--verbose',
  ],
  { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: 'inherit' },
);
process.exitCode = status ?? 1;
