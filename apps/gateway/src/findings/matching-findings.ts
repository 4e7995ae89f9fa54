import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { onOneCore, type Schema } from '#libs/database';
import { type RowLimits, sameAsset } from '#libs/tables';
import { assigneeWays, countedAssignee } from './assignee-ways.ts';
import { type FindingFilter, fallenDue, findingConditions, selectedStates } from './finding-conditions.ts';
import { CHANGES_BEFORE_SEARCH, readFindingTexts } from './finding-texts.ts';

/**
 * For statements with `matchingFindings`. Materialized: where the planner expects few rows, it would look up the times
 * of each finding instead.
 * @param now epoch ms at which expiry is evaluated (R-EXP-6)
 */
export const withFallenDue = (now: number): RawBuilder<unknown> =>
  sql`with fallen_due as materialized ${fallenDue(now)}`;

/** State of a row of `matchingFindings`: findings that the sweep has not retired yet can have expired. */
export const PRESENT_STATE = sql`case when due.asset_no is null then f.state else 'Retired' end`;

/** What has expired is Retired, and has no due date by the SLA. */
const IS_NOT_EXPIRED = sql<SqlBool>`
  (c.asset_no, c.finding_no) not in (select asset_no, finding_no from fallen_due)`;

/**
 * Whether an index has the CVEs and techniques of a finding `f` that has any, so that they are not read from its wide
 * row. Of the few others, it has the numbers.
 */
export const HAS_INDEXED_MAPPINGS = sql<SqlBool>`
  (f.techniques <> '{}' or f.cves <> '{}') and mappings_fit(f.techniques, f.cves)`;
export const HAS_TOO_MANY_MAPPINGS = sql<SqlBool>`
  (f.techniques <> '{}' or f.cves <> '{}') and not mappings_fit(f.techniques, f.cves)`;

interface Selecting {
  /** What is selected of a finding `f`. */
  columns: RawBuilder<unknown>;
  join?: RawBuilder<unknown>;
  conditions?: readonly RawBuilder<SqlBool>[];
  end?: RawBuilder<unknown>;
}

/**
 * Findings `f` that match, for counts: neither the wide rows nor the fields that signals update are read, unless a column
 * or a filter needs them. A union of selections without a finding in common.
 * @param divided `isDivided` of the database
 */
export function matchingFindings(
  filter: FindingFilter,
  rows: RowLimits,
  divided: boolean,
  { columns, join = sql``, conditions = [], end = sql`` }: Selecting,
): RawBuilder<unknown> {
  const states = selectedStates(filter);
  const isStored = sql<SqlBool>`f.state = any(${states}::text[])`;
  const isSelected = states.includes('Retired')
    ? sql<SqlBool>`case when due.asset_no is null or f.state = 'Retired' then ${isStored} else true end`
    : sql<SqlBool>`${isStored} and due.asset_no is null`;
  const isOfSameAsset = sameAsset(divided);
  const ofSla = states.includes('Retired') ? [IS_NOT_EXPIRED] : [];
  const others = [...conditions, ...findingConditions(filter, rows, divided, ofSla)];
  const ways = assigneeWays(filter, countedAssignee(divided)).map(
    (way) => sql`
      select ${columns}
      from findings f
      left join fallen_due due on ${isOfSameAsset('due', 'f')} and due.finding_no = f.finding_no
      ${join}
      where ${sql.join([isSelected, ...way, ...others], sql` and `)}
      ${end}`,
  );
  return sql.join(ways, sql` union all `);
}

/** Counts on one core, without the wide rows; before a search, its texts are read. */
export async function countFindings<T>(
  primary: Kysely<Schema>,
  db: Kysely<Schema>,
  filter: FindingFilter,
  count: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  if (filter.q !== undefined) await readFindingTexts(primary, CHANGES_BEFORE_SEARCH);
  return onOneCore(db, async (trx) => {
    if (hasTimes(filter)) await avoidWideRows(trx);
    return count(trx);
  });
}

const hasTimes = ({ firstSeenAfter, firstSeenBefore, failedAfter }: FindingFilter): boolean =>
  firstSeenAfter !== undefined || firstSeenBefore !== undefined || failedAfter !== undefined;

/**
 * For a filter by an expression on the body, which an index has: the planner thinks that the expression costs nothing and
 * reads the table, where it parses the JSON of each finding (ADR-0139). With enough memory, a bitmap names the matching
 * rows, and none is parsed.
 */
async function avoidWideRows(trx: Transaction<Schema>): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(trx);
  await sql`set local work_mem = '64MB'`.execute(trx);
}
