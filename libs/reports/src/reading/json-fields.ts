/** Reads a field of a report's JSON, of any type: reports of other versions are read if possible. */
export type JsonObject = Record<string, unknown>;

/** An object, or an empty one for anything else. */
export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

/** A list; a single value is a list of it, null none. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Trimmed text of a string or a number; null for anything else and if it is empty. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text === '' ? null : text;
}

/** The texts of a list, or of a single value. */
export const textsOf = (value: unknown): string[] =>
  listOf(value)
    .map(textOf)
    .filter((text) => text !== null);

/** A number, also if it is written as text; null for anything else. */
export function numberOf(value: unknown): number | null {
  const text = textOf(value);
  const number = text === null ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

/** true, also if it is written as text in any case. */
export const isTrue = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && /^(true|yes|1)$/i.test(value.trim()));

/** The first that is not null. */
export const firstOf = <T>(...values: (T | null | undefined)[]): T | null =>
  values.find((value) => value !== null && value !== undefined) ?? null;
