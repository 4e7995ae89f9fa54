import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partitionOf } from '#libs/contracts';
import {
  type ConsumeOptions,
  type Consumer,
  type EventLog,
  FencedError,
  type LogRecord,
  LogUnavailableError,
  RecordsGoneError,
  type StoredRecord,
} from '#libs/event-log';
import { newGroup, RecordingHandler } from '../fixtures/event-log/recording-handler.ts';
import { runs } from '../support/long-run.ts';
import { until } from '../support/until.ts';

export interface EventLogFixture {
  /** Another instance on the same log, as another process would have; the fixture closes it. */
  log(options?: { partitions?: number }): Promise<EventLog>;
  close(): Promise<void>;
}

const MIB = 1024 * 1024;
/** A session of Kafka: a member that stops without a word is replaced only then. */
const TAKE_OVER_MS_MAX = 10_000;

/** What every adapter of the port must do; the adapter's spec only supplies the fixture. */
export function describeEventLog(name: string, makeFixture: () => Promise<EventLogFixture>): void {
  describe(`the event log on ${name}`, () => {
    let fixture: EventLogFixture;
    let log: EventLog;
    let topic: string;
    const consumers: Consumer[] = [];

    beforeAll(async () => {
      fixture = await makeFixture();
      log = await fixture.log();
    });
    afterAll(() => fixture.close());
    afterEach(async () => {
      await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
    });

    const text = (key: string, value: string, partition?: number) => ({
      key,
      value: Buffer.from(value),
      ...(partition !== undefined && { partition }),
    });
    const numbered = (count: number, partition: number) =>
      Array.from({ length: count }, (_, i) => text('k', `${i}`, partition));
    const names = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);

    async function readAll(
      partition: number,
      from = 0,
      to = Number.MAX_SAFE_INTEGER,
    ): Promise<StoredRecord[]> {
      const records: StoredRecord[] = [];
      for await (const batch of log.read(topic, partition, from, to)) records.push(...batch);
      return records;
    }

    async function consume(
      handler: RecordingHandler,
      options: ConsumeOptions & { on?: EventLog; group?: string } = {},
    ) {
      const { on = log, group = 'group', ...rest } = options;
      const consumer = await on.consume(topic, group, handler, rest);
      consumers.push(consumer);
      return consumer;
    }

    const freshTopic = () => {
      topic = `posture.test.${randomUUID()}`;
    };
    beforeEach(freshTopic);

    describe('append', () => {
      it('answers positions in the order given, gap-free from 0, one sequence a partition', async () => {
        const positions = await log.append(topic, [text('a', '1', 0), text('b', '2', 1), text('c', '3', 0)]);
        expect(positions).toEqual([
          { partition: 0, offset: 0 },
          { partition: 1, offset: 0 },
          { partition: 0, offset: 1 },
        ]);
        expect(await log.append(topic, [text('d', '4', 0)])).toEqual([{ partition: 0, offset: 2 }]);
        expect((await readAll(0)).map(({ value }) => value.toString())).toEqual(['1', '3', '4']);
      });

      it('places a record by its key', async () => {
        const keys = names(50).map((i) => `machine:host-${i}`);
        const positions = await log.append(
          topic,
          keys.map((key) => text(key, key)),
        );
        expect(positions.map(({ partition }) => partition)).toEqual(
          keys.map((key) => partitionOf(key, log.partitions)),
        );
      });

      it('takes nothing and answers nothing', async () => {
        expect(await log.append(topic, [])).toEqual([]);
        expect(await log.ends(topic)).toEqual(new Array(log.partitions).fill(0));
      });

      it('rejects a partition that does not exist, and stores nothing of the call', async () => {
        const beyond = [text('a', '1', 0), text('b', '2', log.partitions)];
        await expect(log.append(topic, beyond)).rejects.toThrow(`partition ${log.partitions} does not exist`);
        expect(await readAll(0)).toEqual([]);
      });

      it('returns keys, headers and any bytes unchanged', async () => {
        const records: LogRecord[] = [
          {
            key: 'machine:größe "q" \\ {,} 漢字',
            value: randomBytes(300),
            headers: { ce_id: '1', 'x-ü': 'ä "q" \\' },
          },
          { key: '', value: Buffer.alloc(0) },
          { key: 'null', value: Buffer.from([0, 255, 0, 92, 39]), headers: {} },
        ];
        const before = Date.now();
        await log.append(
          topic,
          records.map((record) => ({ ...record, partition: 0 })),
        );
        const stored = await readAll(0);
        expect(stored.map(({ key }) => key)).toEqual(records.map(({ key }) => key));
        expect(stored.map(({ value }) => value.toString('hex'))).toEqual(
          records.map(({ value }) => value.toString('hex')),
        );
        expect(stored.map(({ headers }) => headers)).toEqual([records[0]!.headers, {}, {}]);
        for (const { storedAt } of stored) expect(Math.abs(storedAt - before)).toBeLessThan(60_000);
      });

      it('takes a record of 1 MB', async () => {
        const value = randomBytes(MIB);
        await log.append(topic, [{ key: 'large', value, partition: 0 }]);
        expect((await readAll(0))[0]!.value.equals(value)).toBe(true);
      });

      it('takes a call far above the bounds of one batch, by bytes and by count', async () => {
        const values = Array.from({ length: 20 }, () => randomBytes(0.75 * MIB));
        await log.append(
          topic,
          values.map((value, i) => ({ key: `${i}`, value, partition: i % 2 })),
        );
        const stored = [await readAll(0), await readAll(1)];
        values.forEach((value, i) => {
          expect(stored[i % 2]![Math.floor(i / 2)]!.value.equals(value)).toBe(true);
        });
        const positions = await log.append(topic, numbered(12_000, 2));
        expect(positions.map(({ offset }) => offset)).toEqual(names(12_000).map(Number));
      });

      it('stays gap-free and in order when two instances append at once, in opposite orders of partitions', async () => {
        const other = await fixture.log();
        const writers = [log, other].map(async (writer, w) => {
          for (let i = 0; i < 30; i++) {
            const order = w === 0 ? [0, 1, 2] : [2, 1, 0];
            const pads = Array.from({ length: i % 10 === 0 ? 5 : 0 }, () => ({
              key: 'pad',
              value: Buffer.alloc(MIB),
              partition: order[0]!,
            }));
            await writer.append(topic, [
              ...pads,
              ...order.map((partition) => text(`w${w}`, `${i}`, partition)),
            ]);
          }
        });
        await Promise.all(writers);
        for (const partition of [0, 1, 2]) {
          const stored = await readAll(partition);
          expect(stored.map(({ offset }) => offset)).toEqual(stored.map((_, i) => i));
          for (const w of [0, 1]) {
            const own = stored.filter(({ key }) => key === `w${w}`);
            expect(own.map(({ value }) => value.toString())).toEqual(names(30));
          }
        }
      });

      it('keeps the order of each key under any interleaving of calls (property)', async () => {
        const call = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 5 });
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.array(call, { maxLength: 6 }), { minLength: 1, maxLength: 4 }),
            async (writers) => {
              freshTopic();
              const appendInTurn = async (calls: string[][], writer: number) => {
                for (const [i, keys] of calls.entries()) {
                  await log.append(
                    topic,
                    keys.map((key, j) => text(`${writer}${key}`, JSON.stringify([i, j]))),
                  );
                }
              };
              await Promise.all(writers.map(appendInTurn));
              const stored = new Map<string, number[][]>();
              for (let partition = 0; partition < log.partitions; partition++) {
                for (const { key, value } of await readAll(partition)) {
                  stored.set(key, [...(stored.get(key) ?? []), JSON.parse(value.toString())]);
                }
              }
              const appended = new Map<string, number[][]>();
              writers.forEach((calls, writer) => {
                calls.forEach((keys, i) => {
                  keys.forEach((key, j) => {
                    const own = `${writer}${key}`;
                    appended.set(own, [...(appended.get(own) ?? []), [i, j]]);
                  });
                });
              });
              expect(stored).toEqual(appended);
            },
          ),
          { numRuns: runs(25) },
        );
      });

      it('rejects calls after close', async () => {
        const closing = await fixture.log();
        await closing.close();
        await expect(closing.append(topic, [text('a', '1')])).rejects.toThrow(LogUnavailableError);
      });
    });

    describe('read and ends', () => {
      it('reads [from, to) in order, and up to the end if `to` is above it', async () => {
        await log.append(topic, numbered(2_500, 1));
        const offsets = async (from: number, to: number) =>
          (await readAll(1, from, to)).map(({ offset }) => offset);
        expect(await offsets(3, 7)).toEqual([3, 4, 5, 6]);
        expect(await offsets(2_498, 9_000)).toEqual([2_498, 2_499]);
        expect(await offsets(0, 2_500)).toHaveLength(2_500);
        expect(await offsets(5, 5)).toEqual([]);
        expect(await offsets(2_500, 9_000)).toEqual([]);
        expect(await readAll(2)).toEqual([]);
      });

      it('reads in bounded batches, none of them empty', async () => {
        await log.append(topic, numbered(2_500, 1));
        const sizes: number[] = [];
        for await (const batch of log.read(topic, 1, 0, 2_500)) sizes.push(batch.length);
        expect(sizes.length).toBeGreaterThan(1);
        expect(Math.min(...sizes)).toBeGreaterThan(0);
      });

      it('omits records that are appended after the call', async () => {
        await log.append(topic, numbered(5, 0));
        let count = 0;
        for await (const batch of log.read(topic, 0, 0, Number.MAX_SAFE_INTEGER)) {
          if (count === 0) await log.append(topic, numbered(5, 0));
          count += batch.length;
        }
        expect(count).toBe(5);
      });

      it('answers the next offset of each partition', async () => {
        await log.append(topic, [...numbered(3, 0), ...numbered(1, 2)]);
        expect(await log.ends(topic)).toEqual(
          Array.from({ length: log.partitions }, (_, partition) => [3, 0, 1][partition] ?? 0),
        );
      });

      it('keeps topics apart', async () => {
        await log.append(topic, numbered(3, 0));
        expect((await log.ends(`${topic}.other`))[0]).toBe(0);
      });
    });

    describe('trim and starts', () => {
      const startsOf = async () => (await log.starts(topic)).slice(0, 3);
      const offsetsFrom = async (from: number, to?: number) =>
        (await readAll(1, from, to)).map(({ offset }) => offset);

      it('removes the beginning of one partition only; offsets and ends stay, and appends continue', async () => {
        await log.append(topic, [...numbered(4, 0), ...numbered(10, 1)]);
        expect(await startsOf()).toEqual([0, 0, 0]);
        await log.trim(topic, 1, 7);
        expect(await startsOf()).toEqual([0, 7, 0]);
        expect((await log.ends(topic)).slice(0, 2)).toEqual([4, 10]);
        expect(await offsetsFrom(7)).toEqual([7, 8, 9]);
        expect(await log.append(topic, [text('k', 'next', 1)])).toEqual([{ partition: 1, offset: 10 }]);
        expect(await offsetsFrom(8)).toEqual([8, 9, 10]);
        expect(await readAll(0)).toHaveLength(4);
      });

      it('reports removed records and the beginning of the log, to a reader and to a consumer', async () => {
        await log.append(topic, numbered(10, 1));
        await log.trim(topic, 1, 7);
        const sentence = /^records are missing from the log: \S+\/1 begins at 7, but offset 3 was requested$/;
        await expect(readAll(1, 3)).rejects.toThrow(RecordsGoneError);
        await expect(readAll(1, 3)).rejects.toThrow(sentence);
        await expect(readAll(1, 3, 5)).rejects.toThrow(sentence);
        const failures: string[] = [];
        const handler = new RecordingHandler(newGroup([[1, 3]]));
        await consume(handler, { onPartitionFailed: (_, { message }) => failures.push(message) });
        await until('the failure', () => failures.length > 0);
        expect(failures[0]).toMatch(sentence);
        expect(handler.records).toEqual([]);
      });

      it('can remove all, and continues at the same offset', async () => {
        await log.append(topic, numbered(5, 1));
        await log.trim(topic, 1, 5);
        expect(await startsOf()).toEqual([0, 5, 0]);
        expect(await offsetsFrom(5)).toEqual([]);
        await expect(readAll(1)).rejects.toThrow(RecordsGoneError);
        expect(await log.append(topic, [text('k', 'next', 1)])).toEqual([{ partition: 1, offset: 5 }]);
        expect(await offsetsFrom(5)).toEqual([5]);
      });

      it('can be done again, and never brings anything back', async () => {
        await log.append(topic, numbered(25_000, 1));
        for (const before of [0, 24_000, 24_000, 3]) await log.trim(topic, 1, before);
        expect(await startsOf()).toEqual([0, 24_000, 0]);
        expect(await offsetsFrom(24_998)).toEqual([24_998, 24_999]);
      });

      it('rejects an offset above the end, and a partition that does not exist', async () => {
        await log.append(topic, numbered(5, 1));
        await expect(log.trim(topic, 1, 6)).rejects.toThrow(RangeError);
        await expect(log.trim(topic, 1, -1)).rejects.toThrow(RangeError);
        await expect(log.trim(topic, log.partitions, 0)).rejects.toThrow('does not exist');
        expect(await offsetsFrom(0)).toEqual([0, 1, 2, 3, 4]);
      });
    });

    describe('consume', () => {
      it('delivers records from before and after joining, in order, exactly once', async () => {
        await log.append(topic, [...numbered(10, 0), ...numbered(5, 1)]);
        const handler = new RecordingHandler();
        await consume(handler);
        await until('the records before', () => handler.records.length === 15);
        await log.append(topic, [text('k', 'late', 0)]);
        await until('the record after', () => handler.records.length === 16);
        expect(handler.texts(0)).toEqual([...names(10), 'late']);
        expect(handler.texts(1)).toEqual(names(5));
        expect(handler.violations).toEqual([]);
      });

      it('receives an append within a fraction of a second', async () => {
        const handler = new RecordingHandler();
        const consumer = await consume(handler);
        await until('the assignment', () => consumer.assignment.length === log.partitions);
        const latencies: number[] = [];
        for (let i = 1; i <= 10; i++) {
          const startedAt = performance.now();
          await log.append(topic, [text('k', `${i}`, 0)]);
          await until('the record', () => handler.records.length === i);
          latencies.push(performance.now() - startedAt);
        }
        expect(latencies.sort((a, b) => a - b)[5]).toBeLessThan(250);
      });

      it('starts at the offset that `assigned` answers', async () => {
        await log.append(topic, numbered(10, 0));
        const handler = new RecordingHandler(newGroup([[0, 7]]));
        await consume(handler);
        await until('the records', () => handler.records.length === 3);
        expect(handler.texts(0)).toEqual(['7', '8', '9']);
      });

      it('seeks back and forward to the offset that `batch` returns', async () => {
        await log.append(topic, numbered(30, 0));
        const handler = new RecordingHandler();
        const seeks = [20, 5, 28];
        handler.onBatch = () => seeks.shift();
        await consume(handler, { batchRecordsMax: 3 });
        await until('the end', () => handler.positions.get(0) === 30);
        expect(handler.batches.map((batch) => batch.map(({ offset }) => offset))).toEqual([
          [0, 1, 2],
          [20, 21, 22],
          [5, 6, 7],
          [28, 29],
        ]);
      });

      it('waits at an offset above the end', async () => {
        await log.append(topic, numbered(2, 0));
        const handler = new RecordingHandler(newGroup([[0, 4]]));
        await consume(handler);
        await log.append(topic, numbered(4, 0));
        await until('the records', () => handler.records.length === 2);
        expect(handler.records.map(({ offset }) => offset)).toEqual([4, 5]);
      });

      it('limits a batch by records and by bytes; a larger record is a separate batch', async () => {
        const sized = (bytes: number) => ({ key: 'k', value: Buffer.alloc(bytes), partition: 0 });
        await log.append(topic, [400, 400, 400, 5_000, 400, 10, 10, 10, 10].map(sized));
        const handler = new RecordingHandler();
        await consume(handler, { batchRecordsMax: 3, batchBytesMax: 1_000 });
        await until('all records', () => handler.records.length === 9);
        expect(handler.batches.map((batch) => batch.map(({ offset }) => offset))).toEqual([
          [0, 1],
          [2],
          [3],
          [4, 5, 6],
          [7, 8],
        ]);
      });

      it('delivers one batch of a partition at a time, and batches of several partitions in parallel', async () => {
        await log.append(topic, [...numbered(20, 0), ...numbered(20, 1)]);
        const handler = new RecordingHandler();
        let haveMet = false;
        handler.onBatch = async () => {
          haveMet ||= handler.busy.size === 2;
          await until('both partitions in hand', () => haveMet);
          return undefined;
        };
        await consume(handler, { batchRecordsMax: 2 });
        await until('all records', () => handler.records.length === 40);
        expect(handler.violations).toEqual([]);
        expect(handler.texts(0)).toEqual(names(20));
        expect(handler.texts(1)).toEqual(names(20));
      });

      it('does not read on while the handler is busy', async () => {
        await log.append(topic, numbered(10, 0));
        const handler = new RecordingHandler();
        let letGo = () => {};
        const held = new Promise<void>((resolve) => {
          letGo = resolve;
        });
        handler.onBatch = async () => {
          await held;
          return undefined;
        };
        await consume(handler, { batchRecordsMax: 1 });
        await until('the first batch', () => handler.busy.has(0));
        await log.append(topic, numbered(1, 1));
        await until('the other partition', () => handler.busy.has(1));
        expect(handler.batches).toEqual([]);
        letGo();
        await until('all records', () => handler.records.length === 11);
      });

      it('revokes every partition on stop, after the current batches, and then delivers nothing', async () => {
        await log.append(topic, numbered(50, 0));
        const handler = new RecordingHandler();
        let isInHand = false;
        handler.onBatch = async () => {
          isInHand = true;
          await new Promise(setImmediate);
          return undefined;
        };
        const consumer = await consume(handler, { batchRecordsMax: 1 });
        await until('a batch in hand', () => isInHand);
        await consumer.stop();
        const { length } = handler.happenings;
        expect(consumer.assignment).toEqual([]);
        expect(handler.happenings.filter(({ what }) => what === 'revoked')).toHaveLength(log.partitions);
        await log.append(topic, numbered(1, 1));
        await consumer.stop();
        expect(handler.happenings).toHaveLength(length);
        expect(handler.violations).toEqual([]);
      });

      it('stops the partition whose handler throws, reports why, and continues with the others', async () => {
        await log.append(topic, [...numbered(5, 0), ...numbered(5, 1)]);
        const failures: [number, string][] = [];
        const handler = new RecordingHandler();
        handler.onBatch = ([first]) => {
          if (first!.partition === 0) throw new Error('a bug in the fold');
          return undefined;
        };
        const consumer = await consume(handler, {
          onPartitionFailed: (p, { message }) => failures.push([p, message]),
        });
        await until('the failure and the others', () => failures.length > 0 && handler.records.length === 5);
        await log.append(topic, [...numbered(1, 0), ...numbered(1, 1)]);
        await until('what came later', () => handler.records.length === 6);
        expect(failures).toEqual([[0, 'a bug in the fold']]);
        expect(handler.texts(0)).toEqual([]);
        expect(consumer.assignment).toContain(0);
      });

      it('stops a partition whose start position is not available', async () => {
        await log.append(topic, [...numbered(2, 0), ...numbered(2, 1)]);
        const failures: number[] = [];
        const handler = new RecordingHandler();
        const assigned = handler.assigned.bind(handler);
        handler.assigned = async (partition) => {
          const position = await assigned(partition);
          if (partition === 0) throw new Error('no position');
          return position;
        };
        await consume(handler, { onPartitionFailed: (partition) => failures.push(partition) });
        await until('the others', () => handler.records.length === 2);
        expect(failures).toEqual([0]);
        expect(handler.texts(1)).toEqual(['0', '1']);
      });
    });

    describe('a group', () => {
      it('shares the partitions evenly, each owned by one member at a time, and misses and repeats nothing', async () => {
        const group = newGroup();
        const handlers = [1, 2, 3].map(() => new RecordingHandler(group));
        const instances = [log, await fixture.log(), await fixture.log()];
        const joined: Consumer[] = [];
        let appended = 0;
        const shares = [Math.floor, Math.ceil].map((round) => round(log.partitions / handlers.length));
        for (const [i, handler] of handlers.entries()) {
          joined.push(await consume(handler, { on: instances[i]! }));
          const records = Array.from({ length: log.partitions }, (_, partition) =>
            text('k', `${i}`, partition),
          );
          await log.append(topic, records);
          appended += records.length;
        }
        const heldOf = (consumer: Consumer) => consumer.assignment.length;
        await until('even shares', () => joined.every((consumer) => shares.includes(heldOf(consumer))));
        await until(
          'all records',
          () => handlers.reduce((sum, { records }) => sum + records.length, 0) >= appended,
        );
        await until(
          'no partition without an owner',
          () => joined.reduce((sum, consumer) => sum + heldOf(consumer), 0) === log.partitions,
        );
        expect(new Set(joined.flatMap(({ assignment }) => [...assignment])).size).toBe(log.partitions);
        const seen = handlers.flatMap(({ records }) =>
          records.map(({ partition, offset }) => `${partition}:${offset}`),
        );
        expect(seen).toHaveLength(appended);
        expect(new Set(seen).size).toBe(appended);
        expect(handlers.flatMap(({ violations }) => violations)).toEqual([]);
      });

      it('takes over the partitions of a stopping member, long before its session would end, at its position', async () => {
        const group = newGroup();
        const [first, second] = [new RecordingHandler(group), new RecordingHandler(group)];
        const leaving = await consume(first);
        await log.append(topic, numbered(10, 0));
        await until('the first ten', () => first.records.length === 10);
        const staying = await consume(second, { on: await fixture.log() });
        await leaving.stop();
        const stoppedAt = performance.now();
        await log.append(topic, [text('k', 'after', 0)]);
        await until('the take-over', () => staying.assignment.length === log.partitions);
        expect(performance.now() - stoppedAt).toBeLessThan(TAKE_OVER_MS_MAX);
        await until('the record after', () => second.records.length === 1);
        expect(second.texts(0)).toEqual(['after']);
      });

      it('may follow several topics, each with all of its partitions', async () => {
        const group = `two topics ${topic}`;
        const [one, two] = [new RecordingHandler(), new RecordingHandler()];
        const first = await consume(one, { group });
        const second = await log.consume(`${topic}.other`, group, two);
        try {
          const all = log.partitions;
          await until('all', () => first.assignment.length === all && second.assignment.length === all);
          await log.append(topic, [text('k', 'one', 0)]);
          await log.append(`${topic}.other`, [text('k', 'two', all - 1)]);
          await until('both', () => one.records.length === 1 && two.records.length === 1);
          expect([...one.texts(), ...two.texts()]).toEqual(['one', 'two']);
        } finally {
          await second.stop();
        }
      });

      it('does not receive the progress of another group', async () => {
        await log.append(topic, numbered(5, 0));
        const [one, two] = [new RecordingHandler(), new RecordingHandler()];
        const first = await consume(one, { group: 'one' });
        const second = await consume(two, { group: 'two' });
        await until('both have all', () => one.records.length === 5 && two.records.length === 5);
        expect(first.assignment).toEqual(second.assignment);
        expect(first.assignment).toHaveLength(log.partitions);
      });
    });

    describe('publisher', () => {
      /** Published records are durable at once, and readable a moment later. */
      async function untilReadable(partition: number, values: string[]): Promise<void> {
        const texts = async () => (await readAll(partition)).map(({ value }) => value.toString());
        await until('what was published', async () => (await texts()).length >= values.length);
        expect(await texts()).toEqual(values);
      }

      it('publishes to its partition, in order', async () => {
        const publisher = await log.publisher(topic, 1, 'outbox');
        expect(await publisher.publish([text('a', '1'), text('b', '2')])).toEqual([
          { partition: 1, offset: 0 },
          { partition: 1, offset: 1 },
        ]);
        expect(await publisher.publish([])).toEqual([]);
        await Promise.all(names(20).map((i) => publisher.publish([text('c', i)])));
        await untilReadable(1, ['1', '2', ...names(20)]);
        await publisher.close();
      });

      it('fences those of the same name and partition that came before, and no others', async () => {
        const other = await fixture.log();
        const before = await log.publisher(topic, 0, 'outbox');
        const elsewhere = await log.publisher(topic, 1, 'outbox');
        const otherName = await log.publisher(topic, 0, 'archive');
        await before.publish([text('a', '1')]);
        const after = await other.publisher(topic, 0, 'outbox');
        await expect(before.publish([text('a', 'zombie')])).rejects.toThrow(FencedError);
        await after.publish([text('a', '2')]);
        await otherName.publish([text('a', '3')]);
        await elsewhere.publish([text('a', '4')]);
        await untilReadable(0, ['1', '2', '3']);
        await untilReadable(1, ['4']);
      });

      it('publishes nothing once it is closed', async () => {
        const publisher = await log.publisher(topic, 0, 'outbox');
        await publisher.close();
        await expect(publisher.publish([text('a', '1')])).rejects.toThrow('is closed');
        expect(await readAll(0)).toEqual([]);
      });
    });
  });
}
