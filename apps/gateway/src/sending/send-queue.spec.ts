import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { NotificationMessagesRepository } from '../notifications/messages.repository.ts';
import { ReportDeliveriesRepository } from '../report-schedules/report-deliveries.repository.ts';
import type { Attempt } from './attempt.ts';
import type { SendQueue } from './send-queue.ts';

const NOW = Date.parse('2026-03-02T08:00:00.000Z');
const LEASE_MS = 60_000;
const attempt = (outcome: Attempt['outcome']): Attempt => ({
  ...{ outcome, retryAfterMs: null },
  answer: { status: null, message: outcome, ms: 1 },
});

interface Queue {
  queue: SendQueue;
  add(id: string): Promise<unknown>;
  take(now: number): Promise<{ id: string; attempts: number } | undefined>;
}

let database: TestDatabase;
const queues: Record<string, Queue> = {};
beforeAll(async () => {
  database = await testDatabase();
  const { db, pool } = database;
  const [personId, scheduleId] = [randomUUID(), randomUUID()];
  await pool.query(
    `insert into notification_people (person_id, kinds, channel, checked_through, next_check_at)
     values ($1, '{}', 'email', now(), now())`,
    [personId],
  );
  await pool.query(
    `insert into report_schedules (id, name, report, cron, time_zone, channels, content, owner_id, enabled, created_at, updated_at)
     values ($1, '', 'board', '', 'UTC', '{}', '', $1, true, now(), now())`,
    [scheduleId],
  );
  const messages = new NotificationMessagesRepository(db);
  queues.notification_messages = {
    queue: messages,
    add: (id) => messages.add({ id, personId, isTest: false, createdAt: NOW }),
    take: (now) => messages.take('email', now, now + LEASE_MS),
  };
  const deliveries = new ReportDeliveriesRepository(db);
  let at = NOW;
  queues.report_deliveries = {
    queue: deliveries,
    add: (id) => {
      at += 1;
      return deliveries.add([{ id, scheduleId, channel: 'email', at, cause: 'user', createdAt: NOW }]);
    },
    take: (now) => deliveries.take(now, now + LEASE_MS),
  };
});
afterAll(() => database.drop());

describe.each(['notification_messages', 'report_deliveries'])('the queue %s', (table) => {
  let queue: SendQueue;
  let take: Queue['take'];
  let id: string;
  beforeEach(async () => {
    ({ queue, take } = queues[table]!);
    await database.pool.query(`delete from ${table}`);
    id = randomUUID();
    await queues[table]!.add(id);
  });

  const row = async () => {
    const { rows } = await database.pool.query(
      `select status, attempts, answer->>'message' as message, next_attempt_at is null as "isEnded",
              finished_at is null as "isOpen" from ${table}`,
    );
    return rows[0];
  };

  it('gives a row to one process, and to another after the lease', async () => {
    expect(await take(NOW - 1)).toBeUndefined();
    expect(await take(NOW)).toMatchObject({ id, attempts: 1 });
    expect(await take(NOW + LEASE_MS - 1)).toBeUndefined();
    expect(await take(NOW + LEASE_MS)).toMatchObject({ id, attempts: 2 });
  });

  it.each([
    ['sent', 'sent'],
    ['refused', 'failed'],
    ['failed', 'failed'],
  ] as const)('ends a row with an attempt that was the last and %s', async (outcome, status) => {
    const taken = (await take(NOW))!;
    expect(await queue.settle(taken, attempt(outcome), NOW, null)).toBe(status);
    expect(await row()).toEqual({ status, attempts: 1, message: outcome, isEnded: true, isOpen: false });
    expect(await take(NOW + LEASE_MS)).toBeUndefined();
  });

  it('retries at the given time, and does not count an attempt that sent nothing', async () => {
    const taken = (await take(NOW))!;
    expect(await queue.settle(taken, attempt('failed'), NOW, NOW + 5)).toBe('retried');
    expect(await take(NOW + 4)).toBeUndefined();
    await queue.release((await take(NOW + 5))!, NOW + 9);
    expect(await row()).toMatchObject({ status: 'pending', attempts: 1 });
    expect(await take(NOW + 9)).toMatchObject({ attempts: 2 });
  });

  it('ignores the outcome of an attempt after which another process has taken the row', async () => {
    const taken = (await take(NOW))!;
    await take(NOW + LEASE_MS);
    expect(await queue.settle(taken, attempt('sent'), NOW, null)).toBeNull();
    expect(await queue.settle(taken, attempt('failed'), NOW, NOW)).toBeNull();
    await queue.release(taken, NOW);
    expect(await row()).toMatchObject({ status: 'pending', attempts: 2, message: null });
  });

  it('ends a row whose last attempt was interrupted, after its lease, without another attempt', async () => {
    await database.pool.query(`update ${table} set attempts = 7`);
    expect(await take(NOW)).toMatchObject({ attempts: 8 });
    expect(await queue.endInterrupted(NOW + LEASE_MS - 1)).toBe(0);
    expect(await take(NOW + LEASE_MS)).toBeUndefined();
    expect(await queue.endInterrupted(NOW + LEASE_MS)).toBe(1);
    const message = 'the last attempt was interrupted';
    expect(await row()).toEqual({ status: 'failed', attempts: 8, message, isEnded: true, isOpen: false });
  });

  it('removes rows that ended before an instant, no pending ones', async () => {
    expect(await queue.prune(NOW + 1)).toBe(0);
    await queue.settle((await take(NOW))!, attempt('sent'), NOW, null);
    expect(await queue.prune(NOW)).toBe(0);
    expect(await queue.prune(NOW + 1)).toBe(1);
    expect(await row()).toBeUndefined();
  });
});
