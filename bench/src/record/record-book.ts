import type { Machine } from '../machine.ts';

/** The last recorded run of a benchmark. */
export interface Recorded {
  /** What repeats it. */
  command: string;
  machine: Machine;
  cells: Record<string, string>;
  ratio?: number;
}

export interface RecordedSmoke {
  machine: Machine;
  /** By benchmark. Small sizes have other ratios than large ones. */
  ratios: Record<string, number>;
}

/** What bench/recorded.json holds; docs/benchmarks.md is the same for people. */
export interface RecordBook {
  benchmarks: Record<string, Recorded>;
  smoke?: RecordedSmoke;
}
