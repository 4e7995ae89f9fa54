import { plural, t } from '@lingui/core/macro';
import { AddToPlan, type Planned } from '../../plans/add-to-plan.tsx';
import type { Target } from './bulk-act.tsx';
import { addressOf, withStates } from './bulk-filter.ts';

/** Adds the selected findings to a plan. */
export const PlanDialog = ({ target, onClose }: { target: Target; onClose: () => void }) => (
  <AddToPlan planned={plannedOf(target)} about={aboutOf(target)} onClose={onClose} />
);

/** Without states, the list also shows findings that are not failed, and the service plans the failed ones. */
function aboutOf(target: Target): string {
  if (target.kind === 'matching' && target.states === undefined) {
    return t`The failed findings that match will be part of the plan.`;
  }
  const count = target.kind === 'chosen' ? target.findings.length : target.total;
  if (count === undefined) return t`The findings that match will be part of the plan.`;
  return plural(count, {
    one: '# finding will be part of the plan.',
    other: '# findings will be part of the plan.',
  });
}

const plannedOf = (target: Target): Planned =>
  target.kind === 'chosen'
    ? { add: target.findings.map(({ id }) => id) }
    : { query: addressOf(withStates(target.filter, target.states)) };
