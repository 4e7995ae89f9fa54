import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Assignee, assigneeOf, type OwnerRule } from '#libs/domain';
import { isOwned, ruledRow, sameAsset, withKeys } from '#libs/tables';

/** Filter by who is responsible for a finding: the assignee that a user has chosen, otherwise the owner of its asset. */
export interface AssigneeFilter {
  /** Stored keys of the assignee (`assigneeKey`): the name in the clear and sealed. */
  keys?: readonly string[];
  /** Whether the finding has an assignee. */
  isAssigned?: boolean;
  /** Those of the instant of the read. */
  rules: readonly OwnerRule[];
}

/** SQL by which a reader finds assignees. */
export interface AssigneeColumns {
  /** The key of the assignee that a user has chosen; null if no user has. */
  assignee: RawBuilder<unknown>;
  /** Whether no user has chosen one. */
  isUnassigned: RawBuilder<SqlBool>;
  /** Whether the asset of the finding has one of these owners. */
  isOwned(rules: readonly OwnerRule[], isTheirs: (owner: Assignee) => boolean): RawBuilder<SqlBool>;
}

/** Of a row `f` of findings. */
const STORED_ASSIGNEE: AssigneeColumns = {
  assignee: sql`f.assignee`,
  isUnassigned: sql<SqlBool>`f.assignee is null`,
  isOwned: (rules, isTheirs) => sql<SqlBool>`exists (
    select from assets o
    where o.asset_no = f.asset_no and o.partition = f.partition and ${isOwned(rules, isTheirs, ruledRow('o'))})`,
};

/** For counts: the index of assigned findings shows which ones are not assigned, so that no wide row is read. @param divided `isDivided` of the database */
export const countedAssignee = (divided: boolean): AssigneeColumns => ({
  ...STORED_ASSIGNEE,
  isOwned: (rules, isTheirs) => sql<SqlBool>`exists (
    select from assets o where ${sameAsset(divided)('o', 'f')} and ${isOwned(rules, isTheirs, ruledRow('o'))})`,
  isUnassigned: sql<SqlBool>`
    not exists (select from findings t
      where t.assignee is not null and ${sameAsset(divided)('t', 'f')} and t.finding_no = f.finding_no)`,
});

const NONE: RawBuilder<SqlBool>[] = [sql`false`];

/**
 * The ways in which findings match a filter by assignee, each a list of conditions with its own index; no finding
 * matches two of them. Without such a filter, one way without conditions.
 */
export function assigneeWays(
  { assignee: filter }: { assignee?: AssigneeFilter },
  columns: AssigneeColumns = STORED_ASSIGNEE,
): RawBuilder<SqlBool>[][] {
  if (filter === undefined) return [[]];
  const { keys, isAssigned, rules } = filter;
  if (isAssigned === false) return [keys === undefined ? isOfNobody(rules, columns) : NONE];
  const isChosen =
    keys === undefined
      ? sql<SqlBool>`${columns.assignee} is not null`
      : sql<SqlBool>`${columns.assignee} = any(${[...keys]}::text[])`;
  const isTheirs = keys === undefined ? () => true : withKeys(keys);
  if (!haveOwner(rules, isTheirs)) return [[isChosen]];
  return [[isChosen], [columns.isUnassigned, columns.isOwned(rules, isTheirs)]];
}

const isOfNobody = (rules: readonly OwnerRule[], { isUnassigned, isOwned }: AssigneeColumns) =>
  haveOwner(rules, () => true)
    ? [isUnassigned, sql<SqlBool>`not ${isOwned(rules, () => true)}`]
    : [isUnassigned];

const haveOwner = (rules: readonly OwnerRule[], isTheirs: (owner: Assignee) => boolean): boolean =>
  rules.map(assigneeOf).some((owner) => owner !== null && isTheirs(owner));

/** The ways as one condition, for readers that look at each finding. */
export const anyWay = (ways: RawBuilder<SqlBool>[][]): RawBuilder<SqlBool>[] =>
  ways.some((way) => way.length === 0)
    ? []
    : [
        sql<SqlBool>`(${sql.join(
          ways.map((way) => sql`(${sql.join(way, sql` and `)})`),
          sql` or `,
        )})`,
      ];
