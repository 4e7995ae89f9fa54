import { isUtf8 } from 'node:buffer';
import { parse } from 'secure-json-parse';
import { JSON_DEPTH_MAX, tooDeepAt } from './json-depth.ts';
import { locateJsonError } from './locate-json-error.ts';
import { hasSealMarks, storable } from './storable.ts';

export type JsonParsing =
  | { ok: true; value: unknown }
  /** `message` names line and column if there is one; `line` and `column` count from 1, null if none is known. */
  | { ok: false; message: string; line: number | null; column: number | null };

/** Keys that would reach a prototype are removed: a later copy of the object must stay harmless. */
const REMOVED = { protoAction: 'remove', constructorAction: 'remove' } as const;

/**
 * JSON from bytes in UTF-8, with or without a BOM, nested 64 levels at most, in a form that rows and events can store.
 * Never throws; an error states the position and the expected token, and never quotes the content (R-SIG-1).
 */
export function parseJson(bytes: Uint8Array): JsonParsing {
  if (!isUtf8(bytes)) return refused('must be text in UTF-8');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return parseText(text.replace(/^\ufeff+/, ''), bytes);
}

function parseText(text: string, bytes: Uint8Array): JsonParsing {
  const deepAt = tooDeepAt(bytes);
  if (deepAt >= 0) return refusedAt(positionOf(bytes, deepAt), `nesting exceeds ${JSON_DEPTH_MAX} levels`);
  try {
    // Only an escape can bring a character that UTF-8 text or JSON would not have let through, or hide a key; only the
    // marks of sealed texts are storable in UTF-8.
    const hasEscapes = text.includes('\\u');
    const isPlain = !hasEscapes && !text.includes('__proto__') && !text.includes('constructor');
    const value = isPlain ? JSON.parse(text) : parse(text, undefined, REMOVED);
    return { ok: true, value: hasEscapes || hasSealMarks(text) ? storable(value) : value };
  } catch {
    if (text.trim() === '') return refused('is empty: send JSON');
    const { message, line, column } = locateJsonError(text);
    return refusedAt({ line, column }, message);
  }
}

const refused = (message: string): JsonParsing => ({ ok: false, message, line: null, column: null });

const refusedAt = ({ line, column }: { line: number; column: number }, message: string): JsonParsing => ({
  ok: false,
  message: `line ${line}, column ${column}: ${message}`,
  line,
  column,
});

function positionOf(bytes: Uint8Array, offset: number): { line: number; column: number } {
  const before = Buffer.from(bytes.buffer, bytes.byteOffset, offset)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  const lines = before.split(/\r\n|\n|\r/);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
