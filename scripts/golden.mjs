// Records the golden logs that are new (test/golden/golden-logs.ts). What is recorded is never changed: a log that was
// recorded wrongly, and never released, is deleted by hand first.
import { runJest } from './jest.mjs';

process.exitCode = runJest(['--testRegex', 'test/golden/record-logs\\.ts$', '--verbose']);
