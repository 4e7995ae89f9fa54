import type { Clock } from '#libs/config';

const REMOVE_INTERVAL_MS = 3_600_000;

/** Removes what is old once an hour, and as long as there is more. */
export class HourlyRemoval {
  private doneAt = Number.NEGATIVE_INFINITY;

  /** @param remove returns whether there may be more */
  constructor(
    private readonly remove: (now: number) => Promise<boolean>,
    private readonly now: Clock,
  ) {}

  async ifDue(): Promise<void> {
    const now = this.now();
    // Also after a clock that was ahead is set back.
    if (Math.abs(now - this.doneAt) < REMOVE_INTERVAL_MS) return;
    if (!(await this.remove(now))) this.doneAt = now;
  }
}
