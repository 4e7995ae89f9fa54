import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bareClock } from '#libs/clock';
import { EventSealer } from '#libs/sealing';
import { readOrganization } from '#libs/tables';
import { endMoved } from '../../apps/collector/src/statements/end-statements.ts';
import { TwoPlatforms } from '../fixtures/collector/two-platforms.ts';
import { isLongRun } from '../support/long-run.ts';
import { QueryPlans, wholeScans } from '../support/query-plans.ts';

/** TWO_SOURCES_HOSTS: for the figure of docs/benchmarks.md on another number of hosts. */
const HOSTS = Number(process.env.TWO_SOURCES_HOSTS ?? (isLongRun ? 100_000 : 2_000));
const MINUTES_MAX = 60;

let both: TwoPlatforms;

beforeAll(async () => {
  both = await TwoPlatforms.start(HOSTS, 0);
});
afterAll(() => both.stop());

/** Rows that a pull may not touch, and those that it writes for each signal. */
async function state() {
  const { rows } = await both.database.pool.query(`
    select (select count(*) from asset_history)::int as history,
           (select count(*) from score_changes)::int as scores,
           (select count(*) from assets)::int as assets,
           (select md5(string_agg(asset_no || ' ' || xmin || ' ' || ctid, ',' order by partition, asset_no)) from assets) as versions`);
  return rows[0];
}

describe(`${HOSTS} hosts of an EDR platform and an inventory`, () => {
  it(
    'are written by the first pull; the next one of each writes no row of an asset, and no history (R-SRC-4)',
    async () => {
      const took = [performance.now()];
      await both.syncBoth();
      took.push(performance.now());
      const first = await state();
      expect(first.assets).toBeGreaterThanOrEqual(HOSTS);
      expect(first.history).toBeGreaterThan(HOSTS);
      expect(await both.syncBoth()).toBe(0);
      took.push(performance.now());
      expect(await state()).toEqual(first);
      const [pulled, again] = [took[1]! - took[0]!, took[2]! - took[1]!].map((ms) => (ms / 1_000).toFixed(1));
      process.stdout.write(
        `${HOSTS} hosts, two sources: first pull ${pulled} s, unchanged ${again} s, ${JSON.stringify(first)}\n`,
      );
    },
    MINUTES_MAX * 60_000,
  );

  it('are looked up by device, not compared with every asset (R-SRC-6)', async () => {
    const { database, log } = both;
    const { rows } = await database.pool.query(
      `select stated_devices[1]::json ->> 1 as device from assets where stated_devices <> '{}' limit 500`,
    );
    const moved = rows.map(({ device }) => ({ deviceId: device, entity: { name: 'another' } })) as never;
    const plans = new QueryPlans(database.pool);
    const { settings } = await readOrganization(database.db);
    const trustedClock = bareClock(Date.now);
    const site = { db: plans.db, log, trustedClock, sealer: new EventSealer(null) };
    const nodes = await plans.explain(() =>
      endMoved(site, moved, { syncId: 'of another', source: 'another', settings }, null),
    );
    expect(wholeScans(nodes)).toEqual([]);
  });
});
