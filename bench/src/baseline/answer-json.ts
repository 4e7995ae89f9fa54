// The bare counterpart of the JSON endpoint: parses requests, appends them to a topic, and responds when they are
// durable.
import fastify from 'fastify';
import { type EventLog, KafkaEventLog, PostgresEventLog } from '#libs/event-log';

const PARTITIONS = 12;
const HOST = '127.0.0.1';

const { BENCH_BROKERS, BENCH_DATABASE, BENCH_TOPIC: topic = '' } = process.env;

const log: EventLog = BENCH_BROKERS
  ? new KafkaEventLog({ brokers: [BENCH_BROKERS], partitions: PARTITIONS })
  : new PostgresEventLog({ url: BENCH_DATABASE!, partitions: PARTITIONS });

const app = fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
app.post('/', async ({ body }) => {
  const value = body as Buffer;
  const { entity } = JSON.parse(value.toString());
  const key = `${entity.type}:${entity.name.slice(0, entity.name.indexOf('.'))}`;
  await log.append(topic, [{ key, value }]);
  return { success: true };
});

process.on('SIGINT', () => {
  void app
    .close()
    .then(() => log.close())
    .then(() => process.exit(0));
});
const address = await app.listen({ host: HOST, port: 0 });
console.log(`Answering on ${address}`);
