import { type ScannedMachine, scannedMachines } from '../data/machines.ts';

export interface JsonSignals {
  /** They go first and warm the programs up. */
  warming: Buffer[];
  counted: Buffer[];
}

/** Enough that V8 has compiled what a request runs through. */
const WARMING = 3_000;

/** Of each machine; the generator makes no fewer. */
const SIGNALS_EACH = 20;

/**
 * Signals, each of a finding of its own. Of each machine one, then of each the next: what comes at a time is of many
 * machines, as from agents on each.
 * @param count of those that are counted
 */
export function jsonSignals(count: number): JsonSignals {
  const total = WARMING + count;
  const machines: ScannedMachine[] = [];
  for (const machine of scannedMachines(Number.POSITIVE_INFINITY, Date.now())) {
    if (machines.length * SIGNALS_EACH >= total) break;
    machines.push(machine);
  }
  const bodies = Array.from({ length: SIGNALS_EACH }, (_, i) =>
    machines.map(({ signals }) => signals[i]!.content),
  ).flat();
  return { warming: bodies.slice(0, WARMING), counted: bodies.slice(WARMING, total) };
}
