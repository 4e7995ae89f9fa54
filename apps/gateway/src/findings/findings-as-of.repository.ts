import { BadRequestException, Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { instant, isDivided, READ_DATABASE, type Schema } from '#libs/database';
import type { Finding, OwnerRule, RetiredReason } from '#libs/domain';
import {
  belongedToVisible,
  belongsToVisible,
  isOfSamePartition,
  isPageFull,
  isSeenUntil,
  isVisibleSince,
  type RowLimits,
  upToPageBytes,
  type WeighedRow,
} from '#libs/tables';
import { assertHistoryKept } from '../paging/kept-history.ts';
import { eachOf } from '../paging/one-or-more.ts';
import { FINDINGS_AT_ONCE, type PastRead } from '../paging/past-reads.ts';
import { behindCursor, type ListOrder, orderBy, ownOrder, sortKeyText } from '../paging/sort.ts';
import { isChangedBy } from '../uploads/changed-findings.ts';
import { type FindingFilter, selectedStates } from './finding-conditions.ts';
import type { CountedFindings } from './finding-counts.repository.ts';
import type { Grouping } from './finding-groups.dto.ts';
import type { CountedGroup, CountedGroups } from './finding-groups.repository.ts';
import { FINDING_NUMBERS } from './finding-sorts.ts';
import type { FindingRow } from './findings.repository.ts';
import { countedNumbers, withMore } from './group-numbers.ts';
import {
  ASSET_TYPE,
  assetNameAt,
  assetOf,
  conditionsOf,
  GROUP_KEYS,
  joinedStateAt,
  ruleAt,
  SEVERITY_AT,
  STATE,
  TECHNIQUES,
} from './past-finding-sql.ts';
import { isPlanned } from './planned-findings.ts';
import type { FindingNumbers } from './read-history.ts';
import { withOwner } from './ruled.ts';
import { type CountedTechnique, countsOfSets } from './technique-counts.ts';

/** A finding as it stood at an instant. */
export interface PastFindingRow
  extends WeighedRow,
    Pick<FindingRow, 'assetNo' | 'findingNo' | 'assetId' | 'assetName' | 'owner' | 'finding'> {
  /** Why readers saw it as Retired before it was folded; null if it was not. */
  fellDue: RetiredReason | null;
  /**
   * Null if a later signal has updated it: the history does not keep earlier values. Also if the reader does not see the
   * asset at present, so that the null does not reveal such a signal.
   */
  seen: Pick<FindingRow, 'lastSeen' | 'expiresAt' | 'lastSignalAt'> | null;
  /** The sort key, as text; null if the list is sorted only by the numbers. */
  sortKey: string | null;
}

/** An instant, in epoch milliseconds, with the owner rules of that time, and the rows that the reader sees. */
interface Past {
  at: number;
  rules: readonly OwnerRule[];
  visible: RowLimits;
}

interface Selected extends WeighedRow {
  assetNo: number;
  findingNo: number;
  assetId: string;
  assetName: string;
  rule: number | null;
  finding: Finding;
  fellDue: RetiredReason | null;
  isSeen: boolean;
  lastSeen: number;
  expiresAt: number;
  lastSignalAt: number;
  sortKey: string | null;
}

/** A finding that exists today; its state at the instant is still unknown. */
interface Candidate extends FindingNumbers {
  partition: number;
}

/** Of the candidates read at once: few if most will do, up to `FINDINGS_AT_ONCE` if few do. */
const CANDIDATES_GROWTH = 4;

/** In memory, also of techniques; a key has up to 600 characters. */
const GROUPS_AS_OF_MAX = 100_000;

/** Findings as of an instant, in epoch milliseconds, from the history. */
@Injectable()
export class FindingsAsOfRepository {
  constructor(@Inject(READ_DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * As `FindingsRepository.list`; the filters hold of the finding as it stood, and the rules are those of the instant.
   * @throws what `read` throws before each step; so do all methods that take one
   */
  async list(
    filter: FindingFilter,
    rows: RowLimits,
    at: number,
    order: ListOrder,
    limit: number,
    read: PastRead,
    rules: readonly OwnerRule[] = [],
  ): Promise<PastFindingRow[]> {
    const past = { at, rules, visible: rows };
    const found = order.key
      ? await this.rows(await this.sorted(filter, rows, at, order, limit, read), past, [], order, limit)
      : await this.inOwnOrder(filter, past, order, limit, read);
    await this.assertKept(filter, at);
    return found;
  }

  /** The first findings of a sort, in pages of limited size. The history is searched once, before the first page. */
  async *sortedPages(
    filter: FindingFilter,
    rows: RowLimits,
    at: number,
    order: ListOrder,
    limit: number,
    read: PastRead,
    rules: readonly OwnerRule[] = [],
  ): AsyncGenerator<PastFindingRow[]> {
    for (let left = await this.sorted(filter, rows, at, order, limit, read); left.length > 0; ) {
      read.assertAwaited();
      const page = await this.rows(left, { at, rules, visible: rows }, [], order, left.length);
      await this.assertKept(filter, at);
      yield page;
      if (page.length === left.length || !isPageFull(page, left.length)) return;
      const { assetNo, findingNo } = page.at(-1)!;
      left = left.slice(1 + left.findIndex((one) => one.assetNo === assetNo && one.findingNo === findingNo));
    }
  }

  /** Whether a list as of any instant has to check more than `count` findings. */
  async hasMoreThan(filter: FindingFilter, count: number): Promise<boolean> {
    const { rows } = await sql<{ found: number }>`
      select count(*)::int as found from (${this.candidates(filter, null, count + 1, await isDivided(this.db))}) candidates`.execute(
      this.db,
    );
    return rows[0]!.found > count;
  }

  /**
   * Reads current findings in steps, in their order, until the number or the size of the matches fills a page.
   */
  private async inOwnOrder(
    filter: FindingFilter,
    past: Past,
    order: ListOrder,
    limit: number,
    read: PastRead,
  ): Promise<PastFindingRow[]> {
    await this.assertKept(filter, past.at);
    const found: PastFindingRow[] = [];
    let last = numbersBehind(order);
    const divided = await isDivided(this.db);
    for (
      let size = 2 * limit;
      !isPageFull(found, limit);
      size = Math.min(size * CANDIDATES_GROWTH, FINDINGS_AT_ONCE)
    ) {
      await read.step(size);
      const candidates = await this.candidates(filter, last, size, divided).execute();
      read.assertAwaited();
      const before = found.at(-1)?.bytesUpTo ?? 0;
      const rows = await this.rows(
        candidates,
        past,
        conditionsOf(filter, past.visible, past.at),
        order,
        limit - found.length,
      );
      found.push(...rows.map((row) => ({ ...row, bytesUpTo: before + row.bytesUpTo })));
      if (candidates.length < size) break;
      last = numbersOf(candidates.at(-1)!);
    }
    return found;
  }

  /** Goes through all of today's findings, and keeps the first ones of each step for the next. In order. */
  private async sorted(
    filter: FindingFilter,
    rowLimits: RowLimits,
    at: number,
    order: ListOrder,
    limit: number,
    read: PastRead,
  ): Promise<Candidate[]> {
    const divided = await isDivided(this.db);
    const conditions = [...conditionsOf(filter, rowLimits, at), ...behindCursor(order)];
    let first: Candidate[] = [];
    for await (const candidates of this.steps(filter, at, read)) {
      const { rows } = await sql<Candidate>`
        select f.asset_no as "assetNo", f.finding_no as "findingNo", f.partition
        from ${statesAt([...first, ...candidates], at, divided)}
        where ${sql.join(conditions, sql` and `)} ${orderBy(order)} limit ${limit}`.execute(this.db);
      first = rows;
    }
    return first;
  }

  /** As `FindingCountsRepository.count`; goes through today's findings as `list` does. */
  async count(
    filter: FindingFilter,
    rows: RowLimits,
    at: number,
    read: PastRead,
  ): Promise<CountedFindings[]> {
    const counted = new Map<string, CountedFindings>();
    for await (const candidates of this.steps(filter, at, read)) {
      for (const group of await this.groups(candidates, at, conditionsOf(filter, rows, at))) {
        const key = JSON.stringify([group.state, group.type, group.severityLevel, group.assetType]);
        counted.set(key, { ...group, count: group.count + (counted.get(key)?.count ?? 0) });
      }
    }
    return [...counted.values()];
  }

  /**
   * As `TechniqueCountsRepository.count`, of all techniques: ordered likewise.
   * @param max techniques, alone and with sub-techniques
   * @throws BadRequestException if there are more
   */
  async countTechniques(
    filter: FindingFilter,
    rows: RowLimits,
    at: number,
    read: PastRead,
    known: readonly string[],
    max = GROUPS_AS_OF_MAX,
  ): Promise<CountedTechnique[]> {
    const conditions = conditionsOf(filter, rows, at);
    const counted = new Map<string, CountedTechnique>();
    for await (const candidates of this.steps(filter, at, read)) {
      for (const one of await this.techniques(candidates, at, conditions, known, max + 1)) {
        const key = JSON.stringify([one.id, one.withSubtechniques]);
        const before = counted.get(key);
        counted.set(key, before ? sumOfCounts(before, one) : one);
      }
      if (counted.size > max) throw tooMany(`name at most ${max} techniques`);
    }
    return [...counted.values()].sort((a, b) => b.failed - a.failed || (a.id < b.id ? -1 : 1));
  }

  /**
   * As `FindingGroupsRepository.group`; goes through today's findings as `list` does.
   * @throws BadRequestException if there are too many groups to keep them in memory
   */
  async group(
    by: Grouping,
    filter: FindingFilter,
    rows: RowLimits,
    at: number,
    read: PastRead,
    limit: number,
  ): Promise<Omit<CountedGroups, 'grouped'> & { withoutGroup: number }> {
    const states = selectedStates(filter);
    const groups = new Map<string, CountedGroup>();
    let withoutGroup = 0;
    for await (const candidates of this.steps(filter, at, read)) {
      for (const { key, ...group } of await this.groupsOf(by, candidates, at, filter, rows)) {
        if (key === null) withoutGroup += group.findings;
        else {
          const before = groups.get(key);
          groups.set(key, before ? withMore(before, group, states) : { key, ...group });
        }
      }
      if (groups.size > GROUPS_AS_OF_MAX) throw tooMany(`be in at most ${GROUPS_AS_OF_MAX} groups`);
    }
    const first = [...groups.values()].sort(inOrder).slice(0, limit);
    const names = by === 'asset' ? await this.assetNames(first, at) : new Map<string, string>();
    return {
      groups: first.map((group) => ({ ...group, name: names.get(group.key) ?? group.name })),
      totalGroups: groups.size,
      withoutGroup,
    };
  }

  /**
   * Undefined if there was none yet, or its asset was none of `rows`.
   * @throws GoneException if its state at the instant is not known any more
   */
  async find(
    id: string,
    at: number,
    rowLimits: RowLimits,
    rules: readonly OwnerRule[] = [],
  ): Promise<PastFindingRow | undefined> {
    const byId = this.candidateRows().select('f.type').where('f.id', '=', id);
    const candidate = await byId.executeTakeFirst();
    if (!candidate) return undefined;
    const [row] = await this.rows(
      [candidate],
      { at, rules, visible: rowLimits },
      belongedToVisible(rowLimits, 'f', instant(at)),
      ownOrder(FINDING_NUMBERS, null),
      1,
    );
    // Without a row, it may have come later, while its asset was hidden: a 410 would reveal that it exists.
    const since = isVisibleSince(rowLimits, (alias) => isOfSamePartition(alias, 'f'), instant(at));
    if (row || (await byId.where(sql.join<SqlBool>([sql`true`, ...since], sql` and `)).executeTakeFirst())) {
      await assertHistoryKept(this.db, at, [candidate.type]);
    }
    return row;
  }

  private assertKept({ type }: Pick<FindingFilter, 'type'>, at: number): Promise<void> {
    return assertHistoryKept(this.db, at, type === undefined ? undefined : eachOf(type));
  }

  /** All candidates, `FINDINGS_AT_ONCE` at a time. The history can be trimmed while they are read. */
  private async *steps(filter: FindingFilter, at: number, read: PastRead): AsyncGenerator<Candidate[]> {
    await this.assertKept(filter, at);
    const divided = await isDivided(this.db);
    let last: [number, number] | null = null;
    do {
      await read.step(FINDINGS_AT_ONCE);
      const candidates: Candidate[] = await this.candidates(
        filter,
        last,
        FINDINGS_AT_ONCE,
        divided,
      ).execute();
      read.assertAwaited();
      if (candidates.length > 0) yield candidates;
      last = candidates.length < FINDINGS_AT_ONCE ? null : numbersOf(candidates.at(-1)!);
    } while (last !== null);
    await this.assertKept(filter, at);
  }

  /** By what does not change before or after the instant: type, asset, upload, and the plan as it was. */
  private candidates(
    { type, assetId, planned, changed }: FindingFilter,
    after: [number, number] | null,
    limit: number,
    divided: boolean,
  ) {
    return this.candidateRows()
      .$if(type !== undefined, (query) => query.where('f.type', 'in', eachOf(type!)))
      .$if(assetId !== undefined, (query) =>
        query.where(sql<SqlBool>`f.asset_no = (select asset_no from assets where id = ${assetId})`),
      )
      .$if(planned !== undefined, (query) => query.where(isPlanned(planned!)))
      .$if(changed !== undefined, (query) => query.where(isChangedBy(changed!, divided)))
      .$if(after !== null, (query) =>
        query.where(
          sql<SqlBool>`(f.asset_no, f.finding_no) > (${after?.[0]}::bigint, ${after?.[1]}::bigint)`,
        ),
      )
      .orderBy('f.asset_no')
      .orderBy('f.finding_no')
      .limit(limit);
  }

  private candidateRows() {
    return this.db
      .selectFrom('findings as f')
      .select(['f.asset_no as assetNo', 'f.finding_no as findingNo', 'f.partition']);
  }

  private async rows(
    candidates: Candidate[],
    { at, rules, visible }: Past,
    conditions: RawBuilder<SqlBool>[],
    order: ListOrder,
    limit: number,
  ): Promise<PastFindingRow[]> {
    if (candidates.length === 0) return [];
    const isSeen = sql.join([isSeenUntil(at), ...belongsToVisible(visible, 'f')], sql` and `);
    const wide = sql`
      select row_number() over (${orderBy(order)}) as place,
             f.asset_no as "assetNo", f.finding_no as "findingNo", h.body as finding, s.fell_due as "fellDue",
             ${isSeen} as "isSeen", s.last_seen as "lastSeen", s.expires_at as "expiresAt",
             s.stamp_at as "lastSignalAt",
             (select a.id from assets a where ${isOfSamePartition('a', 'f')}) as "assetId",
             ${assetNameAt(at)} as "assetName", ${sortKeyText(order)} as "sortKey", ${ruleAt(rules, at)} as rule
      from ${statesAt(candidates, at, await isDivided(this.db))}
      where ${sql.join([sql`true`, ...conditions], sql` and `)}
      ${orderBy(order)} limit ${limit}`;
    const { rows } = await upToPageBytes<Selected>(wide).execute(this.db);
    return rows.map(({ isSeen, lastSeen, expiresAt, lastSignalAt, ...row }) => ({
      ...withOwner<Omit<PastFindingRow, 'seen'>>(row, rules),
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
      select ${STATE} as state, h.body ->> 'type' as type, severity_level(${SEVERITY_AT}) as "severityLevel",
             ${ASSET_TYPE} as "assetType", count(*)::int as count
      from ${statesAt(candidates, at, await isDivided(this.db))}
      cross join lateral ${assetOf(at)} a
      where ${sql.join(conditions, sql` and `)}
      group by 1, 2, 3, 4`.execute(this.db);
    return rows;
  }

  private async techniques(
    candidates: Candidate[],
    at: number,
    conditions: RawBuilder<SqlBool>[],
    known: readonly string[],
    limit: number,
  ): Promise<CountedTechnique[]> {
    const sets = sql`
      select state, type, techniques, count(*) as findings
      from (
        select ${STATE} as state, h.body ->> 'type' as type, ${TECHNIQUES} as techniques
        from ${statesAt(candidates, at, await isDivided(this.db))}
        where ${sql.join(conditions, sql` and `)}
      ) named
      where techniques is not null
      group by 1, 2, 3`;
    const { rows } = await sql<CountedTechnique>`${countsOfSets(sets, known)} limit ${limit}`.execute(
      this.db,
    );
    return rows;
  }

  /** Those of a step, and of the findings that are in none, whose key is null. */
  private async groupsOf(
    by: Grouping,
    candidates: Candidate[],
    at: number,
    filter: FindingFilter,
    rowLimits: RowLimits,
  ): Promise<(Omit<CountedGroup, 'key'> & { key: string | null })[]> {
    const only = by === 'cve' || by === 'technique' ? filter[by] : undefined;
    const { rows } = await sql<Omit<CountedGroup, 'key'> & { key: string | null }>`
      with named as materialized (
        select ${GROUP_KEYS[by]} as keys, ${by === 'title' ? sql`h.body ->> 'name'` : sql`null::text`} as name,
               ${STATE} as state, ${SEVERITY_AT} as severity
        from ${statesAt(candidates, at, await isDivided(this.db))}
        where ${sql.join(conditionsOf(filter, rowLimits, at), sql` and `)}
      )
      select key, min(n.name) as name, ${countedNumbers(selectedStates(filter), sql`n.state`, sql`n.severity`)}
      from named n left join lateral unnest(n.keys) key on true
      where ${only === undefined ? sql`true` : sql`key = ${only}`}
      group by 1`.execute(this.db);
    return rows;
  }

  /** Of assets at an instant, by id. */
  private async assetNames(groups: readonly CountedGroup[], at: number): Promise<Map<string, string>> {
    const { rows } = await sql<{ id: string; name: string }>`
      select f.id, ${assetNameAt(at)} as name from assets f
      where f.id = any(${groups.map(({ key }) => key)}::uuid[])`.execute(this.db);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

/** Groups with most findings first, as `FindingGroupsRepository.group` has them. */
const inOrder = (a: CountedGroup, b: CountedGroup): number =>
  b.findings - a.findings ||
  b.severityMax - a.severityMax ||
  Buffer.compare(Buffer.from(a.key), Buffer.from(b.key));

const tooMany = (atMost: string) =>
  new BadRequestException(`asOf: findings of an instant can ${atMost}: filter, or omit asOf`);

const sumOfCounts = (a: CountedTechnique, b: CountedTechnique): CountedTechnique => ({
  id: a.id,
  withSubtechniques: a.withSubtechniques,
  failed: a.failed + b.failed,
  accepted: a.accepted + b.accepted,
  qualified: a.qualified + b.qualified,
  notAssessed: a.notAssessed + b.notAssessed,
  detections: a.detections + b.detections,
  controlsPassed: a.controlsPassed + b.controlsPassed,
  controlsFailed: a.controlsFailed + b.controlsFailed,
});

const numbersOf = ({ assetNo, findingNo }: FindingNumbers): [number, number] => [assetNo, findingNo];

const numbersBehind = ({ after }: ListOrder): [number, number] | null =>
  after && [after.numbers[0]!, after.numbers[1]!];

/** The candidates `f` with their states; on a divided database each machine reads those of its partitions. */
function statesAt(candidates: Candidate[], at: number, divided: boolean): RawBuilder<unknown> {
  const numbers = sql`
    unnest(
      ${candidates.map(({ assetNo }) => assetNo)}::bigint[],
      ${candidates.map(({ findingNo }) => findingNo)}::int[],
      ${candidates.map(({ partition }) => partition)}::int[]
    )`;
  const rows = divided
    ? sql`(select seen.* from ${numbers} as t (asset_no, finding_no, partition)
           join finding_seen seen using (partition, asset_no, finding_no)) f`
    : sql`${numbers} as f (asset_no, finding_no, partition)`;
  return sql`${rows} ${joinedStateAt(at)}`;
}
