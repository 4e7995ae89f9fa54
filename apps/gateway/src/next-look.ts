/** Without a reason to look earlier: another gateway may have changed a row, or ended before it did what was due. */
const IDLE_MS_MAX = 30_000;

/**
 * When a gateway has to look into the database for work: when some is due, and after a change of its own. While it is idle,
 * it does not ask once a second.
 */
export class NextLook {
  /** By the clock of the service, in epoch ms. */
  private dueAt = Number.NEGATIVE_INFINITY;
  private idleSince = Number.NEGATIVE_INFINITY;
  private wakes = 0;

  /** @param elapsedMs a time that no one sets, in milliseconds */
  constructor(private readonly elapsedMs: () => number = () => performance.now()) {}

  /** To be called after this gateway has changed what is due. */
  wake(): void {
    this.wakes += 1;
    this.dueAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Looks if it is time to.
   * @param now epoch ms
   * @param look returns when something is due next, in epoch ms; null: nothing is. If it fails, the next call looks again
   */
  async ifDue(now: number, look: () => Promise<number | null>): Promise<void> {
    if (now < this.dueAt && this.elapsedMs() - this.idleSince < IDLE_MS_MAX) return;
    const { wakes } = this;
    this.dueAt = Number.NEGATIVE_INFINITY;
    const next = await look();
    // What woke it in the meantime can be missing in the result.
    if (this.wakes !== wakes) return;
    this.dueAt = next ?? Number.POSITIVE_INFINITY;
    this.idleSince = this.elapsedMs();
  }
}
