/** The time of the simulators: that of the machine, plus the advance by tests. */
export class Clock {
  private advancedMs = 0;

  /** @returns milliseconds since 1970 */
  now(): number {
    return Date.now() + this.advancedMs;
  }

  /** @param ms how far, from 0 */
  advance(ms: number): void {
    this.advancedMs += ms;
  }
}
