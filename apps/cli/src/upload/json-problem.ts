import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/**
 * Why bytes are not one JSON object in UTF-8 (a BOM is fine), as the end of a sentence that starts with the file's
 * name; null if they are. Names line and column and never quotes the content.
 */
export function jsonProblem(content: Buffer): string | null {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return 'is not UTF-8 text';
  }
  try {
    const value: unknown = JSON.parse(text);
    return kindOf(value) === 'an object' ? null : `contains ${kindOf(value)}; a signal must be an object {…}`;
  } catch {
    return `is not JSON: ${firstError(text)}`;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function firstError(text: string): string {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const first = errors[0];
  if (!first) return 'unexpected content';
  const before = text.slice(0, first.offset).split('\n');
  const words = printParseErrorCode(first.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return `${words} at line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
