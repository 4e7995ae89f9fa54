/** Requests of one kind are limited a minute, by whose they are; windows begin with the minute of the clock. */
export class RateWindow {
  private readonly counts = new Map<string, number>();
  private minute = -1;

  constructor(
    readonly limit: number,
    private readonly nowMs: () => number,
  ) {}

  /** Counts one more request; whether it is within the limit. */
  take(who: string): boolean {
    this.turn();
    const count = (this.counts.get(who) ?? 0) + 1;
    this.counts.set(who, count);
    return count <= this.limit;
  }

  remaining(who: string): number {
    this.turn();
    return Math.max(0, this.limit - (this.counts.get(who) ?? 0));
  }

  /** When the next window begins, in milliseconds since 1970. */
  get endsAtMs(): number {
    return (Math.floor(this.nowMs() / 60_000) + 1) * 60_000;
  }

  private turn(): void {
    const minute = Math.floor(this.nowMs() / 60_000);
    if (minute === this.minute) return;
    this.minute = minute;
    this.counts.clear();
  }
}
