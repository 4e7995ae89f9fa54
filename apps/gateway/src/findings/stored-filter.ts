import { assigneeKey, type OwnerRule, type Sla } from '#libs/domain';
import { storedNames } from '#libs/sealing';
import type { SubjectKeys } from '#libs/subject-keys';
import type { FindingFilterQuery } from './finding.dto.ts';
import type { FindingFilter } from './finding-conditions.ts';

/** Settings that filters depend on. */
export interface SettingsOfFilter {
  sla: Sla | null;
  ownerRules: OwnerRule[];
}

/**
 * A filter in the terms of rows: names as they are stored, and due dates with the instant of the read, in epoch ms.
 * @param inForce settings at that instant
 */
export async function storedFilter(
  keys: Pick<SubjectKeys, 'find'>,
  { assignee, assigned, overdue, dueBefore, sla, plan, ...filter }: FindingFilterQuery,
  { past, now }: { past: number | null; now: number },
  inForce: SettingsOfFilter,
): Promise<FindingFilter> {
  // Two names of one condition: findings of another state are not overdue.
  const isNone = overdue !== undefined && sla !== undefined && sla !== 'overdue';
  const state = overdue === undefined ? sla : 'overdue';
  return {
    ...filter,
    ...((assignee ?? assigned) !== undefined && {
      assignee: {
        ...(assignee !== undefined && { keys: await assigneesOf(keys, assignee) }),
        ...(assigned !== undefined && { isAssigned: assigned === 'true' }),
        rules: inForce.ownerRules,
      },
    }),
    ...(isNone && { state: [] }),
    ...((state ?? dueBefore) !== undefined && {
      due: { before: dueBefore, state, at: past ?? now, sla: inForce.sla },
    }),
    ...(plan !== undefined && { planned: { planId: plan, at: past } }),
  };
}

async function assigneesOf(keys: Pick<SubjectKeys, 'find'>, name: string): Promise<string[]> {
  const users = (await storedNames(keys, name)).map((user) => assigneeKey({ user }));
  return [...users, assigneeKey({ team: name })];
}
