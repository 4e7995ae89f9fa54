import type { Clock } from '#libs/config';
import { type Reading, readingAt } from '#libs/domain';
import type { Distrust } from './judge-clocks.ts';

/** Injection token of the `TrustedClock` of a process. */
export const TRUSTED_CLOCK = Symbol('TRUSTED_CLOCK');

/** The clocks are not trusted: nothing is stamped. The message says why, and what to do. */
export class ClockError extends Error {
  override name = 'ClockError';
}

/** The clock that stamps every event and advances state by time; a bare `Clock` does neither. */
export interface TrustedClock {
  /** Why no reading is given; null: the clocks are trusted. */
  readonly distrust: Distrust | null;
  /**
   * Both clocks now; never earlier than a reading before.
   * @throws ClockError while they are not trusted
   */
  read(): Reading;
  /**
   * The earlier of both now, in epoch milliseconds.
   * @throws ClockError while they are not trusted
   */
  now(): number;
}

/** One clock for both readings, always trusted: for programs without a database clock. */
export const bareClock = (clock: Clock): TrustedClock => ({
  distrust: null,
  read: () => readingAt(clock()),
  now: clock,
});
