import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import classes from './badges.module.css';

export type FindingState = Api['FindingItemDto']['state'];

export const FINDING_STATES: readonly FindingState[] = [
  'Failed',
  'Qualified',
  'NotAssessed',
  'AcceptedFailed',
  'Retired',
];

/** Value of `state` in the address of a list that explains a number of findings. Without states, Retired is missing. */
export const EVERY_STATE = FINDING_STATES.join(',');

export const stateNames = (): Record<FindingState, string> => ({
  Failed: t({ message: 'Failed', context: 'state of a finding' }),
  Qualified: t({ message: 'Qualified', context: 'state of a finding' }),
  NotAssessed: t({ message: 'Not assessed', context: 'state of a finding' }),
  AcceptedFailed: t({ message: 'Accepted', context: 'state of a finding' }),
  Retired: t({ message: 'Retired', context: 'state of a finding' }),
});

/** Replaces state identifiers of the API with their labels. */
export const withStateNames = (text: string): string =>
  Object.entries(stateNames()).reduce((named, [state, name]) => named.replaceAll(state, name), text);

export function State({ of: state }: { of: FindingState }) {
  return (
    <span className={classes.badge} data-state={state}>
      {stateNames()[state]}
    </span>
  );
}
