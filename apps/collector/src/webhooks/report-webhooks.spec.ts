import { expect, it } from '@jest/globals';
import { openDatabase } from '#libs/database';
import { readMetrics } from '#libs/telemetry';
import { testDatabase } from '../../../../test/support/database.ts';
import { reportWebhooks } from './report-webhooks.ts';

it('reports no values if the database is unavailable, instead of zero', async () => {
  const there = await testDatabase();
  await reportWebhooks(there.db, 2);
  const text = await readMetrics();
  expect(text).toContain('\nposture_webhook_lag_changes 0\n');
  expect(text).toContain('\nposture_webhooks_paused{reason="gap"} 0\n');
  await there.drop();
  const away = openDatabase('postgres://nobody@127.0.0.1:1/nowhere');
  await expect(reportWebhooks(away.db, 2)).rejects.toThrow();
  expect(await readMetrics()).not.toMatch(/\nposture_webhook(_lag_changes |s_paused\{)/);
  await away.close();
});
