import { type RawBuilder, sql } from 'kysely';

/**
 * Rows `t` from arrays of equal length, one for each column.
 * @param columns by name: the values, as an array or its literal, and the type in SQL of one of them
 */
export function unnested(
  columns: Record<string, readonly [values: unknown, type: string]>,
): RawBuilder<unknown> {
  const types = Object.values(columns).map(([, type]) => `::${type}[]`);
  const texts = `unnest(\0${types.join(', \0')}) as t (${Object.keys(columns).join(', ')})`.split('\0');
  return sql(texts as unknown as TemplateStringsArray, ...Object.values(columns).map(([values]) => values));
}
