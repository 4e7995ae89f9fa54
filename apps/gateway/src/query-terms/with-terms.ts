import { BadRequestException, ValidationPipe } from '@nestjs/common';
import type { Dto } from '../docs/describe-checks.ts';
import { FindingFilterQuery } from '../findings/finding.dto.ts';
import { badInput } from '../http/bad-input.ts';
import { VALIDATION } from '../http/validation-pipe.ts';
import { SEARCH_CHARACTERS_MAX } from '../paging/search-query.ts';
import { QueryTextError, readTerms, type Term } from './read-terms.ts';
import { namedForm, type TermForm, termForms } from './term-forms.ts';

/**
 * A checked query of findings whose text `q` has no terms left: they are its other parameters.
 * @param metatype its class
 * @param path of the query, such as `filter.`
 * @throws BadRequestException with the place in the text
 */
export async function withTerms<T extends { q?: string }>(query: T, metatype: Dto, path = ''): Promise<T> {
  return (await separateTerms(query, metatype, { path, filters: FindingFilterQuery, prefixes: [] })).query;
}

/** The message for what cannot be read in a text, in characters from 1. */
export const termMessage = (position: number, message: string, path = ''): string =>
  `${path}q, character ${position}: ${message}`;

/**
 * As `withTerms`.
 * @param prefixes of the parameters that no class lists; their terms are returned as they are
 */
export async function separateTerms<T extends { q?: string }>(
  query: T,
  metatype: Dto,
  { path = '', filters, prefixes }: { path?: string; filters: Dto; prefixes: readonly string[] },
): Promise<{ query: T; named: Term[] }> {
  const { q, ...given } = query;
  if (q === undefined) return { query, named: [] };
  const failAt = (position: number, message: string): never => {
    throw new BadRequestException(termMessage(position, message, path));
  };
  const forms = [...termForms(filters, metatype), ...prefixes.map(namedForm)];
  const { words, terms: all } = readText(q, forms, failAt);
  const isNamed = ({ parameter }: Term) => prefixes.some((prefix) => parameter.startsWith(prefix));
  const named = all.filter(isNamed);
  const terms = all.filter((term) => !isNamed(term));
  if (words.length > SEARCH_CHARACTERS_MAX) {
    throw new BadRequestException(
      `${path}q must contain at most ${SEARCH_CHARACTERS_MAX} characters besides filters`,
    );
  }
  if (all.length === 0) return { query: { ...query, q: words }, named };
  for (const { parameter, position } of terms) {
    if (given[parameter as keyof typeof given] === undefined) continue;
    failAt(position, `${path}${parameter} is given too: omit one of them`);
  }
  const others = terms.length === 0 ? {} : await filtersOf(terms, filters, failAt);
  return { query: { ...(words !== '' && { q: words }), ...given, ...others } as T, named };
}

type FailAt = (position: number, message: string) => never;

function readText(q: string, forms: readonly TermForm[], failAt: FailAt) {
  try {
    return readTerms(q, forms);
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    return failAt(error.position, error.message);
  }
}

/** The values of terms, read and checked as those of an address. */
async function filtersOf(terms: readonly Term[], filters: Dto, failAt: FailAt): Promise<object> {
  const pipe = new ValidationPipe({
    ...VALIDATION,
    skipMissingProperties: true,
    exceptionFactory: (errors) => {
      const [first] = errors;
      const { position } = terms.find(({ parameter }) => parameter === first!.property)!;
      return failAt(position, badInput([first!]).message);
    },
  });
  const given = Object.fromEntries(terms.map(({ parameter, value }) => [parameter, value]));
  const read: object = await pipe.transform(given, { type: 'query', metatype: filters });
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
