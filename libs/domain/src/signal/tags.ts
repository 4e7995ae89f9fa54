import type { Tags } from '../events.ts';
import type { RawTags, TagScalar } from './signal.ts';

/** Values as text, without repeats, in their order. */
export function textsOf(value: TagScalar | TagScalar[] | undefined): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [String(value)];
  return value.length === 1 ? [String(value[0])] : [...new Set(value.map(String))];
}

/** The first value that says something, trimmed; null if none does. */
export function firstText(values: string[]): string | null {
  for (const value of values) {
    const text = value.trim();
    if (text !== '') return text;
  }
  return null;
}

/** Text as it was sent; null if it is absent or blank. */
export const textOrNull = (text: string | undefined): string | null =>
  text === undefined || text.trim() === '' ? null : text;

/**
 * Tags with sorted keys, so that equal content is equal text, from one or several maps; values of one key are joined
 * without repeats. A `__proto__` key would be no entry of a plain object and is left out.
 */
export function mergeTags(...maps: (RawTags | undefined)[]): Tags {
  const merged = new Map<string, string[]>();
  for (const map of maps) {
    for (const key of Object.keys(map ?? {})) {
      const values = textsOf(map![key]);
      const known = merged.get(key);
      merged.set(key, known ? [...new Set([...known, ...values])] : values);
    }
  }
  const tags: Tags = {};
  for (const key of [...merged.keys()].sort()) if (key !== '__proto__') tags[key] = merged.get(key)!;
  return tags;
}
