import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { belongsToVisible } from '#libs/tables';
import type { Webhook } from '../webhook.ts';
import { openStates } from './ticket-rule.ts';

/**
 * Findings of assets that the rule of a webhook with SSVC decisions gives a ticket, and that have no open one: in the
 * order of their ids, the first ones after `after`.
 */
export async function findingsWithoutTicket(
  db: Kysely<Schema>,
  { id, filter, ...rows }: Webhook,
  assetIds: readonly string[],
  after: string,
  limit: number,
): Promise<string[]> {
  const { ssvc = [], severityMin = 0, types } = filter;
  const found = await sql<{ id: string }>`
    select f.id
    from assets a join findings f using (partition, asset_no)
    join finding_decisions d using (partition, asset_no, finding_no)
    where a.id = any(${assetIds}::uuid[]) and f.id > ${after}::uuid and d.decision = any(${ssvc}::text[])
      and f.state = 'Failed' and f.state = any(${openStates(filter)}::text[])
      and f.severity_value >= ${Math.fround(severityMin)}::real ${types ? sql`and f.type = any(${types}::text[])` : sql``}
      and ${sql.join([sql`true`, ...belongsToVisible(rows, 'f')], sql` and `)}
      and not exists (select from webhook_tickets t
                      where t.webhook_id = ${id}::uuid and t.finding_id = f.id and t.state = 'open')
    order by f.id limit ${limit}`.execute(db);
  return found.rows.map((row) => row.id);
}

/**
 * Findings with a ticket that the filter of a webhook no longer keeps open, because it has been changed: the first ones
 * in the order of their ids. Those that the limits of the webhook hide keep their tickets.
 */
export async function ticketsOutsideFilter(
  db: Kysely<Schema>,
  { id, filter, ...rows }: Webhook,
  limit: number,
): Promise<string[]> {
  const { types } = filter;
  const found = await sql<{ id: string }>`
    select t.finding_id as id
    from webhook_tickets t join findings f on f.id = t.finding_id
    where t.webhook_id = ${id}::uuid and t.state <> 'closed'
      and (f.state <> all(${openStates(filter)}::text[]) ${types ? sql`or f.type <> all(${types}::text[])` : sql``})
      and ${sql.join([sql`true`, ...belongsToVisible(rows, 'f')], sql` and `)}
    order by t.finding_id limit ${limit}`.execute(db);
  return found.rows.map((row) => row.id);
}
