import { type RawBuilder, sql } from 'kysely';

/** SQL of an instant in epoch milliseconds. */
export const instant = (ms: number): RawBuilder<number> => sql<number>`${instantText(ms)}::timestamptz`;

/** An instant in epoch milliseconds as PostgreSQL reads it: out of the years 1 to 9999 it takes no ISO 8601. */
export function instantText(ms: number): string {
  const at = new Date(ms);
  const iso = at.toISOString();
  const year = at.getUTCFullYear();
  if (year >= 1 && year <= 9999) return iso;
  const dayAndTime = iso.slice(iso.indexOf('-', 1));
  return year > 9999 ? `${year}${dayAndTime}` : `${String(1 - year).padStart(4, '0')}${dayAndTime} BC`;
}
