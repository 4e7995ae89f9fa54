// The bare program's first half: reads ZIPs, parses their signals and produces them.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import kafkajs, { type Message } from 'kafkajs';
import { wrapSignal } from './read-signal.ts';
import { unpackedEntries } from './read-zip.ts';

const RECORDS_AT_ONCE = 2_000;
const SENDS_AT_ONCE = 4;
const ACKS_ALL = -1;

const { BENCH_BROKERS, BENCH_TOPIC } = process.env;

const kafka = new kafkajs.Kafka({ brokers: [BENCH_BROKERS!], logLevel: kafkajs.logLevel.ERROR });
const producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
process.on('SIGINT', () => {
  void producer.disconnect().then(() => process.exit(0));
});
await producer.connect();
console.log('Producer ready');

const underWay = new Set<Promise<unknown>>();
for await (const line of createInterface({ input: process.stdin })) {
  for (const path of JSON.parse(line) as string[]) await produce(path);
}

async function produce(path: string): Promise<void> {
  const upload = { id: randomUUID(), receivedAt: Date.now() };
  let messages: Message[] = [];
  for await (const { name: entry, content } of unpackedEntries(await readFile(path))) {
    const { entity } = JSON.parse(content.toString());
    const key = `${entity.type}:${entity.name.slice(0, entity.name.indexOf('.'))}`;
    messages.push({ key, value: wrapSignal(content, key, entry, upload) });
    if (messages.length === RECORDS_AT_ONCE) {
      await send(messages);
      messages = [];
    }
  }
  await send(messages);
}

/** Waits only while `SENDS_AT_ONCE` sends are in progress. */
async function send(messages: Message[]): Promise<void> {
  const sending = producer.send({ topic: BENCH_TOPIC!, messages, acks: ACKS_ALL });
  underWay.add(sending);
  void sending.then(() => underWay.delete(sending));
  if (underWay.size >= SENDS_AT_ONCE) await Promise.race(underWay);
}
