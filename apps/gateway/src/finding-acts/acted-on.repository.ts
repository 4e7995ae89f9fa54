import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import type { DecidedOn } from '#libs/domain';
import { TextOpener } from '#libs/sealing';
import { belongsToVisible, type RowLimits } from '#libs/tables';
import { stateAt } from '#libs/views';

/** A finding that an act is on, with what the act is decided on. */
export interface ActedOn {
  id: string;
  name: string;
  assetName: string;
  entityKey: string;
  /** That readers see. */
  version: number;
  /** As the fold has it after what is due, before it folds an act. */
  decidedOn: DecidedOn;
}

interface Row extends Omit<ActedOn, 'decidedOn'>, DecidedOn {
  acceptedUntil: number | null;
  expiresAt: number;
  retainUntil: number;
}

/** The version that the fold compares, for the one that the caller has read. @param seen null: any */
export const versionAtFold = (finding: ActedOn | undefined, seen: number | null): number | null =>
  finding !== undefined && seen === finding.version ? finding.decidedOn.version : seen;

/** Reads what acts are decided on: never the instances, which can be large. */
@Injectable()
export class ActedOnRepository {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly opener: TextOpener,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** By their ids, which are in lower case. Ids without a finding that the caller may see are left out. */
  async byIds(ids: readonly string[], rowLimits: RowLimits): Promise<Map<string, ActedOn>> {
    const conditions = [sql<SqlBool>`f.id = any(${ids}::uuid[])`, ...belongsToVisible(rowLimits, 'f')];
    const { rows } = await sql<Row>`
      select f.id, f.body ->> 'name' as name, a.name as "assetName", a.entity_key as "entityKey",
             f.state, (f.body ->> 'version')::int as version, f.body -> 'heldFailed' as "heldFailed",
             f.body -> 'triage' as triage, (f.body -> 'accepted' ->> 'until')::float8 as "acceptedUntil",
             s.expires_at as "expiresAt", s.retain_until as "retainUntil"
      from findings f
      join finding_seen s using (partition, asset_no, finding_no) join assets a using (partition, asset_no)
      where ${sql.join(conditions, sql` and `)}`.execute(this.db);
    const now = this.clock();
    const opened = await this.opener.value(rows);
    return new Map(opened.map((row) => [row.id, actedOn(row, now)]));
  }
}

function actedOn({ id, name, assetName, entityKey, ...row }: Row, now: number): ActedOn {
  const { version, heldFailed, triage, acceptedUntil, expiresAt, retainUntil } = row;
  const finding = { state: row.state, retiredReason: null };
  const { state } = stateAt({ finding, expiresAt, retainUntil }, now);
  const hasEnded = state === 'AcceptedFailed' && acceptedUntil !== null && acceptedUntil <= now;
  const ended = hasEnded ? { state: 'NotAssessed' as const, version: version + 1 } : { state, version };
  return { id, name, assetName, entityKey, version, decidedOn: { ...ended, heldFailed, triage } };
}
