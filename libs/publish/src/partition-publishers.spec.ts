import { afterEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import { type EventLog, FencedError, LogUnavailableError } from '#libs/event-log';
import { collectGarbage } from '../../../test/support/retained-bytes.ts';
import { until } from '../../../test/support/until.ts';
import type { Outbox, OutboxPosition } from './outbox.ts';
import { PartitionPublishers } from './partition-publishers.ts';

const ATTEMPTS = 4;

let attempts = 0;
let isFull = true;
const outbox = {
  topic: 'posture.test',
  ready: async () => {
    attempts += 1;
    if (isFull) throw new LogUnavailableError('no space left on device');
  },
  isInUse: async () => false,
} as unknown as Outbox;

afterEach(() => Logger.overrideLogger(undefined as never));

it('keeps its back-off, and logs once that it waits, while a failing fold restarts it every time', async () => {
  const lines: string[] = [];
  const write = (line: unknown) => void lines.push(String(line));
  Logger.overrideLogger({ log: write, error: write, warn: write });
  const publishers = new PartitionPublishers({} as EventLog, {} as Kysely<Schema>, [outbox]);
  const begun = performance.now();
  while (attempts < ATTEMPTS) {
    publishers.hold(0);
    await new Promise(setImmediate);
    await publishers.release(0);
  }
  // 100, 200 and 400 ms are between the attempts, however often it was started in between. A timer of Node can end a
  // millisecond early.
  expect(performance.now() - begun).toBeGreaterThan(690);
  expect(lines).toEqual(['posture.test/0: publishing paused, will retry: no space left on device']);

  isFull = false;
  publishers.hold(0);
  await until('an attempt that succeeds', () => attempts > ATTEMPTS);
  await publishers.release(0);
});

it('reports why the log fenced it', async () => {
  const lines: string[] = [];
  const write = (line: unknown) => void lines.push(String(line));
  Logger.overrideLogger({ log: write, error: write, warn: write });
  const fenced = {
    ...outbox,
    ready: async () => {
      throw new FencedError('its transaction took too long');
    },
  };
  const publishers = new PartitionPublishers({} as EventLog, {} as Kysely<Schema>, [fenced]);
  publishers.hold(0);
  await until('the failure', () => lines.length > 0);
  await publishers.release(0);
  expect(lines).toEqual(['posture.test/0: publishing paused: its transaction took too long']);
});

it('keeps nothing of the wakes that found no news', async () => {
  const WAKES = 2_000;
  const answers: WeakRef<object>[] = [];
  const idle = {
    ...outbox,
    ready: async () => {
      const answer = {};
      answers.push(new WeakRef(answer));
      return answer;
    },
  } as unknown as Outbox;
  const publishers = new PartitionPublishers({} as EventLog, {} as Kysely<Schema>, [idle]);
  publishers.hold(0);
  while (answers.length < WAKES) {
    publishers.wake(0);
    await new Promise(setImmediate);
  }
  collectGarbage();
  expect(answers.filter((answer) => answer.deref() !== undefined).length).toBeLessThan(100);
  await publishers.release(0);
});

it('stops while its outbox is not ready', async () => {
  let hasAsked = false;
  const silent = {
    ...outbox,
    ready: () => {
      hasAsked = true;
      return new Promise<void>(() => {});
    },
  };
  const publishers = new PartitionPublishers({} as EventLog, {} as Kysely<Schema>, [silent]);
  publishers.hold(0);
  await until('the question', () => hasAsked);
  await publishers.release(0);
});

it.each([
  [false, 1],
  [true, 2],
])('asks an outbox again if it may have more (%s)', async (hasMore, asked) => {
  let [questions, published] = [0, 0];
  const small = {
    ...outbox,
    ready: async () => {},
    isInUse: async () => true,
    resume: async () => ({ sequence: 0, deletion: 0 }),
    next: async (_partition: number, { sequence }: OutboxPosition) => {
      questions += 1;
      return sequence > 0 ? null : { records: [{}], position: { sequence: 1, deletion: 0 }, hasMore };
    },
    note: async () => {},
  } as unknown as Outbox;
  const log = {
    ends: async () => [0],
    publisher: async () => ({
      publish: async () => {
        published += 1;
      },
      close: async () => {},
    }),
  } as unknown as EventLog;
  const publishers = new PartitionPublishers(log, {} as Kysely<Schema>, [small]);
  publishers.hold(0);
  await until('the record', () => published === 1 && questions === asked);
  await publishers.release(0);
  expect([published, questions]).toEqual([1, asked]);
});
