import { isLongRun } from '../support/long-run.ts';

/** Amount of load. The short form runs with all tests, the long form with `npm run drill`. */
interface DrillSize {
  /** Connections of each kind that send one byte a second. */
  slowConnections: number;
  idleConnections: number;
  capacitySeconds: number;
  overloadSeconds: number;
  /** Subscribers of changes that read nothing. */
  pausedReaders: number;
  /** Concurrent bodies of 1 MB. */
  largeBodies: number;
  /** Each parameter is tested with every n-th text, with others from run to run. */
  textsEvery: number;
}

const SHORT: DrillSize = {
  slowConnections: 80,
  idleConnections: 2_600,
  capacitySeconds: 1,
  overloadSeconds: 2,
  pausedReaders: 210,
  largeBodies: 12,
  textsEvery: isLongRun ? 1 : 6,
};
const LONG: DrillSize = {
  slowConnections: 400,
  idleConnections: 10_000,
  capacitySeconds: 15,
  overloadSeconds: 300,
  pausedReaders: 210,
  largeBodies: 100,
  textsEvery: 1,
};

export const isLong = process.env.DRILL === 'long';
export const SIZE = isLong ? LONG : SHORT;

/** Prints a figure of the long form, for docs/overload.md. */
export function printLine(line: string): void {
  if (isLong || process.env.DRILL_TELL) process.stderr.write(`  ${line}\n`);
}
