/** Lines of a table whose columns are as wide as their widest cell. @param rows the header first; all of one length */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]!.length), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
