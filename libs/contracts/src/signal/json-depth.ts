const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/** Levels of objects and lists that a body may nest; a signal needs six. */
export const JSON_DEPTH_MAX = 64;

/**
 * Offset of the bracket that opens level 65, or -1. Looks at bytes and keeps no stack, so that no nesting overflows
 * one; the parser rejects what is not JSON.
 */
export function tooDeepAt(bytes: Uint8Array): number {
  let depth = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE) i = endOfText(bytes, i + 1);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > JSON_DEPTH_MAX) return i;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
  }
  return -1;
}

function endOfText(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}
