import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { fullInstant } from './instant.tsx';

type Cause = Pick<Api['CauseShareDto'], 'id' | 'what' | 'at'>;

/** Name of a setting that changed scores. */
export function scoreSettingName(id: string): string {
  if (id === 'scoringModel') return t`Scoring model`;
  return id === 'baseRate' ? t`Incident rates` : id;
}

/** Its change, with the time from which on it is in force. */
export function scoreSettingWords({ what, at }: Cause): string {
  if (at === undefined) return what;
  const time = fullInstant(at);
  return t`${what}, since ${time}`;
}

/** Settings that change scores are in this section. */
export const SCORE_SETTINGS_ADDRESS = '/settings/policies';
