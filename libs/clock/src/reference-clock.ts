/** Permitted drift between a clock and the monotonic time: 100 parts per million. */
const DRIFT = 1e-4;

interface Look {
  /** Reading of the database's clock, epoch milliseconds. */
  time: number;
  /** Monotonic milliseconds, halfway between question and answer. */
  at: number;
  /** What `time` may be off by at `at`, in milliseconds. */
  error: number;
}

/** The database clock, extrapolated by monotonic time between two reads and while the database is unavailable. */
export class ReferenceClock {
  private last: Look | undefined;

  constructor(private readonly monotonic: () => number) {}

  /** Takes a look at the database's clock, which was asked and answered at two monotonic times. */
  take(time: number, asked: number, answered: number): void {
    const look: Look = { time, at: (asked + answered) / 2, error: (answered - asked) / 2 };
    if (!this.last) {
      this.last = look;
      return;
    }
    const carried = this.last.error + (look.at - this.last.at) * DRIFT;
    const isContradicted = Math.abs(this.at(look.at) - look.time) > carried + look.error;
    // The answer of a busy database says less than a good one of a minute ago.
    if (isContradicted || look.error <= carried) this.last = look;
  }

  /** Epoch milliseconds; NaN before the first look. */
  now(): number {
    return Math.round(this.at(this.monotonic()));
  }

  private at(monotonic: number): number {
    return this.last ? this.last.time + (monotonic - this.last.at) : Number.NaN;
  }
}
