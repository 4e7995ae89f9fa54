import { type Assignee, assigneeOf, type OwnerRule } from '#libs/domain';

/** A row as it is read: with the place of the rule that gives its asset an owner, from 0. */
export type Ruled<Row extends { owner: Assignee | null }> = Omit<Row, 'owner'> & { rule: number | null };

/** With the owner of its asset. */
export function withOwner<Row extends { owner: Assignee | null }>(
  { rule, ...row }: Ruled<Row>,
  rules: readonly OwnerRule[],
): Row {
  return { ...row, owner: rule === null ? null : assigneeOf(rules[rule]!) } as unknown as Row;
}
