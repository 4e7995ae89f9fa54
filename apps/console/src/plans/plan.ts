import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { number } from '../language/format.ts';

export type Plan = Api['PlanDto'];
export type PlanState = Plan['state'];

export const planStateNames = (): Record<PlanState, string> => ({
  planned: t({ message: 'Planned', context: 'state of a plan' }),
  active: t({ message: 'Active', context: 'state of a plan' }),
  done: t({ message: 'Done', context: 'state of a plan' }),
  cancelled: t({ message: 'Cancelled', context: 'state of a plan' }),
});

/** What users do to come from a state to another one. */
export function stepsFrom(state: PlanState): readonly { to: PlanState; label: string }[] {
  const cancel = { to: 'cancelled', label: t`Cancel plan` } as const;
  switch (state) {
    case 'planned':
      return [{ to: 'active', label: t({ message: 'Start', context: 'button for a plan' }) }, cancel];
    case 'active':
      return [{ to: 'done', label: t`Mark as done` }, cancel];
    case 'done':
    case 'cancelled':
      return [{ to: 'active', label: t({ message: 'Reopen', context: 'button for a plan' }) }];
  }
}

export const sizeOf = ({ open, fixed, accepted }: Api['PlanCountsDto']): number => open + fixed + accepted;

/** The number of findings that need no more work, as `12 of 40 fixed, 3 accepted`. */
export function progressText(findings: Api['PlanCountsDto']): string {
  const [fixed, accepted] = [number(findings.fixed), number(findings.accepted)];
  const size = number(sizeOf(findings));
  return findings.accepted === 0
    ? t`${fixed} of ${size} fixed`
    : t`${fixed} of ${size} fixed, ${accepted} accepted`;
}

export function ownerText({ owner }: Pick<Plan, 'owner'>): string | null {
  if (!owner) return null;
  const { type, name } = owner;
  return type === 'team' ? t`Team ${name}` : name;
}
