import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '#libs/database';
import { ALL_ROWS } from '#libs/tables';
import { readersOf } from '../../../../test/support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { fillPastFindings } from '../../../../test/support/past-findings.ts';
import { DAY_MS, T0 } from '../../../../test/support/scenario.ts';
import { UNHURRIED } from './past-reads.ts';
import { PAST_SORTED_MAX } from './sorted-past.ts';

const ASSETS = 2_000;
const FINDINGS_EACH = 20;
const CHANGES_EACH = 3;
const NOW = T0 + 30 * DAY_MS;

let database: TestDatabase;
/** One session, so that its statistics can be read directly after. */
let session: Database;
beforeAll(async () => {
  database = await testDatabase();
  session = openDatabase(database.url, { max: 1 });
  await fillPastFindings(database, {
    assets: ASSETS,
    findingsEach: FINDINGS_EACH,
    changesEach: CHANGES_EACH,
  });
}, 120_000);
afterAll(async () => {
  await session.close();
  await database.drop();
});

/** The reads of this session from a table: full scans, and rows found by an index. */
async function readings(table: string) {
  await session.pool.query('select pg_stat_force_next_flush()');
  const { rows } = await session.pool.query(
    'select seq_scan, idx_tup_fetch from pg_stat_user_tables where relname = $1',
    [table],
  );
  return { wholeScans: Number(rows[0].seq_scan), rows: Number(rows[0].idx_tup_fetch) };
}

const TABLES = ['finding_history', 'asset_history', 'findings', 'finding_seen'];

/** Table → rows that reading takes from it. */
async function rowsRead(read: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await Promise.all(TABLES.map(readings));
  await read();
  const after = await Promise.all(TABLES.map(readings));
  return Object.fromEntries(
    TABLES.map((table, i) => {
      const wholeScans = after[i]!.wholeScans - before[i]!.wholeScans;
      return [table, wholeScans > 0 ? Number.POSITIVE_INFINITY : after[i]!.rows - before[i]!.rows];
    }),
  );
}

describe('reading as of an instant', () => {
  const asOf = T0 + 15 * DAY_MS;
  const limit = 50;
  const most = (reads: Record<string, number>) => Math.max(...Object.values(reads));
  /** Each finding by its row of then, those after it, and the next one for its expiry. */
  const perFinding = 2 * CHANGES_EACH;

  it('takes a few rows of the history for each finding on the page, wherever the page lies', async () => {
    const { findings } = readersOf(session, NOW);
    let cursor: string | undefined;
    for (const _ of [1, 2, 3]) {
      const reads = await rowsRead(async () => {
        const page = await findings.list({ limit, asOf, ...(cursor && { cursor }) }, ALL_ROWS, UNHURRIED);
        expect(page.items).toHaveLength(limit);
        cursor = page.nextCursor!;
      });
      expect(reads.finding_history).toBeGreaterThan(limit);
      expect(most(reads)).toBeLessThanOrEqual(2 * (limit + 1) * perFinding);
    }
  });

  it('continues in larger steps if few findings match, and reads each only once', async () => {
    const { findings } = readersOf(session, NOW);
    const all = ASSETS * FINDINGS_EACH;
    const reads = await rowsRead(async () => {
      expect(await findings.list({ limit, asOf, name: 'nothing' }, ALL_ROWS, UNHURRIED)).toEqual({
        items: [],
        nextCursor: null,
      });
    });
    expect(reads.finding_history).toBeLessThanOrEqual(all * CHANGES_EACH);
  });

  it.each(['-severity', 'name', 'assetName', '-updatedAt'] as const)(
    'takes the rows of each finding once for a page sorted by %s',
    async (sort) => {
      const { findings } = readersOf(session, NOW);
      const all = ASSETS * FINDINGS_EACH;
      const reads = await rowsRead(async () => {
        expect((await findings.list({ limit, asOf, sort }, ALL_ROWS, UNHURRIED)).items).toHaveLength(limit);
      });
      expect(reads.finding_history).toBeLessThanOrEqual(all * CHANGES_EACH + 5 * limit * perFinding);
    },
  );

  it.each([undefined, '-severity'] as const)(
    'takes the changes of an upload and their findings for a page of these, sorted by %s',
    async (sort) => {
      const upload = '00000000-0000-4000-8000-000000000001';
      const [first, last] = [1_001, 1_100];
      const changed = last - first + 1;
      await database.pool.query(
        `insert into upload_progress (upload_id, partition, kind, received_at, seen, event_count, signals, counts,
                                      merged, unrecognised_tags, changes)
         values ($1, 0, 'zip', now(), 1, 1, 1, '{}', '[]', '{}', $2) on conflict do nothing`,
        [upload, JSON.stringify({ seen: 1, findings: [first, last], assets: [], counts: {} })],
      );
      await database.pool.query(
        'update finding_history set cause = $1 where partition = 0 and sequence between $2 and $3',
        [JSON.stringify({ uploadId: upload }), first, last],
      );
      const { findings } = readersOf(session, NOW);
      const reads = await rowsRead(async () => {
        const { items } = await findings.list(
          { limit: 2 * changed, asOf, upload, ...(sort && { sort }) },
          ALL_ROWS,
          UNHURRIED,
        );
        expect(items).toHaveLength(changed);
      });
      // The runs are read for the number of candidates, for the candidates, and to see that there are no more.
      expect(most(reads)).toBeLessThanOrEqual(changed * (3 + 3 * perFinding));
      expect(
        (
          await findings.list(
            { limit, asOf: T0 - DAY_MS, upload, ...(sort && { sort }) },
            ALL_ROWS,
            UNHURRIED,
          )
        ).items,
      ).toEqual([]);
    },
  );

  it('takes the rows of one finding for one finding and its history', async () => {
    const { findings } = readersOf(session, NOW);
    const { rows } = await database.pool.query('select id from findings where asset_no = 1000 limit 1');
    const id = rows[0].id;
    expect(most(await rowsRead(() => findings.get(id, { asOf }, ALL_ROWS)))).toBeLessThanOrEqual(perFinding);
    expect(most(await rowsRead(() => findings.history(id, { limit, asOf }, ALL_ROWS)))).toBeLessThanOrEqual(
      2 * perFinding,
    );
  });

  it('takes the findings of the assets on the page for assets and their counts', async () => {
    const { assets } = readersOf(session, NOW);
    const { rows } = await database.pool.query('select id from assets where asset_no = 1000');
    const ofAsset = FINDINGS_EACH * perFinding;
    expect(
      most(await rowsRead(() => assets.get(rows[0].id, { asOf }, ALL_ROWS, UNHURRIED))),
    ).toBeLessThanOrEqual(ofAsset);
    expect(
      most(await rowsRead(() => assets.findingsOf(rows[0].id, { limit, asOf }, ALL_ROWS, UNHURRIED))),
    ).toBeLessThanOrEqual(ofAsset);
    const page = { limit: 20 };
    const reads = await rowsRead(async () => {
      const { items } = await assets.list({ page, filter: {}, customFields: {}, asOf }, ALL_ROWS, UNHURRIED);
      expect(items[0]!.findings.failed).toBe(FINDINGS_EACH);
    });
    expect(most(reads)).toBeLessThanOrEqual(21 * ofAsset);
  });

  it('rejects a report over more findings than it may read, of the present never', async () => {
    const { findings } = readersOf(session, NOW);
    const past = { at: asOf, isPast: true };
    const max = ASSETS * FINDINGS_EACH;
    await findings.assertReportable({}, past, 'filter by type', max);
    await findings.assertReportable({}, { at: NOW, isPast: false }, 'filter by type', max - 1);
    await findings.assertReportable({ type: ['edr'] }, past, 'filter by type', max - 1);
    await expect(findings.assertReportable({}, past, 'filter by type', max - 1)).rejects.toThrow(
      `asOf: from the history, a report can read at most ${max - 1} findings: filter by type`,
    );
  });

  it('rejects a sort over more findings or assets than it may read, and sorts fewer of them', async () => {
    const { findings, assets } = readersOf(session, NOW);
    await database.pool.query(`
      insert into assets (asset_no, id, partition, entity_key, name, type, attack_surface, department, location, sources,
                          custom_fields, state)
        select a, gen_random_uuid(), 0, 'machine:' || a, 'web', 'Server', 'Infrastructure', '-', '-', '{}', '{}', '{}'
          from generate_series(${ASSETS} + 1, ${PAST_SORTED_MAX} + 1) a;
      insert into findings
        select a, 1, gen_random_uuid(), 0, 'edr', 'open port', 'Failed', 7, '{}', '{}', 'scanner', 3, '{}'
          from generate_series(${ASSETS} + 1, ${PAST_SORTED_MAX}) a`);
    await expect(findings.list({ limit, asOf, sort: 'name' }, ALL_ROWS, UNHURRIED)).rejects.toThrow(
      `sort: with asOf, at most ${PAST_SORTED_MAX} findings can be sorted: filter by type or assetId, or omit sort`,
    );
    expect(
      (await findings.list({ limit, asOf, sort: 'name', type: ['va'] }, ALL_ROWS, UNHURRIED)).items,
    ).toHaveLength(limit);
    const page = { limit, sort: 'name' };
    await expect(
      assets.list({ page, filter: {}, customFields: {}, asOf }, ALL_ROWS, UNHURRIED),
    ).rejects.toThrow(`sort: with asOf, at most ${PAST_SORTED_MAX} assets can be sorted: omit sort`);
  });

  it('searches the history once for the first findings of a sort, in pages if they are large', async () => {
    const { findings } = readersOf(session, NOW);
    const { rows: large } = await database.pool.query(
      `update finding_history
          set body = (body::jsonb || jsonb_build_object('description', repeat('x', 2200000), 'name', 'a' || asset_no))::json
        where asset_no <= 5 and finding_no = 1 returning asset_no`,
    );
    expect(large).toHaveLength(5 * CHANGES_EACH);
    const reads = await rowsRead(async () => {
      const query = { sort: 'name', limit: 6, type: 'va' as const };
      const past = { at: asOf, isPast: true };
      const found = await findings.reported(query, ALL_ROWS, past, UNHURRIED, async (page) => page);
      expect(found.map(({ name }) => name)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'open port']);
    });
    expect(reads.finding_history).toBeLessThanOrEqual(
      ASSETS * FINDINGS_EACH * CHANGES_EACH + 20 * perFinding,
    );
  });
});
