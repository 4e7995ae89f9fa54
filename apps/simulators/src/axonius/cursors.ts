import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const CURSORS_MAX = 100;

/** The results at the start of a list, so that its pages are consistent. */
export class Cursors {
  private readonly numbers = new LRUCache<string, number[]>({ max: CURSORS_MAX });

  keep(numbers: number[]): string {
    const cursor = randomUUID();
    this.numbers.set(cursor, numbers);
    return cursor;
  }

  /** @returns undefined if it is unknown */
  numbersOf(cursor: string): number[] | undefined {
    return this.numbers.get(cursor);
  }
}
