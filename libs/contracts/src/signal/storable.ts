type Json = Record<string, unknown>;

/**
 * U+0000, which PostgreSQL does not store, halves of surrogate pairs, which UTF-8 does not have, and the marks of sealed
 * texts, which no sender may forge (ADR-0078).
 */
const UNSTORABLE = /[\0\ud800-\udfff\ufdd0\ufdd1]/gu;
const SEAL_MARKS = /[\ufdd0\ufdd1]/;
const REPLACEMENT = '\ufffd';

/** A text with U+FFFD for characters that rows and events cannot store. */
export const storableText = (text: string): string => text.replace(UNSTORABLE, REPLACEMENT);

/** Whether readers could take a part of a text for a sealed text, and open it. */
export const hasSealMarks = (text: string): boolean => SEAL_MARKS.test(text);

/**
 * Parsed JSON with U+FFFD for characters that rows and events cannot store, in keys and values (R-SIG-3). Recursion is
 * as deep as the value: bound that first (`JSON_DEPTH_MAX`).
 */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(storable);
  return Object.fromEntries(
    Object.entries(value as Json).map(([key, one]) => [storableText(key), storable(one)]),
  );
}
