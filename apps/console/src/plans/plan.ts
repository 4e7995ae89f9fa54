import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';

export type Plan = Api['PlanDto'];
export type PlanState = Plan['state'];

export const PLAN_STATE_NAMES: Record<PlanState, string> = {
  planned: 'Planned',
  active: 'Active',
  done: 'Done',
  cancelled: 'Cancelled',
};

/** What users do to come from a state to another one. */
export const STEPS: Record<PlanState, readonly { to: PlanState; label: string }[]> = {
  planned: [
    { to: 'active', label: 'Start' },
    { to: 'cancelled', label: 'Cancel plan' },
  ],
  active: [
    { to: 'done', label: 'Mark as done' },
    { to: 'cancelled', label: 'Cancel plan' },
  ],
  done: [{ to: 'active', label: 'Reopen' }],
  cancelled: [{ to: 'active', label: 'Reopen' }],
};

export const sizeOf = ({ open, fixed, accepted }: Api['PlanCountsDto']): number => open + fixed + accepted;

/** The number of findings that need no more work, as `12 of 40 fixed, 3 accepted`. */
export function progressText(findings: Api['PlanCountsDto']): string {
  const fixed = t`${findings.fixed.toLocaleString()} of ${sizeOf(findings).toLocaleString()} fixed`;
  return findings.accepted === 0 ? fixed : t`${fixed}, ${findings.accepted.toLocaleString()} accepted`;
}

export const ownerText = ({ owner }: Pick<Plan, 'owner'>): string | null =>
  owner && (owner.type === 'team' ? t`Team ${owner.name}` : owner.name);
