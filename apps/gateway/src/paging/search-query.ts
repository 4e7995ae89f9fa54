import { BadRequestException } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';

/** Longer queries are refused by their DTOs. */
export const SEARCH_CHARACTERS_MAX = 200;

/** What the description of `q` says beside where it looks. */
export const SEARCH_RULES =
  'Words in any order, all of which must occur, each as the beginning of a word; one with signs in it ' +
  '(`CVE-2021-44228`, `web01.corp`, `10.0.0.5`) as a row of words. At least one letter or digit';

const SIGNS = /[^\p{L}\p{M}\p{N}]+/u;

/**
 * The tsquery of what somebody typed; only letters and digits get into it, quoted, so that nothing is syntax.
 * @throws BadRequestException where no letter and no digit is there
 */
export function searchQuery(q: string): RawBuilder<unknown> {
  const phrases = q
    .normalize('NFC')
    .split(/\s+/u)
    .map((word) => word.split(SIGNS).filter(Boolean))
    .filter((parts) => parts.length > 0)
    .map((parts) => `(${parts.map((part, i) => quoted(part, i === parts.length - 1)).join(' <-> ')})`);
  if (phrases.length === 0) throw new BadRequestException('q: at least one letter or digit is needed');
  return sql`to_tsquery('simple', ${phrases.join(' & ')})`;
}

const quoted = (part: string, isBeginning: boolean): string => `'${part}'${isBeginning ? ':*' : ''}`;
