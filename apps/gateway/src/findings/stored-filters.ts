import { Injectable } from '@nestjs/common';
import { assigneeKey, type OwnerRule, type Sla } from '#libs/domain';
import { storedNames } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import type { RowLimits } from '#libs/tables';
import { ChangedFindingsOfUploads } from '../uploads/changed-findings.service.ts';
import type { FindingFilterQuery } from './finding.dto.ts';
import type { FindingFilter } from './finding-conditions.ts';

/** Settings that filters depend on. */
export interface SettingsOfFilter {
  sla: Sla | null;
  ownerRules: OwnerRule[];
}

@Injectable()
export class StoredFilters {
  constructor(
    private readonly keys: SubjectKeys,
    private readonly changed: ChangedFindingsOfUploads,
  ) {}

  /**
   * A filter in the terms of rows: names as they are stored, due dates with the instant of the read, in epoch ms, and
   * where the changes of an upload are.
   * @param inForce settings at that instant
   * @throws BadRequestException, GoneException if the findings of an upload are not known
   */
  async of(
    { assignee, assigned, dueBefore, sla, plan, upload, ...filter }: FindingFilterQuery,
    rowLimits: RowLimits,
    { past, now }: { past: number | null; now: number },
    inForce: SettingsOfFilter,
  ): Promise<FindingFilter> {
    return {
      ...filter,
      ...((assignee ?? assigned) !== undefined && {
        assignee: {
          ...(assignee !== undefined && { keys: await this.assigneesOf(assignee) }),
          ...(assigned !== undefined && { isAssigned: assigned === 'true' }),
          rules: inForce.ownerRules,
        },
      }),
      ...((sla ?? dueBefore) !== undefined && {
        due: { before: dueBefore, state: sla, at: past ?? now, sla: inForce.sla },
      }),
      ...(plan !== undefined && { planned: { planId: plan, at: past } }),
      ...(upload !== undefined && { changed: await this.changed.of(upload, rowLimits, past) }),
    };
  }

  private async assigneesOf(name: string): Promise<string[]> {
    const users = (await storedNames(this.keys, name)).map((user) => assigneeKey({ user }));
    return [...users, assigneeKey({ team: name })];
  }
}
