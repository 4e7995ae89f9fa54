import { scannedMachines } from '../data/machines.ts';

export interface JsonSignals {
  /** They go first and warm the programs up. */
  warming: Buffer[];
  counted: Buffer[];
}

/** Enough that V8 has compiled what a request runs through. */
const WARMING = 3_000;

/**
 * Signals, each of a finding of its own. Of each machine one, then of each the next: what comes at a time is of many
 * machines, as from agents on each.
 * @param count of those that are counted
 */
export function jsonSignals(count: number): JsonSignals {
  const machines = [...scannedMachines(WARMING + count, Date.now())];
  const most = Math.max(...machines.map(({ signals }) => signals.length));
  const bodies = Array.from({ length: most }, (_, i) =>
    machines.flatMap(({ signals }) => signals[i]?.content ?? []),
  ).flat();
  return { warming: bodies.slice(0, WARMING), counted: bodies.slice(WARMING, WARMING + count) };
}
