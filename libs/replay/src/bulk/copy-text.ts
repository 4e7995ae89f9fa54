import { arrayLiteral, instantText } from '#libs/database';

/** A value of a row; a Date is written with its milliseconds, an object as JSON, a list of texts as text[]. */
export type CopyValue = string | number | boolean | null | Date | string[] | Buffer;

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A row in COPY's text format (PostgreSQL, COPY "Text Format"), with its end of line. */
export const copyLine = (values: CopyValue[]): string => `${values.map(copyText).join('\t')}\n`;

function copyText(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escaped(value);
  if (value instanceof Date) return instantText(value.getTime());
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`;
  if (Array.isArray(value)) return escaped(arrayLiteral(value));
  return String(value);
}

const escaped = (text: string) => text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!);
