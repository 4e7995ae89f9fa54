import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { fullInstant } from './instant.tsx';

type Cause = Pick<Api['CauseShareDto'], 'id' | 'what' | 'at'>;

const NAMES: Record<string, string> = {
  scoringModel: 'Scoring model',
  incidentRates: 'Incident rates',
};

/** Name of a setting that changed scores. */
export const scoreSettingName = (id: string): string => NAMES[id] ?? id;

/** Its change, with the time from which on it is in force. */
export const scoreSettingWords = ({ what, at }: Cause): string =>
  at === undefined ? what : t`${what}, since ${fullInstant(at)}`;

/** Settings that change scores are in this section. */
export const SCORE_SETTINGS_ADDRESS = '/settings/policies';
