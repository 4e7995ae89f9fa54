import { expect, it } from '@jest/globals';
import { openDatabase } from '#libs/database';
import { readMetrics } from '#libs/telemetry';
import { testDatabase } from '../../../../test/support/database.ts';
import { tellWebhooks } from './tell-webhooks.ts';

it('tells nothing where the database is away, rather than that nothing is behind or paused', async () => {
  const there = await testDatabase();
  await tellWebhooks(there.db, 2);
  const text = await readMetrics();
  expect(text).toContain('\nposture_webhook_lag_changes 0\n');
  expect(text).toContain('\nposture_webhooks_paused{reason="gap"} 0\n');
  await there.drop();
  const away = openDatabase('postgres://nobody@127.0.0.1:1/nowhere');
  await expect(tellWebhooks(away.db, 2)).rejects.toThrow();
  expect(await readMetrics()).not.toMatch(/\nposture_webhook(_lag_changes |s_paused\{)/);
  await away.close();
});
