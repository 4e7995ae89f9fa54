import type { Machine } from '../machine.ts';

/** The last recorded run of a benchmark. */
export interface Recorded {
  /** The command that repeats it. */
  command: string;
  machine: Machine;
  cells: Record<string, string>;
  ratio?: number;
}

export interface RecordedSmoke {
  machine: Machine;
  /** Ratio of each benchmark. Ratios of small and large sizes differ. */
  ratios: Record<string, number>;
}

/** The content of bench/recorded.json, from which docs/benchmarks.md is generated. */
export interface RecordBook {
  benchmarks: Record<string, Recorded>;
  smoke?: RecordedSmoke;
}
