/** Between the fields of a row: some tools, and spreadsheets in countries with a decimal comma, write semicolons. */
export type CsvDelimiter = ',' | ';';

const DELIMITERS: CsvDelimiter[] = [',', ';'];

/**
 * The delimiter of a table, by the line of its beginning that is the header; null if none is.
 * @param isHeader receives the trimmed fields of a line in lower case; names of columns hold no line end
 */
export function delimiterOf(head: string, isHeader: (columns: string[]) => boolean): CsvDelimiter | null {
  const lines = head.split(/[\r\n]/);
  return (
    DELIMITERS.find((delimiter) => lines.some((line) => isHeader(line.split(delimiter).map(columnName)))) ??
    null
  );
}

const columnName = (field: string): string => field.trim().replace(/^"|"$/g, '').trim().toLowerCase();
