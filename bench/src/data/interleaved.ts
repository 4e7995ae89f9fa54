import type { ScannedMachine } from './machines.ts';
import { take } from './take.ts';

/** Machines that take turns: what many sources send one by one at a time. */
const MACHINES_AT_A_TIME = 250;

/** The signals of machines in turns, so that those that are under way together are of different assets. */
export function* interleaved(machines: Iterator<ScannedMachine>): Generator<Buffer> {
  for (;;) {
    const group = take(machines, MACHINES_AT_A_TIME);
    if (group.length === 0) return;
    const longest = Math.max(...group.map(({ signals }) => signals.length));
    for (let i = 0; i < longest; i++) {
      for (const { signals } of group) {
        const signal = signals[i];
        if (signal) yield signal.content;
      }
    }
  }
}
