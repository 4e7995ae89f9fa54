import { type ScannedMachine, scannedMachines } from './scans/machines.ts';

/** Signals per part of a machine: all of them may not fit into one ZIP. */
const PART_SIGNALS = 1_000;

export function largeMachine(findings: number): ScannedMachine {
  const spread = { findingsMin: findings, findingsMax: findings };
  return scannedMachines(findings, Date.now(), 'large', spread).next().value as ScannedMachine;
}

export function* inParts({ name, signals }: ScannedMachine): Generator<ScannedMachine> {
  for (let from = 0; from < signals.length; from += PART_SIGNALS) {
    yield { name, signals: signals.slice(from, from + PART_SIGNALS) };
  }
}

/** The machine with another finding alone. @param suffix of the name of its first finding */
export function oneMoreOf({ name, signals }: ScannedMachine, suffix: string): ScannedMachine {
  const signal = JSON.parse(signals[0]!.content.toString());
  const content = Buffer.from(JSON.stringify({ ...signal, name: `${signal.name}, ${suffix}` }));
  return { name, signals: [{ entryName: `${name}/one-more.json`, content }] };
}
