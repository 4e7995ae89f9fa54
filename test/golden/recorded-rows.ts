import type { FoldedRow } from '../support/folded-rows.ts';

/** The same content is the same text: properties are sorted at every depth. */
export const canonical = (value: unknown): string => JSON.stringify(sorted(value));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, sorted(child)]));
}

/**
 * The columns of a row that a recorded one has: columns that were added later are omitted. Undefined if the whole table
 * was added later.
 */
export function asRecorded({ table, row }: FoldedRow, columns: ReadonlyMap<string, Set<string>>) {
  const known = columns.get(table);
  return (
    known && { table, row: Object.fromEntries(Object.entries(row).filter(([column]) => known.has(column))) }
  );
}
