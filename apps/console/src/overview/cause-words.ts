import type { Api } from '../api/client.ts';
import { STATE_NAMES } from '../parts/state.tsx';

type Cause = Api['CauseShareDto'];

const NOT_THERE = 'not there';

/** What becoming this means, by what it was before. */
const BECAME: Record<string, (from: string) => string> = {
  Failed: (from) =>
    ({
      [NOT_THERE]: 'New finding',
      Retired: 'Came back',
      AcceptedFailed: 'No longer accepted',
      Qualified: 'Failed again',
    })[from] ?? 'Failed',
  Qualified: () => 'Fixed',
  AcceptedFailed: () => 'Risk accepted',
  Retired: () => 'Retired',
  NotAssessed: () => 'No longer assessed',
  [NOT_THERE]: () => 'Not there any more',
};

/** Why the score moved, as one would say it. */
export function causeWords({ kind, what }: Pick<Cause, 'kind' | 'what'>): string {
  if (kind === 'catalogue') return `Catalogue: ${what}`;
  if (kind === 'asset') return assetWords(what);
  const [from, to] = what.split(' → ');
  const words = to === undefined ? undefined : BECAME[to]?.(from!);
  return words ?? capital(named(what));
}

const assetWords = (what: string): string =>
  ({ 'the asset is new here': 'New asset', 'the asset is not here any more': 'Asset gone' })[what] ??
  capital(what);

const named = (what: string): string =>
  Object.entries(STATE_NAMES).reduce((text, [state, name]) => text.replaceAll(state, name), what);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const CVE = /^CVE-/;

/** Where the cause can be looked at; a thing that is gone, as it was before. */
export function causeAddress(cause: Cause, before: string): string {
  const { kind, id, assetId, what } = cause;
  if (assetId === null) return `/findings?${CVE.test(id) ? 'cve' : 'technique'}=${encodeURIComponent(id)}`;
  if (id !== assetId) return `/findings/${id}`;
  return kind === 'asset' && what === 'the asset is not here any more'
    ? `/assets/${id}?asOf=${encodeURIComponent(before)}`
    : `/assets/${id}`;
}
