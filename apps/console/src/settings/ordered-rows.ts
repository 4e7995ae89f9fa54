/** A row of an edited list; the id does not change when the row moves. */
export interface OrderedRow {
  id: number;
}

/** What the buttons of a row do. */
export interface RowActs<Row extends OrderedRow> {
  /** @param at index */
  edit: (row: Row, at: number) => void;
  move: (id: number, step: -1 | 1) => void;
  remove: (id: number) => void;
}

/** Greater than those of rows that were kept before a reload. */
let ids = Date.now();
export const newId = (): number => ++ids;

/** What does not depend on the ids, which are new after a reload. */
export const withoutIds = (edited: object): string =>
  JSON.stringify(edited, (name, value) => (name === 'id' ? undefined : value));

/** @param to new index */
export function moved<Row extends OrderedRow>(rows: readonly Row[], id: number, to: number): Row[] {
  const row = rows.find((one) => one.id === id)!;
  return rows.filter((one) => one !== row).toSpliced(to, 0, row);
}

/** Inserts or moves a row. @param at index; one beyond the list is its nearest end */
export const placed = <Row extends OrderedRow>(rows: readonly Row[], row: Row, at: number): Row[] =>
  rows.filter(({ id }) => id !== row.id).toSpliced(Math.max(at, 0), 0, row);

/** Number of changed rows, which have no ids. Only reordering counts as one change. */
export function changedRows(now: readonly object[], before: readonly object[]): number {
  const text = (row: object) => JSON.stringify(row);
  const known = new Set(before.map(text));
  const kept = new Set(now.map(text));
  const added = now.filter((row) => !known.has(text(row))).length;
  const gone = before.filter((row) => !kept.has(text(row))).length;
  const isMoved = Array.from({ length: Math.max(now.length, before.length) }, (_, i) => i).some(
    (i) => text(now[i] ?? {}) !== text(before[i] ?? {}),
  );
  const ofRows = Math.max(added, gone);
  return ofRows === 0 && isMoved ? 1 : ofRows;
}
