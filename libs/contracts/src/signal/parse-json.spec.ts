import { describe, expect, it } from '@jest/globals';
import { parseJson } from './parse-json.ts';

const parsed = (text: string) => parseJson(Buffer.from(text));
const messageOf = (text: string) => {
  const read = parsed(text);
  return read.ok ? 'accepted' : read.message;
};

describe('parseJson (R-SIG-1)', () => {
  it.each([
    [
      'single quotes',
      "{\n  'id': 1\n}",
      'line 2, column 3: single quotes are not allowed in JSON: use double quotes',
    ],
    [
      'a single-quoted value',
      `{"id": 'x'}`,
      'line 1, column 8: single quotes are not allowed in JSON: use double quotes',
    ],
    ['a missing comma', '{\n"a": 1\n"b": 2}', 'line 3, column 1: expected a comma'],
    ['an unclosed brace', '{"a": 1', 'line 1, column 8: expected a closing brace }'],
    ['an unclosed bracket', '{"a": [1, 2', 'line 1, column 12: expected a closing bracket ]'],
    [
      'a comma too many',
      '{"a": 1,}',
      'line 1, column 9: expected a property name in double quotes, or remove the extra comma',
    ],
    ['a missing colon', '{"a" 1}', 'line 1, column 6: expected a colon'],
    ['a missing value', '{"a": }', 'line 1, column 7: expected a value, or remove the extra comma'],
    ['an unclosed text', '{"a": "x', 'line 1, column 7: expected a closing double quote'],
    ['something after the end', '{} {}', 'line 1, column 4: unexpected text after the end of the JSON value'],
    ['a comment', '{} // x', 'line 1, column 4: comments are not allowed in JSON'],
    ['a bare word', '{"a": yes}', 'line 1, column 7: not a JSON value: put strings in double quotes'],
    [
      'a control character',
      '{"a": "x\ty"}',
      'line 1, column 7: control characters in a string must be escaped',
    ],
    ['an unknown escape', '{"a": "\\x"}', 'line 1, column 7: unknown JSON escape sequence'],
    ['nothing', ' \n', 'is empty: send JSON'],
  ])('%s: says where and what, and quotes nothing', (_, text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it('gives line and column apart', () => {
    expect(parsed('{\r\n"a": 1\r\n"b": 2}')).toMatchObject({ ok: false, line: 3, column: 1 });
    expect(parsed('')).toMatchObject({ ok: false, line: null, column: null });
  });

  it('never quotes the content', () => {
    for (const text of ['{"password": hunter2}', "{'hunter2'", '{"a": "hunter2']) {
      expect(messageOf(text)).not.toContain('hunter2');
    }
  });

  it('takes UTF-8 with and without a BOM, and nothing else (R-SIG-1)', () => {
    expect(parsed('\ufeff{"a": "é"}')).toEqual({ ok: true, value: { a: 'é' } });
    expect(parseJson(Buffer.from('{"a": "é"}', 'latin1'))).toMatchObject({
      ok: false,
      message: 'must be text in UTF-8',
    });
    expect(parseJson(Buffer.from('{}', 'utf16le')).ok).toBe(false);
  });

  it('reads a view of a larger buffer, as ZIP entries are', () => {
    const whole = Buffer.from('xx{"a": 1}yy');
    expect(parseJson(whole.subarray(2, 10))).toEqual({ ok: true, value: { a: 1 } });
    expect(parseJson(new Uint8Array(whole.subarray(2, 10)))).toEqual({ ok: true, value: { a: 1 } });
  });

  it('64 levels are taken, 65 are not, a million do not overflow the stack (R-SIG-1)', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parsed(nested(64)).ok).toBe(true);
    expect(messageOf(nested(65))).toBe('line 1, column 65: nesting exceeds 64 levels');
    expect(messageOf(`\n ${nested(500_000)}`)).toBe('line 2, column 66: nesting exceeds 64 levels');
    expect(messageOf('{"a":'.repeat(500_000))).toContain('nesting exceeds 64 levels');
  });

  it('brackets in texts are no levels, escaped quotes no end of a text', () => {
    const text = `{"a": "${'['.repeat(100)}", "b": "\\"${'{'.repeat(100)}\\\\"}`;
    expect(parsed(text).ok).toBe(true);
  });

  it('keys that reach prototypes are removed', () => {
    const read = parsed('{"__proto__": {"polluted": true}, "a": {"\\u005f_proto__": 1, "b": 2}}');
    expect(read.ok && JSON.stringify(read.value)).toBe('{"a":{"b":2}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('a megabyte of broken JSON is rejected at its first error', () => {
    expect(messageOf(`[${'x,'.repeat(500_000)}`)).toBe(
      'line 1, column 2: not a JSON value: put strings in double quotes',
    );
  });
});
