// npm run test:faults: kills and pauses every process and shifts clocks at random moments under load, on one broker and
// on three; then each other fault of test/faults, a file each. --verbose names the faults that this machine does not support, and why.
import { parseArgs } from 'node:util';
import { runJest } from './jest.mjs';

const USAGE = `npm run test:faults -- [--rounds N] [--brokers 1|3] [--seed N]
  --rounds   faults of each cluster (20)
  --brokers  only one cluster; omitted: both, and every other fault (full disk, power loss, second container,
             deleted topic), if this machine supports them; others are reported as skipped
  --seed     of an earlier run, to repeat its faults`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    brokers: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const isNumber = (text) => text === undefined || /^[1-9]\d{0,8}$/.test(text);
if (values.help) stopWith(0, USAGE);
if (!isNumber(values.rounds) || !isNumber(values.seed))
  stopWith(2, `--rounds and --seed are numbers\n${USAGE}`);
if (!['1', '3', undefined].includes(values.brokers)) stopWith(2, `--brokers must be 1 or 3\n${USAGE}`);

function stopWith(code, text) {
  (code === 0 ? console.log : console.error)(text);
  process.exit(code);
}

const only = values.brokers ? ['--testNamePattern', `load, ${values.brokers} broker`] : [];
// The test needs Kafka: its absence is a failure, as in CI.
const env = { CI: 'true', FAULT_ROUNDS: values.rounds, ...(values.seed && { FAULT_SEED: values.seed }) };
process.exit(runJest(['--verbose', 'test/faults', ...only], env));
