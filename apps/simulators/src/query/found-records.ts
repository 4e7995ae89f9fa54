import { LRUCache } from 'lru-cache';
import type { Collection, Fields } from '../records/collection.ts';

type Key = string | number;

export interface Sort {
  /** Names the order, for what is remembered. */
  name: string;
  keyOf(record: Fields): Key;
  isDescending: boolean;
}

export interface Filter {
  /** Names the filter, for what is remembered; undefined where what matches depends on the time of asking. */
  name: string | undefined;
  matches(record: Fields): boolean;
}

/** Numbers of records in an order, without the records. */
export interface Found {
  numbers: number[];
  /** What they are ordered by, one for each number. */
  keys: Key[];
}

/** Numbers that are remembered, over all queries. */
const NUMBERS_MAX = 1_000_000;

/** Finds what matches, in order; a query that is paged through is computed once for as long as nothing changes. */
export class FoundRecords<T extends Fields> {
  private readonly remembered = new LRUCache<string, Found>({
    maxSize: NUMBERS_MAX,
    sizeCalculation: ({ numbers }) => numbers.length + 1,
  });

  constructor(private readonly collection: Collection<T>) {}

  find(filter: Filter, sort: Sort | undefined): Found {
    if (filter.name === undefined) return this.compute(filter, sort);
    const name = JSON.stringify([this.collection.revision, filter.name, sort?.name]);
    const known = this.remembered.get(name);
    if (known !== undefined) return known;
    const found = this.compute(filter, sort);
    this.remembered.set(name, found);
    return found;
  }

  private compute({ matches }: Filter, sort: Sort | undefined): Found {
    const entries: [Key, number][] = [];
    for (let number = 0; number < this.collection.end; number += 1) {
      const record = this.collection.at(number);
      if (record !== undefined && matches(record)) entries.push([sort?.keyOf(record) ?? number, number]);
    }
    if (sort !== undefined) entries.sort(inOrder(sort.isDescending));
    return { keys: entries.map(([key]) => key), numbers: entries.map(([, number]) => number) };
  }
}

/**
 * The place in what was found of the first that comes after a position, whether what had that position is still there
 * or not.
 */
export function indexAfter({ keys, numbers }: Found, position: [Key, number], isDescending: boolean): number {
  const compare = inOrder(isDescending);
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare([keys[middle] as Key, numbers[middle] as number], position) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** By key, and by number where keys are the same. */
const inOrder =
  (isDescending: boolean) =>
  (a: [Key, number], b: [Key, number]): number => {
    const order = a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1];
    return isDescending ? -order : order;
  };
