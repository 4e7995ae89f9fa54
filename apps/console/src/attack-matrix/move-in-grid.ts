/**
 * The cell to which a key leads: up and down within a column, left and right to the nearest row of the next column that
 * has cells, Home and End to the ends of the column.
 *
 * @param columns the cells of each column, from top to bottom
 * @returns undefined for other keys, and at an edge
 */
export function moveInGrid(
  columns: readonly (readonly string[])[],
  current: string,
  key: string,
): string | undefined {
  const x = columns.findIndex((cells) => cells.includes(current));
  const column = columns[x];
  if (column === undefined) return undefined;
  const y = column.indexOf(current);
  const inRow = (cells: readonly string[] | undefined) => cells?.[Math.min(y, cells.length - 1)];
  switch (key) {
    case 'ArrowDown':
      return column[y + 1];
    case 'ArrowUp':
      return column[y - 1];
    case 'ArrowRight':
      return inRow(columns.slice(x + 1).find((cells) => cells.length > 0));
    case 'ArrowLeft':
      return inRow(columns.slice(0, x).findLast((cells) => cells.length > 0));
    case 'Home':
      return column[0];
    case 'End':
      return column.at(-1);
    default:
      return undefined;
  }
}
