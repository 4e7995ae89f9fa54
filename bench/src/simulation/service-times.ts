import type { RecordBook } from '../record/record-book.ts';

/** Seconds of one core for a record. */
interface Work {
  gateway: number;
  kafka: number;
  projector: number;
  postgres: number;
  scorer: number;
}

/** Processor time of a record: that of a change is from `growth` at its largest size, that of an unchanged finding from `refold`. */
export interface ServiceTimes {
  changed: Work;
  unchanged: Work;
  /** A synchronous write of the disk. */
  commit: number;
}

/** Of the processor time of `refold`, as docs/performance.md divides it (unchanged findings). */
const SHARES_OF_REFOLD = { projector: 0.74, postgres: 0.23, kafka: 0.03 };

/** @throws Error if a figure is missing in the book */
export function serviceTimesOf({ benchmarks }: RecordBook): ServiceTimes {
  const cellOf = (name: string, cell: string): string => {
    const text = benchmarks[name]?.cells[cell];
    if (text === undefined) throw new Error(`bench/recorded.json has no "${cell}" of ${name}`);
    return text;
  };
  const grown = (program: string): number =>
    Number(cellOf('growth', `new: CPU of ${program}`).split(' → ').at(-1)) / 1e6;
  const refold = Number.parseInt(cellOf('refold', 'CPU'), 10) / 1e6;
  const changed = {
    gateway: grown('gateway'),
    kafka: grown('Kafka'),
    projector: grown('projector'),
    postgres: grown('PostgreSQL'),
    scorer: grown('scorer'),
  };
  return {
    changed,
    unchanged: {
      gateway: changed.gateway,
      kafka: refold * SHARES_OF_REFOLD.kafka,
      projector: refold * SHARES_OF_REFOLD.projector,
      postgres: refold * SHARES_OF_REFOLD.postgres,
      scorer: 0,
    },
    commit: 1 / benchmarks.growth!.machine.syncsPerSecond,
  };
}
