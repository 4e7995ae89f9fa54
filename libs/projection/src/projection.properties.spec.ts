import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { encodeIntake } from '#libs/contracts';
import { type EntityState, kindsOf, type UploadChanges } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { areTotalsExactSql, readEntities } from '#libs/tables';
import { countedTotals, movedTotals } from '../../../test/support/counted-totals.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { type DomainFold, foldByDomain } from '../../../test/support/domain-fold.ts';
import { emptyFolded, type FoldedRow, foldedRows } from '../../../test/support/folded-rows.ts';
import { histories, type LoggedEvent } from '../../../test/support/histories.ts';
import { runs } from '../../../test/support/long-run.ts';
import { resentHistories } from '../../../test/support/resends.ts';
import { T0 } from '../../../test/support/scenario.ts';
import { countTotals, Projection } from './index.ts';

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

/** A batch, and what happens to the totals. */
interface TotalsStep {
  records: number;
  /** It folds the batch without moving the totals. */
  isByEarlierVersion: boolean;
  /** Findings that each step of the count after the batch takes. */
  counts: number[];
}

const totalsSteps: fc.Arbitrary<fc.Stream<TotalsStep>> = fc.infiniteStream(
  fc.record({
    records: fc.integer({ min: 1, max: 7 }),
    isByEarlierVersion: fc.nat(19).map((n) => n === 19),
    counts: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
  }),
);

const TOTALS_TABLES = ['finding_totals', 'technique_totals', 'totals_progress'];

/** Leaves the tables of the totals as a version that does not know them. */
async function asEarlierVersion<T>({ pool }: TestDatabase, fold: () => Promise<T>): Promise<T> {
  const eachTable = (statement: (table: string) => string) =>
    pool.query(TOTALS_TABLES.map(statement).join(';'));
  await eachTable((table) => `create table kept_${table} as table ${table}`);
  const result = await fold();
  await eachTable(
    (table) => `delete from ${table}; insert into ${table} table kept_${table}; drop table kept_${table}`,
  );
  return result;
}

/** Leaves the digests as a version that does not know them. */
async function withoutDigests<T>({ pool }: TestDatabase, fold: () => Promise<T>): Promise<T> {
  await pool.query(`
    create table kept_digests as select asset_no, finding_no, digest from finding_seen;
    create table kept_positions as select partition, digested_sequence from projection_positions`);
  const result = await fold();
  await pool.query(`
    update finding_seen s set digest = (
      select digest from kept_digests k where k.asset_no = s.asset_no and k.finding_no = s.finding_no);
    update projection_positions p set digested_sequence = (
      select digested_sequence from kept_positions k where k.partition = p.partition);
    drop table kept_digests; drop table kept_positions`);
  return result;
}

const withoutUncompared = (rows: FoldedRow[]) =>
  rows.map(({ table, row: { digest: _, digested_sequence: __, ...row } }) => ({ table, row }));

/** The totals of a log in one partition are those of its counted assets, or are known to be those of none. */
async function expectTotals(database: TestDatabase, partition: number): Promise<void> {
  const { rows } = await database.pool.query(
    `select ${areTotalsExactSql('p.partition = $1')} as are_exact,
            (select counted_assets from totals_progress t join projection_positions p using (partition, next_offset)
              where partition = $1) as counted`,
    [partition],
  );
  const { are_exact, counted } = rows[0];
  const expected = await countedTotals(database, are_exact ? undefined : (counted ?? 0));
  if (are_exact || counted !== null) expect(await movedTotals(database)).toEqual(expected);
}

async function count(database: TestDatabase, partition: number, findingsMax: number) {
  const connection = await database.pool.connect();
  try {
    await connection.query('begin');
    const progress = await countTotals(
      (text, values) => connection.query(text, values),
      partition,
      findingsMax,
    );
    await connection.query('commit');
    return progress;
  } finally {
    connection.release();
  }
}

/** Omits values that are derived again when a state is loaded. */
const comparable = ({ key, assets, organization }: EntityState) => ({
  key,
  organization,
  assets: assets.map(({ asset, lastSeen, findings }) => ({
    asset,
    lastSeen,
    findings: [...findings].map(([id, { finding, seen }]) => [id, { finding, seen }]),
  })),
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
  for (const upload of of('upload_progress'))
    expectChanges(upload, of('finding_history'), of('asset_history'));
}

/** Columns of a row of a history. */
interface HistoryRow {
  partition: number;
  sequence: number;
  cause: { uploadId: string | null };
}

/** The changes of an upload in its partition are in the runs that its row has, and it counts all of them. */
function expectChanges(
  upload: FoldedRow['row'],
  findings: FoldedRow['row'][],
  assets: FoldedRow['row'][],
): void {
  const changes = upload.changes as UploadChanges & { seen: number };
  expect(changes.seen).toBe(upload.seen);
  const counted = kindsOf(changes);
  for (const [kind, bounds, rows] of [
    ['finding', changes.findings, findings],
    ['asset', changes.assets, assets],
  ] as const) {
    const sequences = (rows as unknown as HistoryRow[])
      .filter(({ partition, cause }) => partition === upload.partition && cause.uploadId === upload.upload_id)
      .map(({ sequence }) => sequence);
    const ofKind = counted.filter((one) => one.kind === kind);
    expect(ofKind.reduce((sum, { count }) => sum + count, 0)).toBe(sequences.length);
    expect(sequences).toEqual(expect.arrayContaining(bounds));
    const isInRun = (sequence: number) =>
      bounds.some((first, i) => i % 2 === 0 && first <= sequence && sequence <= bounds[i + 1]!);
    expect(sequences.filter((sequence) => !isInRun(sequence))).toEqual([]);
  }
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

  it('findings that are not read, after each restart, change no row, also after batches of an earlier version', async () => {
    await fc.assert(
      fc
        .asyncProperty(
          resentHistories,
          fc.infiniteStream(fc.record({ records: fc.integer({ min: 1, max: 5 }), isEarlier: fc.nat(4) })),
          async (events, todo) => {
            for (const log of logOf(events)) {
              await foldAtOnce(whole.db, log);
              for (let next = 0; next < log.length; ) {
                const { records, isEarlier } = todo.next().value!;
                const projection = new Projection(cut.db);
                const fold = () => projection.project(log.slice(next, next + records));
                // A version without digests reads every finding: here as if none had one.
                if (isEarlier === 0) {
                  next = await withoutDigests(cut, async () => {
                    await cut.pool.query('update finding_seen set digest = null');
                    await projection.open(log[0]!.partition);
                    return fold();
                  });
                } else {
                  await projection.open(log[0]!.partition);
                  next = await fold();
                }
              }
            }
            expect(withoutUncompared(await foldedRows(cut))).toEqual(
              withoutUncompared(await foldedRows(whole)),
            );
          },
        )
        .afterEach(async () => {
          await emptyFolded(whole);
          await emptyFolded(cut);
        }),
      { numRuns: runs(60) },
    );
  }, 120_000);

  it('the totals are those of the findings after each batch, while they are counted, and after an earlier version', async () => {
    await fc.assert(
      fc
        .asyncProperty(histories, totalsSteps, async (events, todo) => {
          const [log] = logOf(events) as [StoredRecord[]];
          const projection = new Projection(whole.db);
          let next = 0;
          while (next < log.length) {
            const { records, isByEarlierVersion, counts } = todo.next().value as TotalsStep;
            const batch = log.slice(next, next + records);
            const fold = async () => {
              await projection.open(0);
              return projection.project(batch);
            };
            next = isByEarlierVersion ? await asEarlierVersion(whole, fold) : await fold();
            await expectTotals(whole, 0);
            for (const findingsMax of counts) {
              await count(whole, 0, findingsMax);
              await expectTotals(whole, 0);
            }
          }
          while (await count(whole, 0, 2));
          expect(await movedTotals(whole)).toEqual(await countedTotals(whole));
        })
        .afterEach(() => emptyFolded(whole)),
      { numRuns: runs(40) },
    );
  }, 90_000);
});
