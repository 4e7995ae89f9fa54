import { isoTime, type PlanSaved } from '#libs/domain';
import type { PlanCounts } from './burn-down.ts';
import type { PlanDto } from './plan.dto.ts';
import type { PlanRow, StoredPlan } from './plans.repository.ts';

/** What a caller may see of a plan besides its visible findings. */
export interface PlanSight {
  /** false: limited to departments or locations. */
  isWhole: boolean;
  /** Whether all of its findings are visible. */
  isChangeable: boolean;
  hasScores: boolean;
}

export function planView(
  { plan, updatedAt }: PlanRow,
  findings: PlanCounts,
  { isWhole, isChangeable, hasScores }: PlanSight,
  at: number,
): PlanDto {
  const { id, name, description, due, state, version, createdAt, startedAt, finishedAt } = plan;
  const isRunning = state === 'planned' || state === 'active';
  return {
    id,
    name,
    description,
    owner: ownerOf(plan),
    due,
    overdue: isRunning && due !== null && Date.parse(due) < at,
    state,
    findings,
    query: isWhole ? plan.query : null,
    promise: isWhole && hasScores ? plan.promise : null,
    changeable: isChangeable,
    version,
    createdAt,
    updatedAt: isoTime(updatedAt),
    startedAt,
    finishedAt,
  };
}

function ownerOf({ ownerUser, ownerTeam }: StoredPlan): PlanDto['owner'] {
  if (ownerUser !== null) return { type: 'user', name: ownerUser };
  return ownerTeam === null ? null : { type: 'team', name: ownerTeam };
}

const timeOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso));

/** The event that would store the plan as it is. Sealed texts stay sealed. */
export const savedPlan = ({ version, ...plan }: StoredPlan): PlanSaved => ({
  ...plan,
  type: 'PlanSaved',
  seenVersion: version,
  due: timeOf(plan.due),
  createdAt: Date.parse(plan.createdAt),
  startedAt: timeOf(plan.startedAt),
  finishedAt: timeOf(plan.finishedAt),
});
