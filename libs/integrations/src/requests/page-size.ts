/** Number of pages before a halved size is increased again: mostly only a few records were too large. */
const GROWS_AFTER = 8;

/** Part of the full size below which smaller pages are not expected to come sooner. */
const SLOW_PART_MIN = 1 / 16;

/**
 * How many records the next page is to have: fewer if the answer was too large, all again once that is over; fewer for
 * good if it did not come in time.
 */
export class PageSize {
  private size: number;
  private came = 0;

  private readonly slowMin: number;

  /** @param max 1 or more */
  constructor(private max: number) {
    this.size = max;
    this.slowMin = max * SLOW_PART_MIN;
  }

  get current(): number {
    return this.size;
  }

  /** The answer was too large. Answers false if a page has one record already. */
  halve(): boolean {
    this.came = 0;
    if (this.size === 1) return false;
    this.size = Math.floor(this.size / 2);
    return true;
  }

  /** The answer did not come in time. Answers false if a smaller page would not either. */
  slowDown(): boolean {
    if (this.size <= this.slowMin || !this.halve()) return false;
    this.max = this.size;
    return true;
  }

  /** A page has come. */
  note(): void {
    this.came += 1;
    if (this.came % GROWS_AFTER === 0) this.size = Math.min(this.max, this.size * 2);
  }
}
