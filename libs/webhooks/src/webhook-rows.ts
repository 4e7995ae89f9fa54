import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import type { ChangeFilter } from './change-filter.ts';
import type { Answer, Pause, Webhook } from './webhook.ts';

/** Webhooks as returned: their secrets are not read. */
export const webhookRows = (db: Kysely<Schema>) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'version', 'url', 'enabled', 'position', 'departments', 'locations'])
    .select(['created_at as createdAt', 'updated_at as updatedAt'])
    .select(sql<Webhook['topics']>`topics`.as('topics'))
    .select(sql<ChangeFilter>`filter`.as('filter'))
    .select(sql<Webhook['kind']>`kind`.as('kind'))
    .select(sql<Webhook['options']>`options`.as('options'))
    .select(sql<Pause | null>`paused`.as('paused'));

export const deliveryRows = (db: Kysely<Schema>) =>
  db
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id as webhookId', 'status', 'from_position as from', 'to_position as to'])
    .select(['changes', 'bytes', 'attempts', 'created_at as createdAt', 'finished_at as finishedAt'])
    .select(['first_attempt_at as firstAttemptAt', 'last_attempt_at as lastAttemptAt'])
    .select('next_attempt_at as nextAttemptAt')
    .select(sql<Answer | null>`answer`.as('answer'));
