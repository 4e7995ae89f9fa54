import type { Kysely } from 'kysely';
import { readHeads } from '#libs/changes';
import type { Schema } from '#libs/database';
import { pausedWebhooks, webhookLagChanges } from '#libs/telemetry';
import { changesBehind, PAUSE_REASONS, webhookRows } from '#libs/webhooks';

/** Sets the metrics of webhooks from the database. @param partitions of the log */
export async function reportWebhooks(db: Kysely<Schema>, partitions: number): Promise<void> {
  webhookLagChanges.remove();
  pausedWebhooks.reset();
  const heads = await readHeads(db, partitions);
  const webhooks = await webhookRows(db).execute();
  const behind = webhooks
    .filter(({ enabled }) => enabled)
    .map(({ position }) => changesBehind(position, heads));
  webhookLagChanges.set(Math.max(0, ...behind));
  for (const reason of PAUSE_REASONS) {
    pausedWebhooks.set({ reason }, webhooks.filter(({ paused }) => paused?.reason === reason).length);
  }
}
