import type { Clock } from '#libs/config';

/** Values that expire at a time. Above `sizeMax` values, the value that was set first is removed. */
export class ExpiringMap<T> {
  private readonly entries = new Map<string, { value: T; until: number }>();

  constructor(
    private readonly sizeMax: number,
    private readonly now: Clock,
  ) {}

  get(key: string): T | null {
    const found = this.entries.get(key);
    return found && found.until > this.now() ? found.value : null;
  }

  /** `until` in epoch milliseconds. */
  set(key: string, value: T, until: number): void {
    this.entries.delete(key);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size < this.sizeMax) break;
      this.entries.delete(oldest);
    }
    this.entries.set(key, { value, until });
  }
}
