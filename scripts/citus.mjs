// npm run test:citus: what runs on a PostgreSQL that Citus divides over three machines of this computer. First the reads,
// replay and restore of test/scaling, then the end-to-end specs, each database divided. Takes about an hour.
import { runJest } from './jest.mjs';

/** Specs of test/e2e that open databases of the run; the others start a PostgreSQL of their own. */
const END_TO_END = [
  'bad-input',
  'changes',
  'clocks',
  'erasure',
  'history-retention',
  'inbox',
  'integrations',
  'log-move',
  'notifications',
  'problem-notifications',
  'public-samples',
  'rotation',
  'scheduled-reports',
  'scores',
  'seal-log',
  'sealing',
  'separate-apps',
  'webhooks',
];

const more = process.argv.slice(2);
const codes = [
  runJest(['test/scaling', ...more], { TEST_LONG: 'true' }),
  runJest(['--runInBand', ...END_TO_END.map((name) => `test/e2e/${name}.spec.ts`), ...more], {
    TEST_CITUS: 'true',
    // Without it, a run has only some of their cases.
    TEST_LONG: 'true',
  }),
];
process.exit(Math.max(...codes));
