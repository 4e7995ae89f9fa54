import { InvalidArgumentError } from 'commander';
import { readInstant } from '#libs/domain';

/**
 * An instant of a command line in epoch milliseconds.
 * @throws InvalidArgumentError (exit 2), naming the format
 */
export function parseInstant(text: string): number {
  const at = readInstant(text);
  if (at === null) {
    throw new InvalidArgumentError(
      'Expected an ISO 8601 time with its zone, such as 2026-05-31T12:00:00Z or 2026-05-31T14:00:00+02:00.',
    );
  }
  return at;
}
