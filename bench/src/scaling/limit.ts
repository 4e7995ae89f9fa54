/** Average number of busy cores: CPU seconds per second. */
export interface Busy {
  projectors: number[];
  postgres: number;
  kafka: number;
  /** All other programs of the machine, including the benchmark. */
  others: number;
}

export type Limit = 'the processor' | "one projector's thread" | 'PostgreSQL' | 'unknown';

/** Use from which cores count as exhausted: the last tenth is time in which processes wait for each other. */
const FULL = 0.9;

/**
 * The bottleneck of a run: the machine if no core is free; one program's single thread if one is busy all the time;
 * else PostgreSQL, for which all projectors wait: its commits, locks and disk. Kafka only reads from memory.
 */
export function limitOf(busy: Busy, cores: number): Limit {
  // CPU times are read from /proc, so only Linux has them.
  if (busy.projectors.length === 0) return 'unknown';
  if (totalOf(busy) >= FULL * cores) return 'the processor';
  if (Math.max(...busy.projectors) >= FULL) return "one projector's thread";
  return 'PostgreSQL';
}

export const totalOf = ({ projectors, postgres, kafka, others }: Busy): number =>
  projectors.reduce((sum, cores) => sum + cores, 0) + postgres + kafka + others;
