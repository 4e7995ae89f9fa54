import type { ScannedMachine } from './machines.ts';

/** The next items, up to so many; what is behind them stays for the next call. */
export function take<T>(items: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const { done, value } = items.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

/** The next machines, whole, with at least so many findings; what is behind them stays for the next call. */
export function* machinesWith(
  machines: Iterator<ScannedMachine>,
  findings: number,
): Generator<ScannedMachine> {
  for (let taken = 0; taken < findings; ) {
    const { done, value } = machines.next();
    if (done) return;
    taken += value.signals.length;
    yield value;
  }
}
