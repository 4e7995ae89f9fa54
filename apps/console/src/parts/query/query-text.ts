import terms from '../../api/query-terms.json' with { type: 'json' };

/** The beginning of the parameters that filter by custom fields. */
export const CUSTOM_FIELD = 'customField.';

/** A filter as the query text writes it; `scripts/api-types.mjs` lists them. */
export interface QueryTerm {
  /** Such as `severity:` or `due:<`. */
  term: string;
  parameter: string;
  values: readonly string[] | null;
  description: string | null;
}

/** The filters of each list. Those by custom fields are given by name: `customFieldOf`. */
export const TERMS: Record<'assets' | 'findings', readonly QueryTerm[]> = {
  assets: terms.assets.filter(({ parameter }) => !parameter.startsWith(CUSTOM_FIELD)),
  findings: terms.findings,
};

export type QueriedList = keyof typeof TERMS;

/** A term of a query text, from its first character to the one after its value. */
export interface GivenTerm {
  parameter: string;
  value: string;
  start: number;
  end: number;
}

const SPACES = /\s*/y;
const KEY = /(?:[a-z]+|customField\.(?:"(?:[^"\\]|\\.)*"|[^\s":]+)):(?:>=|<)?/iy;
const VALUE = /"((?:[^"\\]|\\.)*)"(?!\S)|(\S*)/y;
const WORD = /"[^"]*"(?!\S)|\S+/y;
const FIELD_KEY = /^customField\.(?:"((?:[^"\\]|\\.)*)"|([^\s":]+)):$/i;

/** The terms of a text and its words, in their order, as the service reads them. */
function partsOf(list: QueriedList, text: string): (GivenTerm | { word: string })[] {
  const parts: (GivenTerm | { word: string })[] = [];
  for (let at = endOf(SPACES, text, 0); at < text.length; at = endOf(SPACES, text, at)) {
    const term = termAt(list, text, at);
    const word = matchAt(WORD, text, at)![0];
    parts.push(term ?? { word });
    at = term?.end ?? at + word.length;
  }
  return parts;
}

function termAt(list: QueriedList, text: string, start: number): GivenTerm | null {
  const [key] = matchAt(KEY, text, start) ?? [];
  const parameter = key && parameterOf(list, key);
  if (!parameter) return null;
  const [whole, quoted, plain] = matchAt(VALUE, text, start + key.length)!;
  const value = quoted === undefined ? plain! : unquoted(quoted);
  return { parameter, value, start, end: start + key.length + whole.length };
}

/** @param key such as `severity:>=` or `customField.Team:` */
function parameterOf(list: QueriedList, key: string): string | undefined {
  const field = list === 'assets' ? customFieldOf(key) : undefined;
  if (field !== undefined) return CUSTOM_FIELD + field;
  return TERMS[list].find(({ term }) => term.toLowerCase() === key.toLowerCase())?.parameter;
}

/** The name of the custom field of a term; undefined if it is another term. */
export function customFieldOf(key: string): string | undefined {
  const [, quoted, plain] = FIELD_KEY.exec(key) ?? [];
  return quoted === undefined ? plain : unquoted(quoted);
}

/** The parameters that a text sets: the service refuses a parameter that is given twice. */
export const parametersIn = (list: QueriedList, text: string): string[] =>
  partsOf(list, text).flatMap((part) => ('word' in part ? [] : [part.parameter]));

/** Sets a text in an address, and removes the parameters that it sets. */
export const textChanges = (list: QueriedList, text: string): Record<string, string | undefined> => ({
  ...Object.fromEntries(parametersIn(list, text).map((name) => [name, undefined])),
  q: text,
});

/** The value that a text gives a parameter; undefined if none. */
export function valueIn(list: QueriedList, text: string, parameter: string): string | undefined {
  const given = partsOf(list, text).find((part) => !('word' in part) && part.parameter === parameter);
  return given && 'value' in given ? given.value : undefined;
}

/** A text without its terms for some parameters. */
export const withoutTerms = (list: QueriedList, text: string, parameters: readonly string[]): string =>
  partsOf(list, text)
    .flatMap((part) => {
      if ('word' in part) return [isPhrase(part.word) ? part.word : part.word.replace(/^"/, "'")];
      return parameters.includes(part.parameter) ? [] : [text.slice(part.start, part.end)];
    })
    .join(' ');

/** A text without its terms for the parameters that are set. It is unchanged if it has none. */
export function withoutSet(
  list: QueriedList,
  text: string,
  changes: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  const given = parametersIn(list, text);
  const replaced = given.filter((parameter) => changes[parameter]?.length);
  return replaced.length === 0 ? text : withoutTerms(list, text, replaced);
}

/** Another quote at the beginning of a word could begin a phrase with the words after a removed term. */
const isPhrase = (word: string): boolean => word.length > 1 && word.startsWith('"') && word.endsWith('"');

const unquoted = (text: string): string => text.replaceAll(/\\(["\\])/g, '$1');

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const endOf = (pattern: RegExp, text: string, at: number): number =>
  at + matchAt(pattern, text, at)![0].length;
