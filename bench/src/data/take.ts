import type { ScannedMachine } from './scans/machines.ts';

/** The next items, up to `count`. The next call continues after them. */
export function take<T>(items: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const { done, value } = items.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

/** The next complete machines, with at least `findings` findings. The next call continues after them. */
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
