/** Lets one loop wait for news; a ring that comes while it is busy is heard at its next wait. */
export class WakeUp {
  private wake: (() => void) | undefined;
  private hasRung = false;

  ring(): void {
    if (this.wake) this.wake();
    else this.hasRung = true;
  }

  /** Resolves at a ring, or after `timeoutMs` where one is given. */
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
