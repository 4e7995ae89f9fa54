import { expect, it } from '@jest/globals';
import { openDatabase } from '#libs/database';
import { readMetrics } from '#libs/telemetry';
import { testDatabase } from '../../../test/support/database.ts';
import { tellScoreLag } from './score-lag.ts';

it('tells no lag where the database is away, rather than none', async () => {
  const there = await testDatabase();
  await tellScoreLag(there.db);
  expect(await readMetrics()).toContain('\nposture_score_lag_changes 0\n');
  await there.drop();
  const away = openDatabase('postgres://nobody@127.0.0.1:1/nowhere');
  await expect(tellScoreLag(away.db)).rejects.toThrow();
  expect(await readMetrics()).not.toContain('\nposture_score_lag_changes ');
  await away.close();
});
