import { createContext, useCallback, useContext, useMemo } from 'react';
import { useAddress } from '../app/use-address.ts';

export interface AsOf {
  /** The instant that the console shows, ISO 8601 in UTC; null: now. */
  asOf: string | null;
  /** Why the address bar's instant is not shown, but the present instead. */
  problem: InstantProblem | null;
  /** To spread into a query of any route that takes `asOf`. */
  query: { asOf?: string };
  /**
   * Shows another instant, null the present; what else the address says stays, but pages start anew. From one past
   * instant to the next it replaces the step in the browser's history, so that `back` leads out of the past.
   */
  set: (asOf: string | null) => void;
}

export type InstantProblem = 'malformed' | 'future';

/** Clocks differ: what lies a little ahead by this browser's clock may be past by the service's. */
const AHEAD_MS_MAX = 300_000;

/** Read from the address once for all that shows it: each link of a long table asks for it. */
export const AsOfContext = createContext<AsOf | null>(null);

/** @throws Error outside of the shell, which provides it */
export function useAsOf(): AsOf {
  const asOf = useContext(AsOfContext);
  if (asOf === null) throw new Error('no instant is provided here');
  return asOf;
}

/** The instant is in the address bar, so that a link shows what its sender saw. */
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

/** @param given as the address bar has it; null where it says nothing */
export function readAsOf(given: string | null, now: number): Pick<AsOf, 'asOf' | 'problem'> {
  if (given === null) return { asOf: null, problem: null };
  // An unencoded plus sign of a query is a space to every parser.
  const at = Date.parse(given.trim().replace(/ (?=\d\d:?\d\d$)/, '+'));
  if (Number.isNaN(at)) return { asOf: null, problem: 'malformed' };
  if (at > now + AHEAD_MS_MAX) return { asOf: null, problem: 'future' };
  return { asOf: new Date(at).toISOString(), problem: null };
}

/** `to` with the instant of the page it stands on, unless it names one itself. */
export function withAsOf(to: string, asOf: string | null): string {
  if (asOf === null) return to;
  const [path = '', search = ''] = to.split('?');
  const params = new URLSearchParams(search);
  if (!params.has('asOf')) params.set('asOf', asOf);
  return `${path}?${params}`;
}
