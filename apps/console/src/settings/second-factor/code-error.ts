import { plural } from '@lingui/core/macro';
import type { Failure } from '../../api/client.ts';
import { sentenceOf } from '../../parts/states.tsx';

const TOO_MANY = 429;

/** A 429 contains only the number of seconds. */
export function codeErrorOf(error: Failure | null): string | null {
  if (error === null) return null;
  if (error instanceof Error || error.statusCode !== TOO_MANY) return sentenceOf(error);
  return plural(Number(error.message), {
    one: 'Too many wrong attempts. Try again in # second.',
    other: 'Too many wrong attempts. Try again in # seconds.',
  });
}
