import { t } from '@lingui/core/macro';
import classes from '../parts/badges.module.css';
import { type Plan, planStateNames } from './plan.ts';

/** The state of a plan, and whether it is overdue. */
export function PlanStateBadge({ plan: { state, overdue } }: { plan: Plan }) {
  const name = planStateNames()[state];
  return (
    <span className={classes.badge} data-level={overdue ? 'critical' : undefined}>
      {overdue ? t`${name}, overdue` : name}
    </span>
  );
}
