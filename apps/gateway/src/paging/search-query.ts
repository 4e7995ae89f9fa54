import { BadRequestException } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';
import { unicodeForms } from './unicode-forms.ts';

/** Longer queries are rejected by their DTOs. */
export const SEARCH_CHARACTERS_MAX = 200;
/** Of a text that also contains filters. */
export const QUERY_TEXT_CHARACTERS_MAX = 1_000;

/** The description of `q` except the searched fields. */
export const SEARCH_RULES =
  'All words must occur, in any order, each as the prefix of a word. A word that contains punctuation ' +
  '(`CVE-2021-44228`, `web01.corp`, `10.0.0.5`) is a phrase, and so is text in double quotes. The query needs at least ' +
  'one letter or digit';

/** A text in quotes, or a word. */
const WORD = /"[^"]*"(?!\S)|\S+/gu;
const SIGNS = /[^\p{L}\p{M}\p{N}]+/u;
const LETTER = /[\p{L}\p{N}]/u;

/** The word, or the text in quotes, that begins at a character other than a space. */
export function searchWordAt(text: string, at: number): string {
  WORD.lastIndex = at;
  return WORD.exec(text)![0];
}

/**
 * The tsquery of a user's search text; it contains only letters and digits, quoted, so that nothing is syntax.
 * @throws BadRequestException if the text has no letter and no digit
 */
export function searchQuery(q: string): RawBuilder<unknown> {
  const phrases = (q.match(WORD) ?? [])
    .map((word) => word.split(SIGNS).filter((part) => LETTER.test(part)))
    .filter((parts) => parts.length > 0)
    .map((parts) => `(${parts.map((part, i) => quoted(part, i === parts.length - 1)).join(' <-> ')})`);
  if (phrases.length === 0) throw new BadRequestException('q must contain at least one letter or digit');
  return sql`to_tsquery('simple', ${phrases.join(' & ')})`;
}

const quoted = (part: string, isBeginning: boolean): string =>
  `(${unicodeForms(part)
    .map((form) => `'${form}'${isBeginning ? ':*' : ''}`)
    .join(' | ')})`;
