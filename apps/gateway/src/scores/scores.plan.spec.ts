import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_CHOICE } from '#libs/domain';
import { ALL_ROWS } from '#libs/tables';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { type Explained, QueryPlans } from '../../../../test/support/query-plans.ts';
import { DAY_MS, T0 } from '../../../../test/support/scenario.ts';
import { RankedAssetsRepository } from './ranked-assets.repository.ts';
import { RiskSumsRepository } from './risk-sums.repository.ts';
import { ScoreHistoryRepository } from './score-history.repository.ts';
import { ScoredInstants } from './scored-at.ts';

const ASSETS = 5_000;
const PERIODS_EACH = 4;
/** Of which each partition has some assets. */
const DEPARTMENTS = 31;
const LIMIT = 50;
const DAYS = 40;

let database: TestDatabase;
let plans: QueryPlans;

beforeAll(async () => {
  database = await testDatabase();
  plans = new QueryPlans(database.pool);
  const at = (days: string) => `to_timestamp(${T0 / 1000}) + ${days} * interval '1 day'`;
  await database.pool.query(`
    insert into score_history
      select a, a % 4, ${at('(p * 10 + a / 1000.0)')},
             case when p < ${PERIODS_EACH - 1} then ${at('((p + 1) * 10 + a / 1000.0)')} else 'infinity' end,
             case when a % 5 > 0 then a * 7919 % 10000 end, case when a % 5 > 0 then a end,
             'Server', 'Infrastructure', 'Department ' || a % ${DEPARTMENTS}, 'Oslo'
        from generate_series(1, ${ASSETS}) a, generate_series(0, ${PERIODS_EACH - 1}) p;
    insert into asset_scores (asset_no, partition, score, likelihood, scored_at)
      select asset_no, partition, score, likelihood, valid_from from score_history where valid_to = 'infinity';
    insert into score_sums
      select partition, 'department', department, count(*), count(score), 0, 0
        from score_history where valid_to = 'infinity' group by 1, 3;
    insert into assets (asset_no, id, partition, entity_key, name, type, attack_surface, department, location, sources,
                        custom_fields, state)
      select a, gen_random_uuid(), a % 4, 'machine:' || a, 'web', 'Server', 'Infrastructure', '-', '-', '{}', '{}', '{}'
        from generate_series(1, ${ASSETS}) a;
    insert into asset_history
      select partition, asset_no, asset_no, ${at('0')}, 'created', '{}', 0, '{}' from assets`);
  await database.pool.query('vacuum analyze');
}, 120_000);
afterAll(() => database.drop());

/** How often a table is looked into, from end to end or by an index. */
const looks = ({ scans }: Explained, table: string) =>
  scans
    .filter((scan) => scan['Relation Name'] === table)
    .reduce((sum, scan) => sum + scan['Actual Loops'], 0);

describe('scores', () => {
  const past = T0 + 15 * DAY_MS;

  it('of groups at an instant are one pass over the history', async () => {
    const sums = new RiskSumsRepository(plans.db);
    for (const ask of [
      () => sums.organization(past),
      () => sums.groups('posture-1', { kind: 'department', names: null }, past, null, LIMIT),
      () =>
        sums.groups(
          'posture-1',
          { kind: 'department', names: null },
          past,
          { rank: 5_000, name: 'Department 7', nameHash: 'x' },
          LIMIT,
        ),
    ]) {
      const plan = await plans.explain(ask);
      expect(looks(plan, 'score_history')).toBe(1);
    }
  });

  it('of groups now use only the stored sums', async () => {
    const sums = new RiskSumsRepository(plans.db);
    const plan = await plans.explain(() =>
      sums.groups('posture-1', { kind: 'department', names: null }, null, null, LIMIT),
    );
    expect(plan.rows).toBe(4 * DEPARTMENTS);
    const when = await plans.explain(() =>
      new ScoredInstants(plans.db, () => past).scoredAt(null, DEFAULT_CHOICE, ALL_ROWS),
    );
    expect(when.rows).toBeLessThanOrEqual(2);
  });

  it('over time are one pass, however many points', async () => {
    const points = Array.from({ length: 10 * DAYS }, (_, i) => T0 + (i * DAY_MS) / 10);
    const history = new ScoreHistoryRepository(plans.db);
    const plan = await plans.explain(() => history.sumsAt(points, null));
    expect(looks(plan, 'score_history')).toBe(1);
    const ofAsset = await plans.explain(() => history.ofAsset(7, ALL_ROWS, past, null, LIMIT));
    expect(ofAsset.rows).toBeLessThanOrEqual(PERIODS_EACH);
  });

  it('of assets at an instant are one pass, and the states of those on the page', async () => {
    const ranked = new RankedAssetsRepository(plans.db);
    const plan = await plans.explain(() =>
      ranked.past({ rows: ALL_ROWS }, past, { rank: 5_000, assetNo: 7 }, LIMIT),
    );
    expect(looks(plan, 'score_history')).toBe(1);
    expect(looks(plan, 'asset_history')).toBeLessThanOrEqual(2 * LIMIT);
  });
});
