import { t } from '@lingui/core/macro';
import classes from '../parts/badges.module.css';
import { PLAN_STATE_NAMES, type Plan } from './plan.ts';

/** The state of a plan, and whether it is overdue. */
export function PlanStateBadge({ plan: { state, overdue } }: { plan: Plan }) {
  return (
    <span className={classes.badge} data-level={overdue ? 'critical' : undefined}>
      {PLAN_STATE_NAMES[state]}
      {overdue && t`, overdue`}
    </span>
  );
}
