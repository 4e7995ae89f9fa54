/**
 * The greatest of numbers that come and go, 0 without any. Findings bring a weakness few different hazards, however many
 * they are: only when the last one of the greatest goes, the different ones are compared.
 */
export class Greatest {
  private readonly counts = new Map<number, number>();
  private greatest = 0;

  get value(): number {
    return this.greatest;
  }

  get isEmpty(): boolean {
    return this.counts.size === 0;
  }

  add(one: number): void {
    this.counts.set(one, (this.counts.get(one) ?? 0) + 1);
    this.greatest = Math.max(this.greatest, one);
  }

  /** @param one that was added */
  remove(one: number): void {
    const left = this.counts.get(one)! - 1;
    if (left > 0) {
      this.counts.set(one, left);
      return;
    }
    this.counts.delete(one);
    if (one < this.greatest) return;
    this.greatest = 0;
    for (const other of this.counts.keys()) this.greatest = Math.max(this.greatest, other);
  }
}
