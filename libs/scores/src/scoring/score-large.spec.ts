import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { MovingRisk } from '#libs/domain';
import { scoreAll } from '../../../../test/fixtures/scores/score-all.ts';
import { expectConsistent } from '../../../../test/fixtures/scores/stored-scores.ts';
import { foldOn } from '../../../../test/support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { emptyFolded } from '../../../../test/support/folded-rows.ts';
import type { LoggedEvent } from '../../../../test/support/histories.ts';
import { runs } from '../../../../test/support/long-run.ts';
import { openingsOf, PARTITIONS } from '../../../../test/support/opened-log.ts';
import {
  DAY_MS,
  described,
  entity,
  event,
  instance,
  observation,
  signal,
  T0,
  uploadId,
} from '../../../../test/support/scenario.ts';
import { emptyScored } from '../../../../test/support/scored-tables.ts';
import { THREATENED_HOSTS, threatHistories } from '../../../../test/support/threat-histories.ts';
import { LargeAssets } from './large-assets.ts';
import { scorePartition } from './score-partition.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const EVERY_ASSET = { findingsMin: 0, findingsMax: 100_000 };
const lastAt = (events: LoggedEvent[]) => Math.max(...events.map((one) => one.event.envelope.at));
const sweeps = (at: number): LoggedEvent[] =>
  THREATENED_HOSTS.map((host, n) => ({
    partition: n % PARTITIONS,
    event: event({ type: 'EntitySwept', deleteIdleSince: null }, at, {}, { entityKey: `machine:${host}` }),
  }));

async function storedRows(): Promise<Record<string, unknown[]>> {
  const rows = async (table: string) =>
    (await database.pool.query(`select * from ${table} t order by t::text`)).rows;
  return {
    history: await rows('score_history'),
    decisions: await rows('finding_decisions'),
    sums: await rows('score_sums'),
  };
}

async function emptied(): Promise<void> {
  await emptyFolded(database);
  await emptyScored(database);
}

/** Without what makes a scorer read an asset again: controls, and changes of the asset. */
const isOfFindings = ({ event: { payload } }: LoggedEvent): boolean =>
  payload.type === 'SignalReceived'
    ? payload.observations.every(({ type }) => type === 'va' || type === 'edr')
    : payload.type !== 'AssetDescribed' && payload.type !== 'EdrManagementEnded';

const cases = fc.record({
  opened: fc.constantFrom(openingsOf(null), openingsOf('posture-2')),
  events: fc.oneof(
    { weight: 1, arbitrary: threatHistories },
    { weight: 2, arbitrary: threatHistories.map((events) => events.filter(isOfFindings)) },
  ),
  cuts: fc.array(fc.nat({ max: 99 }), { minLength: 4, maxLength: 10 }),
  ahead: fc.constantFrom(0, 1_000, 2 * DAY_MS, -1_000, -DAY_MS),
});

describe('large assets that are kept in memory', () => {
  it('get the same scores, sums and decisions as if all of their findings were read (property)', async () => {
    const move = jest.spyOn(MovingRisk.prototype, 'move');
    await fc.assert(
      fc.asyncProperty(cases, async ({ opened, events, cuts, ahead }) => {
        const all = [...opened, ...events];
        const end = lastAt(all) + 30 * DAY_MS;
        const scoredBy = async (large?: LargeAssets) => {
          await emptied();
          for (const cut of [...cuts].sort((a, b) => a - b)) {
            const until = all.slice(0, opened.length + Math.ceil((cut / 100) * events.length));
            await foldOn(database, until);
            await scoreAll(database, PARTITIONS, lastAt(until) + ahead, large);
          }
          await foldOn(database, [...all, ...sweeps(end)]);
          await scoreAll(database, PARTITIONS, end, large);
          await expectConsistent(database);
          return storedRows();
        };
        const expected = await scoredBy();
        expect(await scoredBy(new LargeAssets(EVERY_ASSET))).toEqual(expected);
      }),
      { numRuns: runs(60) },
    );
    const moved = move.mock.results.filter(({ value }) => value !== null);
    expect(moved.length).toBeGreaterThan(runs(60));
    move.mockRestore();
  }, 240_000);

  const hole = (name: string, day: number, given: object = {}) => ({
    partition: 0,
    event: event(
      signal(name, 'fail', {
        entity: entity({ name: 'web01' }),
        expiresAt: T0 + 300 * DAY_MS,
        observations: [observation('va', [instance('fail', { cves: ['CVE-2021-44228'] })])],
        ...given,
      }),
      T0 + day * DAY_MS,
      { uploadId: uploadId(day + 1), receivedAt: T0 + day * DAY_MS },
    ),
  });
  const opened = openingsOf('posture-2');
  it('are read again if another process has scored a change of the asset, and after a replay', async () => {
    await emptied();
    const large = new LargeAssets(EVERY_ASSET);
    const events = [...opened, hole('one', 0)];
    await foldOn(database, events);
    await scoreAll(database, PARTITIONS, T0, large);
    const moved = {
      partition: 0,
      event: event(described({ isEdrManaged: true }), T0 + DAY_MS, {
        uploadId: uploadId(50),
        receivedAt: T0 + DAY_MS,
      }),
    };
    await foldOn(database, [...events, moved]);
    await scorePartition(database.db, 0, T0 + DAY_MS);
    await foldOn(database, [...events, moved, hole('three', 2)]);
    await scoreAll(database, PARTITIONS, T0 + 2 * DAY_MS, large);
    const written = await storedRows();
    await database.pool.query('update scored_partitions set asset_sequence = 0, finding_sequence = 0');
    await scoreAll(database, PARTITIONS, T0 + 2 * DAY_MS, large);
    expect(await storedRows()).toEqual(written);
    await database.pool.query('update scored_partitions set asset_sequence = 0, finding_sequence = 0');
    await scoreAll(database, PARTITIONS, T0 + 2 * DAY_MS);
    expect(await storedRows()).toEqual(written);
  });
});
