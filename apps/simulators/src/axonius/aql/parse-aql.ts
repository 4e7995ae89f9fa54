import type { Filter } from '../../query/found-records.ts';
import type { Fields } from '../../records/collection.ts';

/** A query that is none, or more than the simulator supports. */
export class AqlError extends Error {}

type Predicate = (device: Fields) => boolean;

const CHARACTERS_MAX = 100_000;
const DEPTH_MAX = 50;
const TOKEN = /\s*(?:"(?<text>(?:[^"\\]|\\.)*)"|(?<word>==|regex\b|or\b|and\b|[(),]))/y;

interface Token {
  kind: 'text' | 'word';
  text: string;
}

/**
 * Reads a query of `==`, `regex`, `or`, `and` and brackets: `("specific_data.data.name" == regex("x","i")) or (…)`.
 * @throws AqlError if it is anything else
 */
export function parseAql(query: string): Filter {
  if (query.trim() === '') return { name: '', matches: () => true };
  if (query.length > CHARACTERS_MAX) throw new AqlError();
  const tokens = tokensOf(query);
  const { predicate, end } = alternatives(tokens, 0, 0);
  if (end !== tokens.length) throw new AqlError();
  return { name: query, matches: predicate };
}

interface Parsed {
  predicate: Predicate;
  /** The token after it. */
  end: number;
}

function alternatives(tokens: Token[], start: number, depth: number): Parsed {
  return joined(
    tokens,
    start,
    'or',
    (at) => joined(tokens, at, 'and', (inner) => term(tokens, inner, depth), every),
    some,
  );
}

const some =
  (terms: Predicate[]): Predicate =>
  (device) =>
    terms.some((holds) => holds(device));
const every =
  (terms: Predicate[]): Predicate =>
  (device) =>
    terms.every((holds) => holds(device));

function joined(
  tokens: Token[],
  start: number,
  word: string,
  read: (at: number) => Parsed,
  join: (terms: Predicate[]) => Predicate,
): Parsed {
  const terms: Predicate[] = [];
  let at = start;
  for (;;) {
    const { predicate, end } = read(at);
    terms.push(predicate);
    if (!isWord(tokens[end], word)) return { predicate: join(terms), end };
    at = end + 1;
  }
}

function term(tokens: Token[], at: number, depth: number): Parsed {
  if (!isWord(tokens[at], '(')) return comparison(tokens, at);
  if (depth === DEPTH_MAX) throw new AqlError();
  const { predicate, end } = alternatives(tokens, at + 1, depth + 1);
  expect(tokens[end], ')');
  return { predicate, end: end + 1 };
}

function comparison(tokens: Token[], at: number): Parsed {
  const field = textOf(tokens[at]);
  expect(tokens[at + 1], '==');
  if (!isWord(tokens[at + 2], 'regex')) {
    const value = textOf(tokens[at + 2]);
    return { predicate: holdsFor(field, (text) => text === value), end: at + 3 };
  }
  expect(tokens[at + 3], '(');
  const hasFlags = isWord(tokens[at + 5], ',');
  const pattern = patternOf(textOf(tokens[at + 4]), hasFlags ? textOf(tokens[at + 6]) : '');
  const end = at + (hasFlags ? 7 : 5);
  expect(tokens[end], ')');
  return { predicate: holdsFor(field, (text) => pattern.test(text)), end: end + 1 };
}

function patternOf(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch {
    throw new AqlError();
  }
}

const holdsFor =
  (field: string, holds: (text: string) => boolean): Predicate =>
  (device) =>
    [device[field]].flat().some((value) => value !== undefined && holds(String(value)));

function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  const end = query.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const groups = TOKEN.exec(query)?.groups;
    if (groups?.word !== undefined) tokens.push({ kind: 'word', text: groups.word });
    else if (groups?.text !== undefined) tokens.push({ kind: 'text', text: unescaped(groups.text) });
    else throw new AqlError();
  }
  return tokens;
}

/** Only quotes are escaped: a backslash of a regular expression stays. */
const unescaped = (text: string): string => text.replaceAll('\\"', '"');

const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === 'word' && token.text === word;

function expect(token: Token | undefined, word: string): void {
  if (!isWord(token, word)) throw new AqlError();
}

function textOf(token: Token | undefined): string {
  if (token?.kind !== 'text') throw new AqlError();
  return token.text;
}
