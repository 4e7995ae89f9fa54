import type { Api } from '../api/client.ts';
import classes from './badges.module.css';

export type FindingState = Api['FindingItemDto']['state'];

export const STATE_NAMES: Record<FindingState, string> = {
  Failed: 'Failed',
  Qualified: 'Qualified',
  NotAssessed: 'Not assessed',
  AcceptedFailed: 'Accepted',
  Retired: 'Retired',
};

export function State({ of: state }: { of: FindingState }) {
  return (
    <span className={classes.badge} data-state={state}>
      {STATE_NAMES[state]}
    </span>
  );
}
