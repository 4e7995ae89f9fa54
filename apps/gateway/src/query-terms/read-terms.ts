import { searchWordAt } from '../paging/search-query.ts';
import { type TermForm, written } from './term-forms.ts';

/** A term of a query text. */
export interface Term {
  parameter: string;
  /** As the parameter has it in an address. */
  value: string;
  /** Place of its first character in the text, from 1. */
  position: number;
}

export interface QueryText {
  /** The text without its terms: the words to search for. */
  words: string;
  terms: Term[];
}

/** A query text that cannot be read. */
export class QueryTextError extends Error {
  /** @param position of the character at which something else is expected, from 1 */
  constructor(
    readonly position: number,
    message: string,
  ) {
    super(message);
  }
}

const NEGATED = 'a filter cannot be negated: omit the -';
const SPACES = /\s*/y;
const KEY = /(-?)([a-z]+):/iy;
/** The beginning of a key that ends in a name, and that name: it is quoted if it has a space, a colon or a quote. */
const NAMED_KEY = /(-?)([a-z]+\.)/iy;
const NAME = /(?:"((?:[^"\\]|\\["\\])*)"|([^\s":]+)):/y;
const COMPARISON = /[<>]?=?/y;
const QUOTED = /"((?:[^"\\]|\\["\\])*)"(?!\S)/y;
const UNQUOTED = /\S+/y;
const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * Separates the terms of a query text from its words. A word with another colon, such as an ARN or a URL, stays a word.
 * @throws QueryTextError
 */
export function readTerms(text: string, forms: readonly TermForm[]): QueryText {
  const words: string[] = [];
  const terms: Term[] = [];
  for (let at = endOf(SPACES, text, 0); at < text.length; at = endOf(SPACES, text, at)) {
    const read = readTerm(text, at, forms);
    if (read === null) {
      const word = searchWordAt(text, at);
      words.push(isPhrase(word) ? word : word.replace(/^"/, "'"));
      at += word.length;
      continue;
    }
    if (terms.some(({ parameter }) => parameter === read.term.parameter)) {
      throw new QueryTextError(at + 1, 'this filter is given twice: separate alternatives by commas');
    }
    terms.push(read.term);
    at = read.end;
  }
  return { words: words.join(' '), terms };
}

/** The term at a place; null if there is a word. */
function readTerm(
  text: string,
  start: number,
  forms: readonly TermForm[],
): { term: Term; end: number } | null {
  return readNamedTerm(text, start, forms) ?? readPlainTerm(text, start, forms);
}

/** A word if no colon follows the name. */
function readNamedTerm(
  text: string,
  start: number,
  forms: readonly TermForm[],
): { term: Term; end: number } | null {
  const [begun, minus, prefix] = matchAt(NAMED_KEY, text, start) ?? [];
  const form = begun && forms.find((one) => one.isNamed && isNamed(one.key, prefix!));
  if (!form) return null;
  const afterKey = start + begun.length;
  const [named, quoted, plain] = matchAt(NAME, text, afterKey) ?? [];
  const position = start + 1;
  if (named === undefined) {
    if (text[afterKey] !== '"') return null;
    throw new QueryTextError(afterKey + 1, 'expected a closing quote, and then a colon');
  }
  if (minus !== '') throw new QueryTextError(position, NEGATED);
  const name = quoted === undefined ? plain! : unquoted(quoted);
  const { value, end } = readValue(text, afterKey + named.length, form);
  return { term: { parameter: form.parameter + name, value, position }, end };
}

function readPlainTerm(
  text: string,
  start: number,
  forms: readonly TermForm[],
): { term: Term; end: number } | null {
  const [named, minus, key] = matchAt(KEY, text, start) ?? [];
  if (named === undefined) return null;
  const own = forms.filter((form) => isNamed(form.key, key!));
  const [misnamed] = forms.filter(({ parameter }) => isNamed(parameter, key!));
  if (own.length === 0 && misnamed === undefined) return null;
  const position = start + 1;
  if (minus !== '') throw new QueryTextError(position, NEGATED);
  if (own.length === 0) throw new QueryTextError(position, `expected ${written(misnamed!)}`);

  const afterKey = start + named.length;
  const comparison = matchAt(COMPARISON, text, afterKey)![0];
  const form = own.find((one) => one.comparison === comparison);
  if (!form) throw new QueryTextError(afterKey + 1, `expected ${own.map(written).join(' or ')}`);
  if (!form.isTaken) throw new QueryTextError(position, `${written(form)} is not a filter here`);
  const { value, end } = readValue(text, afterKey + comparison.length, form);
  return { term: { parameter: form.parameter, value, position }, end };
}

function readValue(text: string, start: number, form: TermForm): { value: string; end: number } {
  const isQuoted = text[start] === '"';
  const found = matchAt(isQuoted ? QUOTED : UNQUOTED, text, start);
  if (found === null) {
    const expected = isQuoted ? 'a closing quote, and then a space' : `a value after ${written(form)}`;
    throw new QueryTextError(start + 1, `expected ${expected}`);
  }
  const given = isQuoted ? unquoted(found[1]!) : found[0];
  return {
    value: form.isInstant && DAY.test(given) ? `${given}T00:00:00Z` : given,
    end: start + found[0].length,
  };
}

/** Other quotes are signs in a word. If one were kept at its beginning, it could begin a phrase with later words. */
const isPhrase = (word: string): boolean => word.length > 1 && word.startsWith('"') && word.endsWith('"');

const unquoted = (text: string): string => text.replaceAll(/\\(["\\])/g, '$1');

const isNamed = (name: string, given: string): boolean => name.toLowerCase() === given.toLowerCase();

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const endOf = (pattern: RegExp, text: string, at: number): number =>
  at + matchAt(pattern, text, at)![0].length;
