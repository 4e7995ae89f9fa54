import type { Cause, Envelope } from './events.ts';

/** One moment by two clocks, both in epoch milliseconds, as an event carries it. */
export interface Reading {
  /** By the program's own clock. */
  at: Envelope['at'];
  /** By the reference that all programs share, the clock of the database. */
  receivedAt: Cause['receivedAt'];
}

/** The moment at which an event decides: neither clock alone advances the state. */
export const decidedAt = ({ at, receivedAt }: Reading): number => Math.min(at, receivedAt);

/** One moment by which both clocks agree, in epoch milliseconds. */
export const readingAt = (ms: number): Reading => ({ at: ms, receivedAt: ms });
