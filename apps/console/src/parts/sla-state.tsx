import type { Api } from '../api/client.ts';
import classes from './badges.module.css';

export type SlaState = NonNullable<Api['FindingItemDto']['sla']>;

export const SLA_STATE_NAMES: Record<SlaState, string> = {
  overdue: 'Overdue',
  due: 'Due',
  met: 'Met',
  missed: 'Missed',
};

const MEANINGS: Record<SlaState, string> = {
  overdue: 'Past its due date',
  due: 'Not past its due date',
  met: 'Remedied by its due date',
  missed: 'Remedied after its due date',
};

/** Whether a finding is remedied in its time. */
export function SlaBadge({ of: state }: { of: SlaState }) {
  return (
    <span className={classes.badge} data-sla={state} title={MEANINGS[state]}>
      {SLA_STATE_NAMES[state]}
    </span>
  );
}
