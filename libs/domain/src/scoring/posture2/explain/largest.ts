/** Something of a size, with a key that distinguishes it. */
interface Sized {
  key: string;
  size: number;
}

/**
 * Keeps the greatest items of a stream, by size and then by key, and gives the others away. The kept ones do not depend on
 * the order. Memory is bounded by twice their number.
 */
export class Largest<Item extends Sized> {
  private items: Item[] = [];

  /** @param release takes each item that is not among the greatest, in no order */
  constructor(
    private readonly limit: number,
    private readonly release: (item: Item) => void,
  ) {}

  add(item: Item): void {
    this.items.push(item);
    if (this.items.length >= 2 * this.limit) this.cut();
  }

  /** The greatest of all so far, in the order of their keys. */
  kept(): Item[] {
    this.cut();
    return [...this.items].sort(byKey);
  }

  private cut(): void {
    const sorted = this.items.sort((a, b) => b.size - a.size || byKey(a, b));
    for (const item of sorted.splice(this.limit)) this.release(item);
  }
}

const byKey = (a: Sized, b: Sized): number => (a.key < b.key ? -1 : Number(a.key > b.key));
