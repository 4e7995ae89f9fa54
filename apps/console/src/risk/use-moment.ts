import { useEffect, useState } from 'react';
import { useAsOf } from '../time/as-of.ts';

const TICK_MS = 15 * 60_000;
export const DAY_MS = 86_400_000;

const lastTick = () => Math.floor(Date.now() / TICK_MS) * TICK_MS;

/**
 * End of time ranges, epoch milliseconds: the displayed time, or the last quarter of an hour, so that repeated
 * renderings send the same request.
 */
export function useMoment(): number {
  const { asOf } = useAsOf();
  const [tick, setTick] = useState(lastTick);
  useEffect(() => {
    const timer = setInterval(() => setTick(lastTick()), TICK_MS / 15);
    return () => clearInterval(timer);
  }, []);
  return asOf === null ? tick : Date.parse(asOf);
}
