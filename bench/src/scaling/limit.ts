/** Cores that were busy, on average: CPU seconds a second. */
export interface Busy {
  projectors: number[];
  postgres: number;
  kafka: number;
  /** What else ran on the machine, the benchmark itself among it. */
  others: number;
}

export type Limit = 'the processor' | "one projector's thread" | 'PostgreSQL' | 'what cannot be seen here';

/** From here on a core, or all of them, has nothing left to give: the last tenth goes with waiting for one another. */
const FULL = 0.9;

/**
 * What keeps a run from being faster: the machine where no core is free; one program's single thread where one is busy
 * all the time; else what all projectors wait for, which is PostgreSQL: its commits, locks and disk. Kafka only reads
 * what lies in memory.
 */
export function limitOf(busy: Busy, cores: number): Limit {
  // CPU times are read from /proc: elsewhere than on Linux there are none.
  if (busy.projectors.length === 0) return 'what cannot be seen here';
  if (totalOf(busy) >= FULL * cores) return 'the processor';
  if (Math.max(...busy.projectors) >= FULL) return "one projector's thread";
  return 'PostgreSQL';
}

export const totalOf = ({ projectors, postgres, kafka, others }: Busy): number =>
  projectors.reduce((sum, cores) => sum + cores, 0) + postgres + kafka + others;
