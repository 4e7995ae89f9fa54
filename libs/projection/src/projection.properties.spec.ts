import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { encodeIntake } from '#libs/contracts';
import type { EntityState } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { readEntities } from '#libs/tables';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { type DomainFold, foldByDomain } from '../../../test/support/domain-fold.ts';
import { emptyFolded, type FoldedRow, foldedRows } from '../../../test/support/folded-rows.ts';
import { histories, type LoggedEvent } from '../../../test/support/histories.ts';
import { runs } from '../../../test/support/long-run.ts';
import { T0 } from '../../../test/support/scenario.ts';
import { Projection } from './index.ts';

let whole: TestDatabase;
let cut: TestDatabase;
beforeAll(async () => {
  // Every contest is a warning.
  Logger.overrideLogger(false);
  whole = await testDatabase();
  cut = await testDatabase();
});
afterAll(async () => {
  await whole.drop();
  await cut.drop();
});
beforeEach(async () => {
  await emptyFolded(whole);
  await emptyFolded(cut);
});

/** The log of each partition; a record that is corrupt under its schema follows each named event. */
function logOf(events: LoggedEvent[], corruptBehind: ReadonlySet<number> = new Set()): StoredRecord[][] {
  const logs: StoredRecord[][] = [[], []];
  for (const [i, { partition, event }] of events.entries()) {
    const log = logs[partition]!;
    const value = encodeIntake(event);
    const put = (bytes: Buffer) =>
      log.push({
        partition,
        offset: log.length,
        key: event.envelope.entityKey,
        value: bytes,
        headers: {},
        storedAt: T0 + log.length,
      });
    put(value);
    if (corruptBehind.has(i)) put(value.subarray(0, value.length - 1));
  }
  return logs;
}

async function foldAtOnce(db: TestDatabase['db'], log: StoredRecord[]): Promise<void> {
  if (log.length === 0) return;
  const projection = new Projection(db);
  for (let next = await projection.open(log[0]!.partition); next < log.length; ) {
    next = await projection.project(log.slice(next));
  }
}

/** The next step of a group member with a partition. */
interface Step {
  member: 0 | 1;
  /** It takes the partition again, be it assigned again or after a restart of its process. */
  takes: 'nothing' | 'assignment' | 'restart';
  records: number;
  /** The other member, which does not know that it has lost the partition, folds at the same time. */
  isContested: boolean;
}

const steps: fc.Arbitrary<fc.Stream<Step>> = fc.infiniteStream(
  fc.record({
    member: fc.constantFrom(0 as const, 0 as const, 1 as const),
    takes: fc.constantFrom<Step['takes']>('nothing', 'nothing', 'nothing', 'assignment', 'restart'),
    records: fc.integer({ min: 1, max: 7 }),
    isContested: fc.nat(4).map((n) => n === 4),
  }),
);

/** One member of a consumer group, with its own position of the partition. */
class Member {
  private projection: Projection;
  private next: number | null = null;

  constructor(
    private readonly db: TestDatabase['db'],
    private readonly log: StoredRecord[],
  ) {
    this.projection = new Projection(db);
  }

  async take(takes: Step['takes']): Promise<void> {
    if (takes === 'restart') this.projection = new Projection(this.db);
    if (takes !== 'nothing' || this.next === null) {
      this.next = await this.projection.open(this.log[0]!.partition);
    }
  }

  /** @returns whether this member has reached the end of the log */
  async fold(records: number): Promise<boolean> {
    if (this.next === null) await this.take('assignment');
    const batch = this.log.slice(this.next!, this.next! + records);
    if (batch.length > 0) this.next = await this.projection.project(batch);
    return this.next! >= this.log.length;
  }
}

async function foldInSteps(db: TestDatabase['db'], log: StoredRecord[], todo: Iterator<Step>): Promise<void> {
  if (log.length === 0) return;
  const members = [new Member(db, log), new Member(db, log)];
  for (let isDone = false; !isDone; ) {
    const { member, takes, records, isContested } = todo.next().value as Step;
    const [acting, other] = [members[member]!, members[1 - member]!];
    await acting.take(takes);
    [isDone] = (await Promise.all([
      acting.fold(records),
      ...(isContested ? [other.fold(records).then(() => false)] : []),
    ])) as [boolean];
  }
}

/** Omits values that are derived again when a state is loaded. */
const comparable = ({ key, assets, organization }: EntityState) => ({
  key,
  organization,
  assets: assets.map(({ asset, lastSeen, findings }) => ({ asset, lastSeen, findings: [...findings] })),
});

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

/** The stored rows equal the fold of the domain: states, history, acts, outcomes and positions. */
async function expectStored({ db }: TestDatabase, rows: FoldedRow[], fold: DomainFold): Promise<void> {
  const stored = await readEntities(db, [...fold.entities.keys()]);
  for (const [key, entity] of fold.entities) {
    expect(plain(comparable(stored.get(key)!.state))).toEqual(plain(comparable(entity)));
  }
  const of = (table: string) => rows.filter((row) => row.table === table).map(({ row }) => row);
  const byPartition = <T extends { partition: number }>(items: T[]) =>
    [...items].sort((a, b) => a.partition - b.partition);
  const changes = byPartition(fold.changes);
  expect(
    of('finding_history').map(({ partition, change, from_state, to_state, reason, body }) => ({
      partition,
      told: [change, from_state, to_state, reason, body],
    })),
  ).toEqual(
    changes.flatMap(({ partition, change }) =>
      change.kind === 'finding'
        ? [
            {
              partition,
              told: [change.change, change.from, change.to, change.reason, plain(change.finding)],
            },
          ]
        : [],
    ),
  );
  expect(of('asset_history').map(({ partition, change, state }) => [partition, change, state])).toEqual(
    changes.flatMap(({ partition, change }) =>
      change.kind === 'asset' ? [[partition, change.change, plain(change.asset)]] : [],
    ),
  );
  expect(
    of('acts').map(({ action, target, detail, refused }) => ({ action, target, detail, refused })),
  ).toEqual(byPartition(fold.acts).map(({ act }) => plain(act)));
  for (const { partition, clock, asset_counter } of of('projection_positions')) {
    const state = fold.partitions.get(partition as number);
    expect([Date.parse(`${clock}`), asset_counter]).toEqual([state?.clock ?? 0, state?.assetCounter ?? 0]);
  }
  const uploads = [...fold.partitions.values()].flatMap(({ partition, uploads }) =>
    [...uploads.values()].map(({ uploadId, seen, signals, counts }) => ({
      partition,
      upload_id: uploadId,
      seen,
      signals,
      counts: plain(counts),
    })),
  );
  expect(of('upload_progress')).toHaveLength(uploads.length);
  expect(of('upload_progress')).toEqual(
    expect.arrayContaining(uploads.map((upload) => expect.objectContaining(upload))),
  );
}

describe('over generated histories of every kind of event', () => {
  it('the tables are the fold of the domain', async () => {
    await fc.assert(
      fc
        .asyncProperty(histories, async (events) => {
          for (const log of logOf(events)) await foldAtOnce(whole.db, log);
          await expectStored(whole, await foldedRows(whole), foldByDomain(events));
        })
        .afterEach(() => emptyFolded(whole)),
      { numRuns: runs(40) },
    );
  }, 60_000);

  it('any cut into batches, restarts, rebalances and contests give the same rows', async () => {
    await fc.assert(
      fc
        .asyncProperty(
          histories,
          fc.array(fc.nat(60), { maxLength: 2 }),
          steps,
          async (events, corrupt, todo) => {
            const logs = logOf(events, new Set(corrupt));
            for (const log of logs) {
              await foldAtOnce(whole.db, log);
              await foldInSteps(cut.db, log, todo);
            }
            expect(await foldedRows(cut)).toEqual(await foldedRows(whole));
          },
        )
        .afterEach(async () => {
          await emptyFolded(whole);
          await emptyFolded(cut);
        }),
      { numRuns: runs(30) },
    );
  }, 90_000);
});
