import { createContext, useCallback, useContext, useMemo } from 'react';
import { useAddress } from '../app/use-address.ts';

export interface AsOf {
  /** The displayed time, ISO 8601 in UTC; null: now. */
  asOf: string | null;
  /** Why the time in the address bar is ignored. */
  problem: InstantProblem | null;
  /** To spread into a query of any route that takes `asOf`. */
  query: { asOf?: string };
  /**
   * Displays another time, or the current state (null). Keeps other parameters except for the page. A change between two
   * past times replaces the entry in the browser history, so that `back` leaves the past.
   */
  set: (asOf: string | null) => void;
}

export type InstantProblem = 'malformed' | 'future';

/** Tolerance for clock differences between browser and service. */
const AHEAD_MS_MAX = 300_000;

/** Parsed once from the address, because each link of a long table needs it. */
export const AsOfContext = createContext<AsOf | null>(null);

/** @throws Error outside of the shell, which provides it */
export function useAsOf(): AsOf {
  const asOf = useContext(AsOfContext);
  if (asOf === null) throw new Error('AsOfContext is missing');
  return asOf;
}

/** The time in the address bar, so that links can be shared. */
export function useAddressedInstant(): AsOf {
  const [params, change] = useAddress();
  const given = params.get('asOf');
  const { asOf, problem } = useMemo(() => readAsOf(given, Date.now()), [given]);
  const set = useCallback(
    (instant: string | null) =>
      change(
        (address) => {
          address.delete('cursor');
          if (instant === null) address.delete('asOf');
          else address.set('asOf', instant);
        },
        { replace: given !== null && instant !== null },
      ),
    [change, given],
  );
  return useMemo(() => ({ asOf, problem, query: asOf === null ? {} : { asOf }, set }), [asOf, problem, set]);
}

/** @param given value in the address bar; null if absent */
function readAsOf(given: string | null, now: number): Pick<AsOf, 'asOf' | 'problem'> {
  if (given === null) return { asOf: null, problem: null };
  // Parsers read an unencoded plus sign in a query as a space.
  const at = Date.parse(given.trim().replace(/ (?=\d\d:?\d\d$)/, '+'));
  if (Number.isNaN(at)) return { asOf: null, problem: 'malformed' };
  if (at > now + AHEAD_MS_MAX) return { asOf: null, problem: 'future' };
  return { asOf: new Date(at).toISOString(), problem: null };
}

/** Adds the displayed time to `to`, unless `to` has its own. */
export function withAsOf(to: string, asOf: string | null): string {
  if (asOf === null) return to;
  const [path = '', search = ''] = to.split('?');
  const params = new URLSearchParams(search);
  if (!params.has('asOf')) params.set('asOf', asOf);
  return `${path}?${params}`;
}
