import type { ScannedMachine } from './scans/machines.ts';
import { take } from './take.ts';

/** Machines whose signals are interleaved, as when many sources send single signals at the same time. */
const MACHINES_AT_A_TIME = 250;

/** The signals of machines, interleaved: signals that are in progress at the same time belong to different assets. */
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
