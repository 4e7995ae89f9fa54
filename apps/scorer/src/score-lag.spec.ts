import { expect, it } from '@jest/globals';
import { openDatabase } from '#libs/database';
import { readMetrics } from '#libs/telemetry';
import { testDatabase } from '../../../test/support/database.ts';
import { reportScoreLag } from './score-lag.ts';

it('reports no lag if the database is unavailable, instead of zero', async () => {
  const there = await testDatabase();
  await reportScoreLag(there.db);
  expect(await readMetrics()).toContain('\nposture_score_lag_changes 0\n');
  await there.drop();
  const away = openDatabase('postgres://nobody@127.0.0.1:1/nowhere');
  await expect(reportScoreLag(away.db)).rejects.toThrow();
  expect(await readMetrics()).not.toContain('\nposture_score_lag_changes ');
  await away.close();
});
