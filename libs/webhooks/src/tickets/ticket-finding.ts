import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '#libs/database';
import type { Finding, FindingState, posture2 } from '#libs/domain';
import { hideSealed } from '#libs/sealing';
import { belongsToVisible, type RowLimits } from '#libs/tables';
import { findingFacts } from '#libs/views';

type Facts = ReturnType<typeof findingFacts>;

/** A finding as it is now, for its ticket. Texts that the log seals are "sealed": no erasure reaches a ticket. */
export interface TicketFinding
  extends Pick<
    Facts,
    'id' | 'assetName' | 'type' | 'name' | 'state' | 'retiredReason' | 'severity' | 'cves' | 'tickets'
  > {
  department: string;
  location: string;
  description: string | null;
  remediation: string | null;
  /** The last SSVC decision; null: there is none. */
  decision: posture2.SsvcDecision | null;
  /** Of the asset, as the log has it. */
  entityKey: string;
}

interface Row extends Pick<TicketFinding, 'decision' | 'department' | 'location' | 'entityKey'> {
  assetId: string;
  assetName: string;
  state: FindingState;
  body: Finding;
}

/** Findings by their ids; those that the limits hide now, or that are deleted, are left out. */
export async function readTicketFindings(
  db: Kysely<Schema>,
  ids: readonly string[],
  rows: RowLimits,
): Promise<Map<string, TicketFinding>> {
  const conditions: RawBuilder<SqlBool>[] = [sql`f.id = any(${ids}::uuid[])`, ...belongsToVisible(rows, 'f')];
  const found = await sql<Row>`
    select f.state, f.body, a.id as "assetId", a.name as "assetName", a.department, a.location,
           a.entity_key as "entityKey", case when f.state = 'Failed' then d.decision end as decision
    from findings f join assets a using (partition, asset_no)
    left join finding_decisions d using (partition, asset_no, finding_no)
    where ${sql.join(conditions, sql` and `)}`.execute(db);
  return new Map(found.rows.map((row) => [row.body.id, ticketFinding(row)]));
}

function ticketFinding({ entityKey, ...row }: Row): TicketFinding {
  const { state, body: finding, assetId, assetName, ...rest } = hideSealed(row);
  const facts = findingFacts({ assetId, assetName, finding, state, retiredReason: finding.retiredReason });
  return {
    ...facts,
    ...rest,
    description: finding.description,
    remediation: finding.remediation?.description ?? null,
    entityKey,
  };
}
