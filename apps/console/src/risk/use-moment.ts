import { useAsOf } from '../time/as-of.ts';
import { useTick } from '../time/use-tick.ts';

const TICK_MS = 15 * 60_000;
export const DAY_MS = 86_400_000;

/**
 * End of time ranges, epoch milliseconds: the displayed time, or the last quarter of an hour, so that repeated
 * renderings send the same request.
 */
export function useMoment(): number {
  const { asOf } = useAsOf();
  const tick = useTick(TICK_MS);
  return asOf === null ? tick : Date.parse(asOf);
}
