import { assigneeKey } from '#libs/domain';
import { storedNames } from '#libs/sealing';
import type { SubjectKeys } from '#libs/subject-keys';
import type { FindingFilterQuery } from './finding.dto.ts';
import type { FindingFilter } from './finding-conditions.ts';

/** A filter in the terms of rows: names as they are stored, and the instant of the read. */
export async function storedFilter(
  keys: Pick<SubjectKeys, 'find'>,
  { assignee, overdue, ...filter }: FindingFilterQuery,
  at: number,
): Promise<FindingFilter> {
  return {
    ...filter,
    ...(assignee !== undefined && { assignees: await assigneesOf(keys, assignee) }),
    ...(overdue !== undefined && { overdueAt: at }),
  };
}

async function assigneesOf(keys: Pick<SubjectKeys, 'find'>, name: string): Promise<string[]> {
  const users = (await storedNames(keys, name)).map((user) => assigneeKey({ user }));
  return [...users, assigneeKey({ team: name })];
}
