import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { SCORE_SETTINGS_ADDRESS, scoreSettingName, scoreSettingWords } from '../parts/score-setting.ts';
import { withStateNames } from '../parts/state.tsx';

type Cause = Api['CauseShareDto'];

const NOT_THERE = 'not there';

/** Label of a state change: new state → function of the previous state. */
const BECAME: Record<string, (from: string) => string> = {
  Failed: (from) =>
    ({
      [NOT_THERE]: t`New finding`,
      Retired: t`Returned`,
      AcceptedFailed: t`No longer accepted`,
      Qualified: t`Failed again`,
    })[from] ?? t`Failed`,
  Qualified: () => t`Fixed`,
  AcceptedFailed: () => t`Risk accepted`,
  Retired: () => t`Retired`,
  NotAssessed: () => t`No longer assessed`,
  [NOT_THERE]: () => t`Removed`,
};

/** Name of a cause of a score change. */
export const causeName = ({ kind, id, name, assetName }: Cause): string =>
  kind === 'setting' ? scoreSettingName(id) : (name ?? assetName ?? id);

/** Label for a cause of a score change. */
export function causeWords(cause: Cause): string {
  const { kind, what } = cause;
  if (kind === 'setting') return scoreSettingWords(cause);
  if (kind === 'control') return t`Control: ${what}`;
  if (kind === 'age') return t`Detection: ${what}`;
  if (kind === 'catalogue') return t`Catalogue: ${what}`;
  if (kind === 'asset') return assetWords(what);
  const [from, to] = what.split(' → ');
  const words = to === undefined ? undefined : BECAME[to]?.(from!);
  return words ?? capital(withStateNames(what));
}

const assetWords = (what: string): string =>
  ({ 'the asset is new here': t`New asset`, 'the asset is not here any more': t`Asset removed` })[what] ??
  capital(what);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const CVE = /^CVE-/;

/** Address of the cause. A removed asset is shown as of `before`. */
export function causeAddress(cause: Cause, before: string): string {
  const { kind, id, assetId, what } = cause;
  if (kind === 'setting') return SCORE_SETTINGS_ADDRESS;
  if (assetId === null) return `/findings?${CVE.test(id) ? 'cve' : 'technique'}=${encodeURIComponent(id)}`;
  if (id !== assetId) return `/findings/${id}`;
  return kind === 'asset' && what === 'the asset is not here any more'
    ? `/assets/${id}?asOf=${encodeURIComponent(before)}`
    : `/assets/${id}`;
}
