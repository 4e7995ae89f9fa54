import { t } from '@lingui/core/macro';
import { CUSTOM_FIELD, customFieldOf, type QueriedList, type QueryTerm, TERMS } from './query-text.ts';
import { termWords } from './term-words.ts';

/** Something that can be typed next. */
export interface Suggestion {
  /** The whole text with it. */
  text: string;
  label: string;
  detail: string | null;
}

const SUGGESTED_MAX = 12;

/** The term at the end of a text and the beginning of its value, which may be quoted. */
const OPEN_TERM =
  /(?:^|\s)((?:[a-z]+|customField\.(?:"(?:[^"\\]|\\.)*"|[^\s":]+)):(?:>=|<)?)(?:"([^"]*)|([^\s"]*))$/i;
/** The beginning of a term at the end of a text. */
const BEGINNING = /(?:^|\s)([a-z]+(?:\.(?:"[^"]*"?|[^\s":]*))?:?[<>]?)$/i;
/** The service refuses a name whose quote is open. */
const BEGUN_FIELD = /(?:^|\s)customField\.(?:[^\s":]*|"[^"]*"?)$/i;

/** The term of a custom field. */
const fieldTerm = (name: string): QueryTerm => ({
  term: `${CUSTOM_FIELD}${/[\s":]/.test(name) ? quote(name) : name}:`,
  parameter: CUSTOM_FIELD + name,
  values: null,
  description: t`Custom field`,
});

function find(list: QueriedList, term: string): QueryTerm | undefined {
  const name = list === 'assets' ? customFieldOf(term) : undefined;
  if (name !== undefined) return fieldTerm(name);
  return TERMS[list].find((one) => one.term.toLowerCase() === term.toLowerCase());
}

/** The terms that begin as the text ends, but no term that is complete. */
function begunTerms(
  list: QueriedList,
  text: string,
  fields: readonly string[] = [],
): { typed: string; terms: QueryTerm[] } {
  const typed = BEGINNING.exec(text)?.[1] ?? '';
  const beginning = comparable(typed);
  const begins = ({ term }: QueryTerm) =>
    comparable(term).length > beginning.length && comparable(term).startsWith(beginning);
  return { typed, terms: typed === '' ? [] : [...TERMS[list], ...fields.map(fieldTerm)].filter(begins) };
}

/** Without quotes: a name can be typed before one knows that it has a space. */
const comparable = (term: string): string => term.toLowerCase().replaceAll('"', '');

/** The term whose value the user is typing; null if the text ends with a word or a space. */
export function openTerm(list: QueriedList, text: string): { term: QueryTerm; typed: string } | null {
  const [found, name, quoted, plain] = OPEN_TERM.exec(text) ?? [];
  const term = found === undefined ? undefined : find(list, name!);
  return term ? { term, typed: quoted ?? plain! } : null;
}

/** Whether the text ends within a term: the service would refuse what is typed of it. */
export const isInTerm = (list: QueriedList, text: string): boolean =>
  openTerm(list, text) !== null ||
  (/[:<>]$/.test(text) && begunTerms(list, text).terms.length > 0) ||
  (list === 'assets' && BEGUN_FIELD.test(text));

/**
 * @param valuesOf known values of a filter that has no closed set
 * @param fields names of the custom fields
 */
export function suggest(
  list: QueriedList,
  text: string,
  valuesOf: (parameter: string) => readonly string[],
  fields: readonly string[] = [],
): Suggestion[] {
  const open = openTerm(list, text);
  const values =
    open === null ? [] : valuesFor(text, open, open.term.values ?? valuesOf(open.term.parameter));
  const { typed, terms } = begunTerms(list, text, fields);
  const before = text.slice(0, text.length - typed.length);
  const words = termWords(list);
  const begun = terms.map(({ term, parameter, values: known, description }) => ({
    text: before + term,
    label: term,
    detail: known?.join(', ') ?? words[parameter] ?? description,
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

const quotedIfNeeded = (value: string): string => (/[\s"]/.test(value) ? quote(value) : value);

const quote = (value: string): string => `"${value.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`;
