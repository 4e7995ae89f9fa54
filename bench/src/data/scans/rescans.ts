import { isoTime } from '#libs/domain';
import type { Random, SampleSignal } from '#libs/sample-data';
import type { ScannedMachine } from './machines.ts';

/** The next scan of machines. */
export interface Rescan {
  machines: ScannedMachine[];
  signals: number;
  /** Findings that are otherwise than before: fixed, or there again. */
  changed: number;
}

const CHANGED = 0.1;

/**
 * The next scan: every signal with a new id and time, nine in ten otherwise unchanged.
 * @param seenAt epoch ms
 */
export function rescan(machines: ScannedMachine[], random: Random, seenAt: number): Rescan {
  let signals = 0;
  let changed = 0;
  const again = ({ entryName, content }: SampleSignal): SampleSignal => {
    const signal = JSON.parse(content.toString());
    signal.id = random.uuid();
    signal.lastSeen = isoTime(seenAt);
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

/** Machines in `count` slices of about the same size; fewer slices for fewer machines. */
export function* slices<T>(machines: readonly T[], count: number): Generator<T[]> {
  const many = Math.min(count, machines.length);
  for (let i = 0; i < many; i++) {
    yield machines.slice(
      Math.floor((i * machines.length) / many),
      Math.floor(((i + 1) * machines.length) / many),
    );
  }
}
