/** A record as the programs of docs/subscribing.md print it. */
export interface ConsumedRecord {
  partition: number;
  offset: number;
  key: string;
  headers: Record<string, string>;
  /** null: a tombstone. Times as the program has them; kcat shows no values. */
  finding?: any;
}

/** Records of each partition in the order of their arrival; between partitions there is none. */
export function byPartition<T extends { partition: number }>(records: readonly T[]): T[] {
  return [...records].sort((one, other) => one.partition - other.partition);
}

const KCAT_LINE = /^(\d+) (\d+) (\S+) (\S+)$/;

/** A line of kcat with `-f '%p %o %k %h\n'`. */
export function kcatRecord(line: string): ConsumedRecord {
  const [, partition, offset, key, headers] = KCAT_LINE.exec(line) ?? [];
  if (headers === undefined) throw new Error(`kcat printed ${line}`);
  const fields = headers.split(',').map((field) => field.split('=') as [string, string]);
  return {
    partition: Number(partition),
    offset: Number(offset),
    key: key!,
    headers: Object.fromEntries(fields),
  };
}

const TIMES = new Set([
  'firstSeen',
  'lastSeen',
  'expiresAt',
  'failedSince',
  'settledAt',
  'due',
  'updatedAt',
  'at',
  'until',
]);

/** The same with every time in epoch milliseconds, be it that already or a text of ISO 8601. */
export function inMilliseconds(value: any): any {
  if (Array.isArray(value)) return value.map(inMilliseconds);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      TIMES.has(name) && typeof field === 'string' ? Date.parse(field) : inMilliseconds(field),
    ]),
  );
}
