import { LRUCache } from 'lru-cache';
import type { Collection, Fields } from '../records/collection.ts';

type Key = string | number;

export interface Sort {
  /** Key of the order, for the cache. */
  name: string;
  keyOf(record: Fields): Key;
  isDescending: boolean;
}

export interface Filter {
  /** Key of the filter, for the cache; undefined if the matches depend on the time of withParameters. */
  name: string | undefined;
  matches(record: Fields): boolean;
}

/** Numbers of records in an order, without the records. */
export interface Found {
  numbers: number[];
  /** The sort keys, one for each number. */
  keys: Key[];
}

/** Numbers that are remembered, over all queries. */
const NUMBERS_MAX = 1_000_000;

/** Finds the matching records, in order; a paged query is computed once while nothing changes. */
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

/** The index of the first result after a position, also if the record of that position was removed. */
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
