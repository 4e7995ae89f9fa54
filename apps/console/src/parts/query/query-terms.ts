import terms from '../../api/query-terms.json';

/** A filter as the query text writes it; `scripts/api-types.mjs` lists them. */
export interface QueryTerm {
  /** Such as `severity:` or `due:<`. */
  term: string;
  parameter: string;
  values: readonly string[] | null;
  description: string | null;
}

/** The filters of each list. */
const TERMS: Record<'assets' | 'findings', readonly QueryTerm[]> = terms;

export type QueriedList = keyof typeof TERMS;

/** Something that can be typed next. */
export interface Suggestion {
  /** The whole text with it. */
  text: string;
  label: string;
  detail: string | null;
}

const SUGGESTED_MAX = 12;

/** The term at the end of a text and the beginning of its value, which may be quoted. */
const OPEN_TERM = /(?:^|\s)([a-z]+:(?:>=|<)?)(?:"([^"]*)|([^\s"]*))$/i;
/** The beginning of a term at the end of a text. */
const BEGINNING = /(?:^|\s)([a-z]+:?[<>]?)$/i;
const TERM = /(?:^|\s)([a-z]+:(?:>=|<)?)/gi;
const QUOTED = /(^|[\s:=<])"(?:[^"\\]|\\.)*"/g;

const find = (list: QueriedList, term: string): QueryTerm | undefined =>
  TERMS[list].find((one) => one.term.toLowerCase() === term.toLowerCase());

/** The terms that begin as the text ends, but no term that is complete. */
function begunTerms(list: QueriedList, text: string): { typed: string; terms: QueryTerm[] } {
  const typed = BEGINNING.exec(text)?.[1] ?? '';
  const begins = ({ term }: QueryTerm) =>
    term.length > typed.length && term.toLowerCase().startsWith(typed.toLowerCase());
  return { typed, terms: typed === '' ? [] : TERMS[list].filter(begins) };
}

/** The term whose value the user is typing; null if the text ends with a word or a space. */
export function openTerm(list: QueriedList, text: string): { term: QueryTerm; typed: string } | null {
  const [found, name, quoted, plain] = OPEN_TERM.exec(text) ?? [];
  const term = found === undefined ? undefined : find(list, name!);
  return term ? { term, typed: quoted ?? plain! } : null;
}

/** Whether the text ends within a term: the service would refuse what is typed of it. */
export const isInTerm = (list: QueriedList, text: string): boolean =>
  openTerm(list, text) !== null || (/[:<>]$/.test(text) && begunTerms(list, text).terms.length > 0);

/** @param valuesOf known values of a filter that has no closed set */
export function suggest(
  list: QueriedList,
  text: string,
  valuesOf: (parameter: string) => readonly string[],
): Suggestion[] {
  const open = openTerm(list, text);
  const values =
    open === null ? [] : valuesFor(text, open, open.term.values ?? valuesOf(open.term.parameter));
  const { typed, terms } = begunTerms(list, text);
  const before = text.slice(0, text.length - typed.length);
  const begun = terms.map(({ term, values: known, description }) => ({
    text: before + term,
    label: term,
    detail: known?.join(', ') ?? description,
  }));
  return [...values, ...begun].slice(0, SUGGESTED_MAX);
}

function valuesFor(
  text: string,
  { term, typed }: { term: QueryTerm; typed: string },
  values: readonly string[],
): Suggestion[] {
  const last = term.values === null ? typed : typed.slice(typed.lastIndexOf(',') + 1);
  const isQuoted = text.endsWith(`"${typed}`);
  const before = text.slice(0, text.length - last.length - (isQuoted ? 1 : 0));
  return values
    .filter((value) => value.toLowerCase().startsWith(last.toLowerCase()))
    .map((value) => ({ text: `${before}${quotedIfNeeded(value)} `, label: value, detail: null }));
}

const quotedIfNeeded = (value: string): string =>
  /[\s"]/.test(value) ? `"${value.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"` : value;

/** The parameters that a text sets: the service refuses an address with both. */
export const parametersIn = (list: QueriedList, text: string): string[] =>
  Array.from(text.replaceAll(QUOTED, '$1').matchAll(TERM), ([, term]) => find(list, term!)?.parameter).filter(
    (parameter) => parameter !== undefined,
  );
