import { type ScannedMachine, scannedMachines } from '../data/scans/machines.ts';

export interface JsonSignals {
  /** Sent first to warm up the programs. */
  warming: Buffer[];
  counted: Buffer[];
}

/** Enough for V8 to compile the code path of a request. */
const WARMING = 3_000;

/** Signals of each machine: the minimum of the generator. */
const SIGNALS_EACH = 20;

/**
 * Signals, each of a different finding: the first signal of every machine, then the second, and so on. Concurrent
 * signals therefore belong to many machines, as if each machine had an agent.
 * @param count number of signals in `counted`
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
