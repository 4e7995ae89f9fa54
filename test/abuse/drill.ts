/** How much is done: the short form runs with all tests, the long one by `npm run drill`. */
export interface DrillSize {
  /** Connections of each kind that send one byte a second. */
  slowConnections: number;
  idleConnections: number;
  capacitySeconds: number;
  overloadSeconds: number;
  /** Readers of changes that read nothing. */
  deafReaders: number;
  /** Bodies of 1 MB at a time. */
  largeBodies: number;
  /** Each parameter is tried with one of so many texts. */
  textsEvery: number;
}

const SHORT: DrillSize = {
  slowConnections: 80,
  idleConnections: 2_600,
  capacitySeconds: 2,
  overloadSeconds: 5,
  deafReaders: 210,
  largeBodies: 12,
  textsEvery: 4,
};
const LONG: DrillSize = {
  slowConnections: 400,
  idleConnections: 10_000,
  capacitySeconds: 15,
  overloadSeconds: 300,
  deafReaders: 210,
  largeBodies: 100,
  textsEvery: 1,
};

export const isLong = process.env.DRILL === 'long';
export const SIZE = isLong ? LONG : SHORT;

/** Figures of a long form, for the page that records them. */
export function tell(line: string): void {
  if (isLong || process.env.DRILL_TELL) process.stderr.write(`  ${line}\n`);
}
