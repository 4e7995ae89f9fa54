import { readInstant } from '#libs/domain';

/** Reads values of a vendor's JSON that may be absent, of another type or longer than a signal takes. */
export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object; an empty one in place of anything else. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const TEXT_CHARS_MAX = 1000;

/** A text or a number as trimmed text, cut to `charsMax`; empty for anything else. */
export function textOf(value: unknown, charsMax = TEXT_CHARS_MAX): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  return typeof value === 'string' ? cut(value.trim(), charsMax) : '';
}

/**
 * Texts of a value or of a list of them, without blanks and repeats; the first `itemsMax` by the alphabet, because platforms
 * return the same list in another order each time.
 */
export function textsOf(value: unknown, itemsMax: number, charsMax = TEXT_CHARS_MAX): string[] {
  const texts = new Set<string>();
  for (const item of Array.isArray(value) ? value : [value]) {
    const text = textOf(item, charsMax);
    if (text !== '') texts.add(text);
  }
  return [...texts].sort().slice(0, itemsMax);
}

/** Text of at most so many characters, with an ellipsis if it is cut; never half a surrogate pair. */
export function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  return `${text.slice(0, charsMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Epoch milliseconds; null if it is no instant. */
export const instantOf = (value: unknown): number | null => readInstant(value);
