import { useEffect, useState } from 'react';
import { useAsOf } from '../time/as-of.ts';

const TICK_MS = 15 * 60_000;
export const DAY_MS = 86_400_000;

const lastTick = () => Math.floor(Date.now() / TICK_MS) * TICK_MS;

/**
 * The instant that spans of time are counted back from, in epoch milliseconds: the one that is shown, else the last
 * quarter of an hour, so that the same question is not asked anew with each look.
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
