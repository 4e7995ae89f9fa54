import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** A text in each of its Unicode forms, which are mostly the same: texts are stored as they were sent. */
export const unicodeForms = (text: string): string[] => [
  ...new Set([text, text.normalize('NFC'), text.normalize('NFD')]),
];

/** A condition on a text that at least one of its Unicode forms meets. */
export function inAnyForm(
  text: string,
  condition: (form: string) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  const conditions = unicodeForms(text).map(condition);
  return conditions.length === 1 ? conditions[0]! : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}
