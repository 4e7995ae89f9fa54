/** A record of a vendor's responses: a JSON object. */
export type Fields = Record<string, unknown>;

/** How the records of one kind come out of their numbers. */
export interface RecordSource<T extends Fields> {
  /** How many there are from the start: numbers 0 to `count - 1`. */
  count: number;
  /** Pure: the same number and the same fields that were set are the same record. Fields may follow from those. */
  make(number: number, set: Partial<T>): T;
  idOf(record: T): string;
  /** Which number an id would have; the record there may have another id. */
  numberOf(id: string): number;
  /** The fields that a change sets in addition to those of the request, for example a modification instant. */
  touched(nowMs: number, fields: Fields): Fields;
  /** The fields that a new record sets in addition, for example the instant of its creation. */
  born(nowMs: number): Fields;
}

/** Records that are computed from their numbers; only changes are stored. */
export class Collection<T extends Fields> {
  private readonly changes = new Map<number, Fields | null>();
  private addedCount = 0;
  private changeCount = 0;

  constructor(
    private readonly source: RecordSource<T>,
    private readonly nowMs: () => number,
  ) {}

  /** One more than the greatest number that exists or existed. */
  get end(): number {
    return this.source.count + this.addedCount;
  }

  /** Rises with every change. */
  get revision(): number {
    return this.changeCount;
  }

  /** How many records there are. */
  get size(): number {
    return this.end - [...this.changes.values()].filter((change) => change === null).length;
  }

  /** @returns undefined if it was removed or never was */
  at(number: number): T | undefined {
    if (!(number >= 0 && number < this.end)) return undefined;
    const change = this.changes.get(number);
    if (change === undefined) return this.source.make(number, {});
    return change === null ? undefined : { ...this.source.make(number, change as Partial<T>), ...change };
  }

  withId(id: string): T | undefined {
    const record = this.at(this.source.numberOf(id));
    return record !== undefined && this.source.idOf(record) === id ? record : undefined;
  }

  /** In the order of their numbers. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let number = 0; number < this.end; number += 1) {
      const record = this.at(number);
      if (record !== undefined) yield record;
    }
  }

  /** @returns the number of the new record */
  add(fields: Fields = {}): number {
    const number = this.end;
    this.addedCount += 1;
    this.set(number, { ...this.source.born(this.nowMs()), ...fields });
    return number;
  }

  /** @throws RangeError if there is none */
  change(number: number, fields: Fields): void {
    if (this.at(number) === undefined) throw new RangeError(`There is no record ${number}.`);
    this.set(number, fields);
  }

  /** @throws RangeError if there is none */
  remove(number: number): void {
    if (this.at(number) === undefined) throw new RangeError(`There is no record ${number}.`);
    this.changes.set(number, null);
    this.changeCount += 1;
  }

  private set(number: number, fields: Fields): void {
    const touched = this.source.touched(this.nowMs(), fields);
    this.changes.set(number, { ...this.changes.get(number), ...touched, ...fields });
    this.changeCount += 1;
  }
}
