import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CatalogueRow, CatalogueTimeline } from '#libs/catalogue-store';
import { readScoreChanges } from '#libs/changes';
import { findingFactsOf, scoreAsset } from '#libs/domain';
import { assetFacts } from '#libs/views';
import { CVES, catalogueRows, insertCatalogue } from '../../../../test/fixtures/scores/catalogue-rows.ts';
import { scoreAll } from '../../../../test/fixtures/scores/score-all.ts';
import { expectConsistent } from '../../../../test/fixtures/scores/stored-scores.ts';
import { foldOn } from '../../../../test/support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { emptyFolded } from '../../../../test/support/folded-rows.ts';
import { histories, type LoggedEvent } from '../../../../test/support/histories.ts';
import { runs } from '../../../../test/support/long-run.ts';
import type { MemoryLog } from '../../../../test/support/memory-log.ts';
import { liveAssetsAt, memoryLogOf, openings, PARTITIONS } from '../../../../test/support/opened-log.ts';
import { poisonedAndMended } from '../../../../test/support/poisoned-logs.ts';
import {
  DAY_MS,
  entity,
  event,
  instance,
  observation,
  signal,
  T0,
  upload,
} from '../../../../test/support/scenario.ts';
import { emptyScored } from '../../../../test/support/scored-tables.ts';
import { LargeAssets } from './large-assets.ts';
import { scorePartition } from './score-partition.ts';

const HOSTS = ['web01', 'web02', 'db01'];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Reports all that had ended by that time: as the sweep does, within a minute. */
const sweeps = (at: number): LoggedEvent[] =>
  HOSTS.map((host, n) => ({
    partition: n % PARTITIONS,
    event: event({ type: 'EntitySwept', deleteIdleSince: null }, at, {}, { entityKey: `machine:${host}` }),
  }));

const lastAt = (events: LoggedEvent[]) => Math.max(...events.map((one) => one.event.envelope.at));

const cases = fc.record({
  events: histories,
  catalogue: catalogueRows,
  /** Cut of the log: the records before it are scored before the rest is folded. */
  cuts: fc.array(fc.nat({ max: 99 }), { maxLength: 3 }),
  /** How far the scorer's clock is ahead of the log's at each cut; negative: behind. */
  ahead: fc.constantFrom(0, 1_000, DAY_MS, -1_000, -2 * DAY_MS),
  picks: fc.array(fc.nat({ max: 999 }), { minLength: 6, maxLength: 6 }),
});

const score = (now: number) => scoreAll(database, PARTITIONS, now);

/** The model's result for an instant, only from the log and the catalogues: asset id → score. */
async function recomputed(log: MemoryLog, catalogue: CatalogueTimeline, at: number) {
  const scores = new Map<
    string,
    { score: number | null; breachLikelihood: number | null; department: string }
  >();
  for (const { asset, findings } of await liveAssetsAt(log, at)) {
    const facts = [...findings.values()].map(({ finding, seen }) => findingFactsOf(finding, seen));
    const { score, breachLikelihood } = scoreAsset({ asset, findings: facts }, catalogue.at(at), at);
    scores.set(asset.id, { score, breachLikelihood, department: assetFacts(asset).department });
  }
  return scores;
}

async function storedAt(at: number) {
  const { rows } = await database.pool.query(
    `select a.id, h.score, h.likelihood, h.department from score_history h join assets a using (asset_no)
     where h.valid_from <= $1 and h.valid_to > $1`,
    [new Date(at).toISOString()],
  );
  return new Map(
    rows.map(({ id, score, likelihood, department }) => [
      id as string,
      {
        score: score === null ? null : score / 100,
        breachLikelihood: likelihood === null ? null : likelihood / 1e6,
        department,
      },
    ]),
  );
}

/** As an import does with the assets that it touches. */
async function noteImports(instants: number[]): Promise<void> {
  if (instants.length === 0) return;
  await database.pool.query(
    'insert into rescorings (partition, asset_no, since) select partition, asset_no, $1 from assets',
    [new Date(Math.min(...instants)).toISOString()],
  );
}

describe('the stored scores', () => {
  it('follow at every instant from the log and the catalogues, for every order of scoring (property)', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ events, catalogue, cuts, ahead, picks }) => {
        await emptyFolded(database);
        await emptyScored(database);
        await insertCatalogue(database, catalogue);
        const all = [...openings, ...events];
        const edgesOfCatalogue = catalogue.flatMap(({ validFrom, validTo }) => [validFrom, validTo]);
        let scoredTo = 0;
        const scoreWithImports = async (now: number) => {
          await noteImports(edgesOfCatalogue.filter((at) => at > scoredTo && at <= now));
          await score(now);
          scoredTo = Math.max(scoredTo, now);
        };
        const positions = cuts.map((cut) => openings.length + Math.floor((cut / 100) * events.length));
        for (const position of positions.sort((a, b) => a - b)) {
          const until = all.slice(0, position);
          await foldOn(database, until);
          await scoreWithImports(lastAt(until) + ahead);
        }
        const end = lastAt(all) + 2 * DAY_MS;
        const whole = [...all, ...sweeps(end)];
        await foldOn(database, whole);
        await scoreWithImports(end);

        const log = await memoryLogOf(whole);
        const timeline = new CatalogueTimeline(catalogue);
        const edges = [
          ...whole.map((one) => one.event.envelope.at),
          ...whole.flatMap(({ event: { payload } }) =>
            payload.type === 'SignalReceived' ? [payload.expiresAt, payload.retainUntil] : [],
          ),
          ...edgesOfCatalogue,
        ].filter((at) => at <= end);
        for (const pick of picks) {
          const at = edges[pick % edges.length]! - (pick % 3 === 0 ? 1 : 0);
          expect(await storedAt(at)).toEqual(await recomputed(log, timeline, at));
        }
        await expectConsistent(database);
      }),
      { numRuns: runs(60) },
    );
  }, 240_000);
});

describe('the scores of a site that a wrong clock poisoned', () => {
  it('are right at every instant once it is mended, whenever they were scored (property)', async () => {
    const poisoned = fc.record({
      events: histories,
      share: fc.constantFrom(0, 0.3, 0.7, 1),
      scoredBefore: fc.boolean(),
      picks: fc.array(fc.nat({ max: 999 }), { minLength: 4, maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(poisoned, async ({ events, share, scoredBefore, picks }) => {
        await emptyFolded(database);
        await emptyScored(database);
        const { mended, correctedAt } = poisonedAndMended(openings, events, share);
        const corrected = mended.findIndex(({ event: { payload } }) => payload.type === 'ClockCorrected');
        if (scoredBefore) {
          await foldOn(database, mended.slice(0, corrected));
          await score(correctedAt);
        }
        await foldOn(database, mended);
        await score(correctedAt + 2_000);
        const end = correctedAt + DAY_MS;
        const whole = [...mended, ...sweeps(end)];
        await foldOn(database, whole);
        await score(end);

        const log = await memoryLogOf(whole);
        const instants = [
          ...picks.map((pick) => events[pick % events.length]!.event.envelope.at),
          ...[-1, 0, 500, 1_000, 2_000, DAY_MS].map((by) => correctedAt + by),
        ];
        for (const at of instants) {
          expect(await storedAt(at)).toEqual(await recomputed(log, new CatalogueTimeline([]), at));
        }
        const { rows } = await database.pool.query(
          "select * from score_history where valid_from > $1 or (valid_to > $1 and valid_to < 'infinity')",
          [new Date(end).toISOString()],
        );
        expect(rows).toEqual([]);
      }),
      { numRuns: runs(30) },
    );
  }, 240_000);
});

describe('scoring again', () => {
  it('writes nothing if nothing differs, from however far back', async () => {
    await emptyFolded(database);
    await emptyScored(database);
    const told = [1, 2, 3].flatMap((n) =>
      upload(n, T0 + n * DAY_MS, [
        signal('a', n === 2 ? 'pass' : 'fail', {
          expiresAt: T0 + 9 * DAY_MS,
          observations: [observation('va', [instance(n === 2 ? 'pass' : 'fail', { cves: CVES })])],
        }),
      ]),
    );
    await foldOn(
      database,
      told.map((one) => ({ partition: 0, event: one })),
    );
    await score(T0 + 10 * DAY_MS);
    const before = await writtenRows();
    expect(before.score_history).toHaveLength(4);
    await database.pool.query(`insert into rescorings select partition, asset_no, 'epoch' from assets`);
    expect(await scorePartition(database.db, 0, T0 + 10 * DAY_MS)).toEqual({
      assets: 1,
      hasMore: false,
      changes: 0,
    });
    expect(await writtenRows()).toEqual(before);
  });

  it('loses nothing that was folded after the clock was read', async () => {
    await emptyFolded(database);
    await emptyScored(database);
    const told = [0, 5_000].flatMap((later, n) =>
      upload(n + 1, T0 + later, [signal(`finding ${n}`, 'fail', { observations: [own(n)] })]),
    );
    await foldOn(
      database,
      told.map((one) => ({ partition: 0, event: one })),
    );
    await score(T0 + 2_000);
    const { rows } = await database.pool.query('select likelihood from score_history order by valid_from');
    expect(rows.map(({ likelihood }) => likelihood)).toEqual([70_000, 135_100]);
  });

  it.each([
    ['of any asset', undefined],
    ['of a large asset', { findingsMin: 0, findingsMax: 1_000 }],
  ])('takes an import that is dated ahead of the clock when it counts: %s', async (_, limits) => {
    await emptyFolded(database);
    await emptyScored(database);
    const large = new LargeAssets(limits);
    const events: LoggedEvent[] = [...openings];
    const scoreWith = async (n: number, at: number, now: number) => {
      const observations = [n === 1 ? mapped : own(n)];
      const told = upload(n, T0 + at, [signal(`finding ${n}`, 'fail', { observations })]);
      events.push(...told.map((one) => ({ partition: 0, event: one })));
      await foldOn(database, events);
      await scoreAll(database, PARTITIONS, T0 + now, large);
    };
    await scoreWith(1, 0, 0);
    const rows: CatalogueRow[] = [
      {
        ...{ catalogue: 'kev', cve: CVES[0]!, value: { dateAdded: '2026-01-01' } },
        ...{ validFrom: T0 + 20_000, validTo: Number.POSITIVE_INFINITY },
      },
    ];
    await insertCatalogue(database, rows);
    large.forget(0);
    await noteImports([T0 + 20_000]);
    await scoreWith(2, 1_999, 2_000);
    expect((await database.pool.query('select from rescorings')).rows).toHaveLength(0);
    await scoreWith(3, 10_000, 11_000);
    await scoreAll(database, PARTITIONS, T0 + 30_000, large);
    const log = await memoryLogOf(events);
    const timeline = new CatalogueTimeline(rows);
    for (const at of [2_000, 19_999, 20_000, 30_000]) {
      expect(await storedAt(T0 + at)).toEqual(await recomputed(log, timeline, T0 + at));
    }
    expect(await storedAt(T0 + 20_000)).not.toEqual(await storedAt(T0 + 19_999));
  });

  it('reads complete findings and assets a hundred at a time, the first eight states of assets twice, however many changes there were', async () => {
    await emptyFolded(database);
    await emptyScored(database);
    const CHANGES = 250;
    const told = Array.from({ length: CHANGES }, (_, n) =>
      upload(n + 1, T0 + n, [
        signal('a', n % 2 === 0 ? 'fail' : 'pass', {
          entity: entity({ department: `department ${n}` }),
          observations: [observation('va', [instance(n % 2 === 0 ? 'fail' : 'pass', { cves: CVES })])],
        }),
      ]),
    ).flat();
    await foldOn(
      database,
      told.map((one) => ({ partition: 0, event: one })),
    );
    const { db, reads } = watched();
    expect(await scorePartition(db, 0, T0 + CHANGES)).toEqual({ assets: 1, hasMore: false, changes: 1 });
    expect(Math.max(...reads)).toBe(100);
    expect(reads.reduce((sum, read) => sum + read)).toBe(2 * CHANGES + 1 + 8);
    const { rows } = await database.pool.query('select score from score_history order by valid_from');
    expect(rows.map(({ score }) => score)).toEqual(
      Array.from({ length: CHANGES }, (_, n) => (n % 2 === 0 ? 946 : 0)),
    );
    await expectConsistent(database);
  });

  it('reads the fewer at a time the larger they are', async () => {
    await emptyFolded(database);
    await emptyScored(database);
    const large = observation('va', [
      instance('fail', { key: 'host', cves: CVES, evidence: 'x'.repeat(1 << 20) }),
    ]);
    const ports = Array.from({ length: 24 }, (_, port) =>
      observation('va', [instance('fail', { key: `tcp/${port}` })], { mode: 'merge' }),
    );
    const told = [large, ...ports].flatMap((one, n) =>
      upload(n + 1, T0 + n, [signal('a', 'fail', { observations: [one] })]),
    );
    await foldOn(
      database,
      told.map((one) => ({ partition: 0, event: one })),
    );
    const { db, reads } = watched();
    expect(await scorePartition(db, 0, T0 + 100)).toEqual({ assets: 1, hasMore: false, changes: 1 });
    // An asset, a finding, and its history: eight, then as many as fit four megabytes.
    expect(reads.slice(0, 5)).toEqual([1, 1, 8, 3, 3]);
    await expectConsistent(database);
  });

  it('removes an asset that a replay no longer creates, and publishes its removal', async () => {
    await emptyFolded(database);
    await emptyScored(database);
    const hosts = ['web01', 'web02', 'web03'];
    const told = hosts.flatMap((name, n) =>
      upload(
        n + 1,
        T0 + n,
        [
          signal('a', 'fail', {
            entity: entity({ name }),
            observations: [n === 2 ? observation('va', [instance('fail')]) : mapped],
          }),
        ],
        { entityKey: `machine:${name}` },
      ),
    );
    await foldOn(
      database,
      told.map((one) => ({ partition: 0, event: one })),
    );
    await score(T0 + 10);
    const { rows: gone } = await database.pool.query(
      `delete from assets where name in ('web01', 'web03') returning asset_no, id, name`,
    );
    const numbers = gone.map(({ asset_no }) => asset_no);
    for (const table of ['asset_seen', 'asset_history', 'findings', 'finding_seen', 'finding_history']) {
      await database.pool.query(`delete from ${table} where asset_no = any($1)`, [numbers]);
    }
    await database.pool.query(
      `insert into rescorings select partition, asset_no, min(valid_from) from score_history
       where asset_no = any($1) group by 1, 2`,
      [numbers],
    );
    await score(T0 + 20);
    const { rows: left } = await database.pool.query('select from score_history where asset_no = any($1)', [
      numbers,
    ]);
    expect(left).toEqual([]);
    await expectConsistent(database);
    const changes = await readScoreChanges(database.db, { partition: 0, after: 0 }, { changesMax: 10 });
    expect(changes.map(({ assetName, change: { name } }) => [assetName, name])).toEqual([
      ['web01', 'changed'],
      ['web02', 'changed'],
      ['web01', 'deleted'],
    ]);
    expect(changes.at(-1)).toMatchObject({
      assetId: gone.find(({ name }) => name === 'web01').id,
      at: T0 + 20,
      score: null,
    });
  });

  it('states since when a score is valid, however much the asset has changed when it is scored', async () => {
    const told = (['fail', 'pass', 'pass'] as const).map((status, n) =>
      upload(n + 1, T0 + n * DAY_MS, [
        signal('a', status, {
          entity: entity({ department: `department ${n}` }),
          observations: [observation('va', [instance(status, { cves: CVES })])],
        }),
      ]).map((one) => ({ partition: 0, event: one })),
    );
    for (const cuts of [[3], [1, 2, 3]]) {
      await emptyFolded(database);
      await emptyScored(database);
      for (const cut of cuts) {
        await foldOn(database, told.slice(0, cut).flat());
        await score(T0 + 3 * DAY_MS);
      }
      const changes = await readScoreChanges(database.db, { partition: 0, after: 0 }, { changesMax: 10 });
      expect(changes.at(-1)).toMatchObject({ at: T0 + DAY_MS, score: 0 });
    }
  });

  it('takes groups with names of any length that a signal may bring', async () => {
    await emptyFolded(database);
    await emptyScored(database);
    const department = Array.from({ length: 8_000 }, (_, i) =>
      createHash('md5').update(`${i}`).digest('hex'),
    ).join('');
    const told = upload(1, T0, [
      signal('a', 'fail', { entity: entity({ department }), observations: [mapped] }),
    ]);
    await foldOn(
      database,
      told.map((one) => ({ partition: 0, event: one })),
    );
    await score(T0);
    await expectConsistent(database);
  });

  it('waits for the other if two score a partition at once, and neither loses anything', async () => {
    await emptyFolded(database);
    await emptyScored(database);
    const told = upload(1, T0, [signal('a', 'fail', { observations: [mapped] })]);
    await foldOn(
      database,
      told.map((one) => ({ partition: 0, event: one })),
    );
    const batches = await Promise.all(Array.from({ length: 4 }, () => scorePartition(database.db, 0, T0)));
    expect(batches.map(({ changes }) => changes).sort()).toEqual([0, 0, 0, 1]);
    await expectConsistent(database);
  });
});

const own = (n: number) => observation('va', [instance('fail', { cves: [`CVE-2024-9000${n}`] })]);
const mapped = observation('va', [instance('fail', { cves: CVES })]);

/** The database, and how many whole findings and assets each statement on it has read. */
function watched() {
  const reads: number[] = [];
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const whole = result.rows.filter((row) => 'body' in row || 'state' in row);
      if (whole.length > 0) reads.push(whole.length);
      return result;
    },
  });
  return { db, reads };
}

/** Every row with the transaction that has written it. */
async function writtenRows(): Promise<Record<string, unknown[]>> {
  const written: Record<string, unknown[]> = {};
  for (const table of ['asset_scores', 'score_history', 'score_sums', 'score_changes']) {
    written[table] = (await database.pool.query(`select xmin, * from ${table} order by 2, 3, 4`)).rows;
  }
  return written;
}
