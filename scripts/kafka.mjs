// npm run kafka: a real Apache Kafka for development, until Ctrl-C. Needs Java 17 and, the first time, Maven.
import { parseArgs } from 'node:util';
import { startKafka, whyNoBroker } from '../deploy/kafka/broker.mjs';

const USAGE = `npm run kafka -- [--data FOLDER] [--port PORT] [--nodes 1|3]
  --data   where topics are kept (.data/kafka)
  --port   of the first node; 0: the system chooses (9092)
  --nodes  brokers to run (1)`;

function settingsOf(args) {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string', default: '.data/kafka' },
      port: { type: 'string', default: '9092' },
      nodes: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  const [port, nodes] = [Number(values.port), Number(values.nodes)];
  if (values.help) stopWith(0, USAGE);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    stopWith(2, `--port must be from 0 to 65535\n${USAGE}`);
  if (nodes !== 1 && nodes !== 3) stopWith(2, `--nodes must be 1 or 3\n${USAGE}`);
  return { directory: values.data, port, nodes };
}

function stopWith(code, text) {
  (code === 0 ? console.log : console.error)(text);
  process.exit(code);
}

const settings = settingsOf(process.argv.slice(2));
const absence = whyNoBroker();
if (absence) stopWith(1, `Kafka cannot be started here: ${absence}.`);
console.log('Starting Kafka; the first time its jars are downloaded …');
const kafka = await startKafka(settings);
console.log(`Kafka runs: KAFKA_BROKERS=${kafka.brokers} (data in ${settings.directory}; Ctrl-C stops it)`);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    console.log('Stopping Kafka …');
    void kafka.stop().then(() => process.exit(0));
  });
}
