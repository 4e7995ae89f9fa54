import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { DATABASE, instant, isPageFull, type Schema, upToPageBytes, type WeighedRow } from '#libs/database';
import type { Finding, RetiredReason } from '#libs/domain';
import { changeAt, fellDueAt, isSeenUntil, LAST_SEEN } from '#libs/projection';
import { escapeLike } from '../paging/escape-like.ts';
import { eachOf } from '../paging/one-or-more.ts';
import { searchQuery } from '../paging/search-query.ts';
import { type FindingFilter, wantedStates } from './finding-conditions.ts';
import { type CountedFindings, severityLevel } from './finding-counts.repository.ts';
import type { FindingRow } from './findings.repository.ts';
import type { FindingNumbers } from './read-history.ts';

/** A finding as it stood at an instant. */
export interface PastFindingRow
  extends WeighedRow,
    Pick<FindingRow, 'assetNo' | 'findingNo' | 'assetId' | 'assetName' | 'finding'> {
  /** Why it was Retired to readers before the fold had heard of it; null where it was not. */
  fellDue: RetiredReason | null;
  /** Null where a later signal has moved it: the history does not keep what it was. */
  seen: Pick<FindingRow, 'lastSeen' | 'expiresAt' | 'lastSignalAt'> | null;
}

interface Selected extends WeighedRow {
  assetNo: number;
  findingNo: number;
  assetId: string;
  assetName: string;
  finding: Finding;
  fellDue: RetiredReason | null;
  isSeen: boolean;
  lastSeen: number;
  expiresAt: number;
  lastSignalAt: number;
}

/** A finding that there is today; whether and how there was one at the instant is to be seen. */
interface Candidate extends FindingNumbers {
  partition: number;
}

/** Candidates read at once: few where most will do, many where few do. */
const CANDIDATES_MAX = 10_000;
const CANDIDATES_GROWTH = 4;

/** Findings as of an instant, in epoch milliseconds, from the history. */
@Injectable()
export class FindingsAsOfRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * As `FindingsRepository.list`; the filters hold of the finding as it stood. It goes through today's findings in
   * their order, so many at a time, until it has found enough, or so large ones that a page is full.
   */
  async list(
    filter: FindingFilter,
    at: number,
    after: [number, number] | null,
    limit: number,
  ): Promise<PastFindingRow[]> {
    const found: PastFindingRow[] = [];
    let last = after;
    for (
      let size = 2 * limit;
      !isPageFull(found, limit);
      size = Math.min(size * CANDIDATES_GROWTH, CANDIDATES_MAX)
    ) {
      const candidates = await this.candidates(filter, last, size);
      const before = found.at(-1)?.bytesUpTo ?? 0;
      const rows = await this.rows(candidates, at, conditionsOf(filter), limit - found.length);
      found.push(...rows.map((row) => ({ ...row, bytesUpTo: before + row.bytesUpTo })));
      if (candidates.length < size) break;
      const { assetNo, findingNo } = candidates.at(-1)!;
      last = [assetNo, findingNo];
    }
    return found;
  }

  /** As `FindingCountsRepository.count`; goes through today's findings as `list` does. */
  async count(filter: FindingFilter, at: number): Promise<CountedFindings[]> {
    const counted = new Map<string, CountedFindings>();
    let candidates: Candidate[] = [];
    do {
      const last = candidates.at(-1);
      candidates = await this.candidates(
        filter,
        last ? [last.assetNo, last.findingNo] : null,
        CANDIDATES_MAX,
      );
      for (const group of await this.groups(candidates, at, conditionsOf(filter))) {
        const key = JSON.stringify([group.state, group.type, group.severityLevel, group.assetType]);
        counted.set(key, { ...group, count: group.count + (counted.get(key)?.count ?? 0) });
      }
    } while (candidates.length === CANDIDATES_MAX);
    return [...counted.values()];
  }

  /** Undefined where there was none yet. */
  async find(id: string, at: number): Promise<PastFindingRow | undefined> {
    const candidate = await this.candidateRows().where('f.id', '=', id).executeTakeFirst();
    const [row] = candidate ? await this.rows([candidate], at, [], 1) : [];
    return row;
  }

  /** By what never changes: type and asset. */
  private candidates(
    { type, assetId }: FindingFilter,
    after: [number, number] | null,
    limit: number,
  ): Promise<Candidate[]> {
    return this.candidateRows()
      .$if(type !== undefined, (query) => query.where('f.type', 'in', eachOf(type!)))
      .$if(assetId !== undefined, (query) =>
        query.where(sql<SqlBool>`f.asset_no = (select asset_no from assets where id = ${assetId})`),
      )
      .$if(after !== null, (query) =>
        query.where(
          sql<SqlBool>`(f.asset_no, f.finding_no) > (${after?.[0]}::bigint, ${after?.[1]}::bigint)`,
        ),
      )
      .orderBy('f.asset_no')
      .orderBy('f.finding_no')
      .limit(limit)
      .execute();
  }

  private candidateRows() {
    return this.db
      .selectFrom('findings as f')
      .select(['f.asset_no as assetNo', 'f.finding_no as findingNo', 'f.partition']);
  }

  private async rows(
    candidates: Candidate[],
    at: number,
    conditions: RawBuilder<SqlBool>[],
    limit: number,
  ): Promise<PastFindingRow[]> {
    if (candidates.length === 0) return [];
    const wide = sql`
      select row_number() over (order by f.asset_no, f.finding_no) as place,
             f.asset_no as "assetNo", f.finding_no as "findingNo", h.body as finding, due.reason as "fellDue",
             ${isSeenUntil(at)} as "isSeen", s.last_seen as "lastSeen", s.expires_at as "expiresAt",
             s.stamp_at as "lastSignalAt",
             (select id from assets a where a.asset_no = f.asset_no) as "assetId",
             (select ah.state ->> 'name' from asset_history ah
               where ah.asset_no = f.asset_no and ah.partition = f.partition and ah.at <= ${instant(at)}
               order by ah.sequence desc limit 1) as "assetName"
      from ${statesAt(candidates, at)}
      where ${sql.join([sql`true`, ...conditions], sql` and `)}
      order by f.asset_no, f.finding_no limit ${limit}`;
    const { rows } = await upToPageBytes<Selected>(wide).execute(this.db);
    return rows.map(({ isSeen, lastSeen, expiresAt, lastSignalAt, ...row }) => ({
      ...row,
      seen: isSeen ? { lastSeen, expiresAt, lastSignalAt } : null,
    }));
  }

  private async groups(
    candidates: Candidate[],
    at: number,
    conditions: RawBuilder<SqlBool>[],
  ): Promise<CountedFindings[]> {
    if (candidates.length === 0) return [];
    const { rows } = await sql<CountedFindings>`
      select ${STATE} as state, h.body ->> 'type' as type, ${severityLevel(SEVERITY)} as "severityLevel",
             ${ASSET_TYPE} as "assetType", count(*)::int as count
      from ${statesAt(candidates, at)}
      cross join lateral (
        select ah.state from asset_history ah
        where ah.asset_no = f.asset_no and ah.partition = f.partition and ah.at <= ${instant(at)}
        order by ah.sequence desc limit 1) a
      where ${sql.join(conditions, sql` and `)}
      group by 1, 2, 3, 4`.execute(this.db);
    return rows;
  }
}

/** Findings as `f`, what signals moved last as `s`, what held at an instant as `h`, and whether that fell due as `due`. */
const statesAt = (candidates: Candidate[], at: number) => sql`
  unnest(
    ${candidates.map(({ assetNo }) => assetNo)}::bigint[],
    ${candidates.map(({ findingNo }) => findingNo)}::int[],
    ${candidates.map(({ partition }) => partition)}::int[]
  ) as f (asset_no, finding_no, partition)
  cross join lateral ${LAST_SEEN} s
  cross join lateral ${changeAt(at)} h
  cross join lateral ${fellDueAt(at)} due`;

const STATE = sql`case when due.reason is null then h.to_state else 'Retired' end`;

const ASSET_TYPE = sql`coalesce(a.state -> 'typing' ->> 'type', a.state -> 'defaults' -> 'typing' ->> 'type')`;

/**
 * What may have changed since, asked of the body in PostgreSQL, in the terms of
 * `libs/domain/src/fold/finding-state.ts`: no body that does not match is sent.
 */
function conditionsOf(filter: FindingFilter): RawBuilder<SqlBool>[] {
  const { severityMin, cve, technique, source, name, q } = filter;
  const conditions = [sql<SqlBool>`${STATE} = any(${wantedStates(filter)}::text[])`];
  if (source !== undefined) conditions.push(sql`h.body -> 'source' ->> 'name' = ${source}`);
  if (name !== undefined) conditions.push(sql`h.body ->> 'name' ilike ${`%${escapeLike(name)}%`}`);
  if (cve !== undefined) conditions.push(isInInstance('cves', cve));
  if (technique !== undefined) conditions.push(isInInstance('techniques', technique));
  if (severityMin !== undefined) conditions.push(sql`${SEVERITY} >= ${Math.fround(severityMin)}::real`);
  if (q !== undefined) {
    conditions.push(sql`searched_words(finding_text(h.body ->> 'name', h.body)) @@ ${searchQuery(q)}`);
  }
  return conditions;
}

const isInInstance = (list: 'cves' | 'techniques', item: string) => sql<SqlBool>`
  exists (select from json_array_elements(h.body -> 'instances') i, json_array_elements_text(i -> ${list}) item
           where item = ${item})`;

/** Of the worst failing instance; of the worst of all where none fails. */
const WORST = sql`
  select coalesce(max(value) filter (where is_failing), max(value)) as value
    from (select (i -> 'severity' ->> 'value')::float8 as value,
                 i ->> 'status' = 'fail' and (i ->> 'counted')::boolean as is_failing
            from json_array_elements(h.body -> 'instances') i) instances`;

/** As in the column of findings. PostgreSQL refuses to round what is not 0 to 0, as it would up to this power of 2. */
const SEVERITY = sql`
  (select case when value <= power(2::float8, -150) then 0 else value::real end from (${WORST}) worst)`;
