/** Number of pages before a halved size is increased again: mostly only a few records were too large. */
const GROWS_AFTER = 8;

/** How many records the next page is to have: fewer if the answer was too large, all again once that is over. */
export class PageSize {
  private size: number;
  private came = 0;

  /** @param max 1 or more */
  constructor(private readonly max: number) {
    this.size = max;
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

  /** A page has come. */
  note(): void {
    this.came += 1;
    if (this.came % GROWS_AFTER === 0) this.size = Math.min(this.max, this.size * 2);
  }
}
