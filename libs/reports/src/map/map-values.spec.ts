import { describe, expect, it } from '@jest/globals';
import { TEXT_CHARS_MAX } from '../signal/clip.ts';
import { ValueCompiler } from './map-values.ts';
import type { MapCondition, MapList, MapValue } from './report-map.ts';
import { Scope } from './scope.ts';
import { jsonTree } from './tree.ts';

const scopeOf = (node: unknown) => new Scope(jsonTree, node, null, new Map());

function textOf(value: MapValue, node: unknown): string | null {
  return new ValueCompiler().text(value, [])(scopeOf(node));
}
const textsOf = (list: MapList, node: unknown) => new ValueCompiler().list(list, [])(scopeOf(node));
const test = (condition: MapCondition, node: unknown) =>
  new ValueCompiler().condition(condition, [])(scopeOf(node));

describe('a value', () => {
  it.each<[string, MapValue, unknown, string | null]>([
    ['a constant', 'high', {}, 'high'],
    ['a template', '{a} ({b})', { a: 'x', b: 2 }, 'x (2)'],
    ['empty if a path has no text', '{a} ({b})', { a: 'x', b: ' ' }, null],
    ['braces', '{{{a}}}', { a: 'x' }, '{x}'],
    ['a truth value', '{a}', { a: false }, 'false'],
    ['the first element of a list', '{a}', { a: ['x', 'y'] }, 'x'],
    ['all elements', '{a[]}', { a: ['x', null, 'y'] }, 'x, y'],
    ['all of a single value', '{a[]}', { a: 'x' }, 'x'],
    ['the first candidate with a text', ['{a}', '{b}', 'c'], { b: 'x' }, 'x'],
    ['a default', ['{a}', 'c'], { a: null }, 'c'],
    ['words, in any case', { value: '{a}', words: { Bad: 'high' } }, { a: 'BAD' }, 'high'],
    ['a text without a word', { value: '{a}', words: { Bad: 'high' } }, { a: 'low' }, 'low'],
    ['otherwise', { value: '{a}', words: { bad: 'high' }, otherwise: 'info' }, { a: 'x' }, 'info'],
    ['otherwise, without a text', { value: '{a}', otherwise: 'info' }, {}, 'info'],
    ['a condition', { value: 'x', when: { value: '{a}', is: ['1'] } }, { a: 2 }, null],
    ['joined', { join: ['{a}', '{b}', 'c'], with: '-' }, { a: 1 }, '1-c'],
    ['before the last', { value: '{a}', before: '@' }, { a: '@scope/x@1.0' }, '@scope/x'],
    ['the whole, if it begins with it', { value: '{a}', before: '@' }, { a: '@x' }, '@x'],
    ['no text for an object', '{a}', { a: { b: 1 } }, null],
  ])('%s', (_, value, node, text) => {
    expect(textOf(value, node)).toBe(text);
  });

  it('reaches nothing of a prototype', () => {
    for (const path of ['constructor.name', '__proto__.a', 'toString', 'a.constructor.name', 'a.length'])
      expect([path, textOf(`{${path}}`, { a: ['x'] })]).toEqual([path, null]);
    expect(textOf({ value: '{a}', words: {} }, { a: 'constructor' })).toBe('constructor');
  });

  it('is bounded, however often a template repeats a long text', () => {
    const long = 'x'.repeat(TEXT_CHARS_MAX);
    expect(textOf('{a}'.repeat(500), { a: long })).toHaveLength(TEXT_CHARS_MAX);
    expect(textOf('{a[]}', { a: Array.from({ length: 100 }, () => long) })).toHaveLength(TEXT_CHARS_MAX);
    expect(
      textsOf('{a[].b[]}', { a: Array.from({ length: 300 }, () => ({ b: Array(300).fill('x') })) }),
    ).toHaveLength(1_000);
  });

  it('is read once for each element around, however many findings it has', () => {
    let reads = 0;
    const tree = {
      ...jsonTree,
      named: (node: unknown, name: string) => {
        reads += 1;
        return jsonTree.named(node, name);
      },
    };
    const around = new Scope(tree, { a: 'x' }, null, new Map());
    const read = new ValueCompiler().text('{^.a}', []);
    for (let i = 0; i < 100; i++) expect(read(around.inner({}))).toBe('x');
    expect(reads).toBe(1);
  });
});

describe('a list', () => {
  it.each<[string, MapList, unknown, string[]]>([
    ['each value of a path', 'CWE-{a[]}', { a: [1, 2] }, ['CWE-1', 'CWE-2']],
    ['several templates', ['{a}', '{b}'], { a: 'x', b: 'y' }, ['x', 'y']],
    ['several paths in one', '{a}:{b[]}', { a: 'x', b: ['y', 'z'] }, ['x:y, z']],
    ['split texts', [{ value: '{a}', split: ',' }], { a: 'x,y' }, ['x', 'y']],
    ['a condition', [{ value: '{a}', when: { value: '{a}', isNot: ['x'] } }], { a: 'x' }, []],
    ['constants', '798', {}, ['798']],
    ['nothing', '{a}', {}, []],
  ])('has %s', (_, list, node, texts) => {
    expect(textsOf(list, node)).toEqual(texts);
  });
});

describe('a condition', () => {
  it.each<[MapCondition, unknown, boolean]>([
    [{ value: '{a}', is: ['X'] }, { a: 'x' }, true],
    [{ value: '{a}', is: ['x'] }, {}, false],
    [{ value: '{a}', isNot: ['x'] }, {}, true],
    [{ value: '{a}', isNot: ['x'] }, { a: 'x' }, false],
    [{ value: '{a}', exists: false }, {}, true],
    [{ value: '{a}', exists: true }, { a: 0 }, true],
    [{ value: '{a}', beginsWith: 'AWS' }, { a: 'aws key' }, true],
    [{ value: '{a}', beginsWith: 'AWS' }, {}, false],
    [
      [
        { value: '{a}', is: ['1'] },
        { value: '{b}', is: ['2'] },
      ],
      { a: 1, b: 3 },
      false,
    ],
    [
      {
        any: [
          { value: '{a}', is: ['1'] },
          { value: '{b}', is: ['2'] },
        ],
      },
      { b: 2 },
      true,
    ],
    [[], {}, true],
  ])('%j of %j: %s', (condition, node, isTrue) => {
    expect(test(condition, node)).toBe(isTrue);
  });
});
