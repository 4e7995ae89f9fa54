import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import type { Finding } from '#libs/domain';
import type { FindingsQuery } from './finding.dto.ts';
import { type FindingNumbers, type HistoryRow, readHistory } from './read-history.ts';

/** A finding as stored, with what its view needs beside it. */
export interface FindingRow {
  assetNo: number;
  findingNo: number;
  assetId: string;
  assetName: string;
  finding: Finding;
  lastSeen: number;
  expiresAt: number;
  retainUntil: number;
  /** Edge time of the last upload that touched it. */
  lastSignalAt: number;
}

export type FindingFilter = Omit<FindingsQuery, 'limit' | 'cursor' | 'asOf'>;

const instant = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;

/** Active at an instant: what has fallen due is left out before the fold has heard of it (rule 3). */
const isActive = (now: number) =>
  sql<SqlBool>`f.state <> 'Retired' and s.expires_at > ${instant(now)} and s.retain_until > ${instant(now)}`;

@Injectable()
export class FindingsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  async list(
    filter: FindingFilter,
    now: number,
    after: [number, number] | null,
    limit: number,
  ): Promise<FindingRow[]> {
    const { type, state, severityMin, cve, technique, source, name, assetId } = filter;
    const rows = await this.rows()
      .where(state === 'Retired' ? sql<SqlBool>`not (${isActive(now)})` : isActive(now))
      .$if(state !== undefined && state !== 'Retired', (query) => query.where('f.state', '=', state!))
      .$if(type !== undefined, (query) => query.where('f.type', '=', type!))
      .$if(severityMin !== undefined, (query) => query.where('f.severity_value', '>=', severityMin!))
      .$if(cve !== undefined, (query) => query.where(sql<SqlBool>`f.cves @> array[${cve}]`))
      .$if(technique !== undefined, (query) => query.where(sql<SqlBool>`f.techniques @> array[${technique}]`))
      .$if(source !== undefined, (query) => query.where('f.source', '=', source!))
      .$if(name !== undefined, (query) => query.where('f.name', 'ilike', `%${escapeLike(name!)}%`))
      .$if(assetId !== undefined, (query) => query.where('a.id', '=', assetId!))
      .$if(after !== null, (query) =>
        query.where(sql<SqlBool>`(f.asset_no, f.finding_no) > (${after?.[0]}, ${after?.[1]})`),
      )
      .orderBy('f.asset_no')
      .orderBy('f.finding_no')
      .limit(limit)
      .execute();
    return rows.map(findingRow);
  }

  async find(id: string): Promise<FindingRow | undefined> {
    const row = await this.rows().where('f.id', '=', id).executeTakeFirst();
    return row && findingRow(row);
  }

  /** Oldest first; `after` is the last sequence of the page before. */
  history(finding: FindingNumbers, after: number, limit: number): Promise<HistoryRow[]> {
    return readHistory(this.db, finding, after, limit);
  }

  private rows() {
    return this.db
      .selectFrom('findings as f')
      .innerJoin('finding_seen as s', (join) =>
        join.onRef('s.asset_no', '=', 'f.asset_no').onRef('s.finding_no', '=', 'f.finding_no'),
      )
      .innerJoin('assets as a', 'a.asset_no', 'f.asset_no')
      .select([
        'f.asset_no',
        'f.finding_no',
        'f.body',
        'a.id as asset_id',
        'a.name as asset_name',
        's.last_seen',
        's.expires_at',
        's.retain_until',
        's.stamp_at',
      ]);
  }
}

export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

type Selected = Awaited<ReturnType<ReturnType<FindingsRepository['rows']>['executeTakeFirstOrThrow']>>;

const findingRow = (row: Selected): FindingRow => ({
  assetNo: row.asset_no,
  findingNo: row.finding_no,
  assetId: row.asset_id,
  assetName: row.asset_name,
  finding: row.body as Finding,
  lastSeen: row.last_seen,
  expiresAt: row.expires_at,
  retainUntil: row.retain_until,
  lastSignalAt: row.stamp_at,
});
