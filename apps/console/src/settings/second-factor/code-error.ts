import { plural } from '@lingui/core/macro';
import type { Failure } from '../../api/client.ts';
import { retrySecondsOf } from '../../parts/retry-seconds.ts';
import { sentenceOf } from '../../parts/states.tsx';

const TOO_MANY = 429;

export function codeErrorOf(error: Failure | null): string | null {
  if (error === null) return null;
  if (error instanceof Error || error.statusCode !== TOO_MANY) return sentenceOf(error);
  const seconds = retrySecondsOf(error);
  if (seconds === undefined) return sentenceOf(error);
  return plural(seconds, {
    one: 'Too many wrong attempts. Try again in # second.',
    other: 'Too many wrong attempts. Try again in # seconds.',
  });
}
