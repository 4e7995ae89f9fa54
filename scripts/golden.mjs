// Stores the schemas that are new in schemas/ids.json and records the golden logs that are new
// (test/golden/golden-logs.ts). It changes no stored file: to record an unreleased one again, delete it first.
import { runJest } from './jest.mjs';

process.exitCode = runJest(['--testRegex', 'test/golden/record-logs\\.ts$', '--verbose']);
