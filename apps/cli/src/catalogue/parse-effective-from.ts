import { InvalidArgumentError } from 'commander';
import { readInstant } from '#libs/domain';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The instant from which on an import counts, epoch milliseconds: a day means its beginning in UTC.
 * @throws InvalidArgumentError (exit 2) if it is malformed, before 1970, or in the future
 */
export function parseEffectiveFrom(text: string): number {
  const at = readInstant(DAY.test(text) ? `${text}T00:00:00Z` : text);
  if (at === null || at < 0) {
    throw new InvalidArgumentError(
      'Expected a day or an ISO 8601 time with its zone, such as 2026-05-31 or 2026-05-31T12:00:00Z.',
    );
  }
  if (at > Date.now())
    throw new InvalidArgumentError('It is in the future: expected an instant in the past.');
  return at;
}
