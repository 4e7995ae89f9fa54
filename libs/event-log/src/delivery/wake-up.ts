/** Lets one loop wait until `ring` is called. A call while the loop is busy ends its next wait. */
export class WakeUp {
  private wake: (() => void) | undefined;
  private hasRung = false;

  ring(): void {
    if (this.wake) this.wake();
    else this.hasRung = true;
  }

  /** Resolves at a ring, or after `timeoutMs` if one is given. */
  async wait(timeoutMs?: number): Promise<void> {
    if (!this.hasRung) await this.nextRing(timeoutMs);
    this.hasRung = false;
  }

  private nextRing(timeoutMs: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      this.wake = () => {
        this.wake = undefined;
        clearTimeout(timer);
        resolve();
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(this.wake, timeoutMs);
    });
  }
}
