import type { Random } from '../../../apps/cli/src/demo/random.ts';
import type { ScannedMachine, ScannedSignal } from './machines.ts';

/** The next scan of machines. */
export interface Rescan {
  machines: ScannedMachine[];
  signals: number;
  /** Findings that are otherwise than before: fixed, or there again. */
  changed: number;
}

const CHANGED = 0.1;

/**
 * What a scanner sends the next time: every signal with a new id and time, nine in ten otherwise as before.
 * @param seenAt epoch ms
 */
export function rescan(machines: ScannedMachine[], random: Random, seenAt: number): Rescan {
  let signals = 0;
  let changed = 0;
  const again = ({ entryName, content }: ScannedSignal): ScannedSignal => {
    const signal = JSON.parse(content.toString());
    signal.id = random.uuid();
    signal.lastSeen = new Date(seenAt).toISOString();
    signals++;
    if (random.chance(CHANGED)) {
      const { status } = signal.securityContext;
      status.complianceStatus = status.complianceStatus === 'fail' ? 'pass' : 'fail';
      changed++;
    }
    return { entryName, content: Buffer.from(JSON.stringify(signal)) };
  };
  const scanned = machines.map((machine) => ({ ...machine, signals: machine.signals.map(again) }));
  return { machines: scanned, signals, changed };
}

/** Whole machines in so many slices of about the same size, fewer where there are fewer machines. */
export function* slices<T>(machines: readonly T[], count: number): Generator<T[]> {
  const many = Math.min(count, machines.length);
  for (let i = 0; i < many; i++) {
    yield machines.slice(
      Math.floor((i * machines.length) / many),
      Math.floor(((i + 1) * machines.length) / many),
    );
  }
}
