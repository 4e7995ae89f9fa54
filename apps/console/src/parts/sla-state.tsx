import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import classes from './badges.module.css';

export type SlaState = NonNullable<Api['FindingItemDto']['sla']>;

export const slaStateNames = (): Record<SlaState, string> => ({
  overdue: t({ message: 'Overdue', context: 'state of a due date' }),
  due: t({ message: 'Due', context: 'state of a due date' }),
  met: t({ message: 'Met', context: 'state of a due date' }),
  missed: t({ message: 'Missed', context: 'state of a due date' }),
});

const meanings = (): Record<SlaState, string> => ({
  overdue: t`Past its due date`,
  due: t`Not past its due date`,
  met: t`Remedied by its due date`,
  missed: t`Remedied after its due date`,
});

/** Whether a finding is remedied in its time. */
export function SlaBadge({ of: state }: { of: SlaState }) {
  return (
    <span className={classes.badge} data-sla={state} title={meanings()[state]}>
      {slaStateNames()[state]}
    </span>
  );
}
