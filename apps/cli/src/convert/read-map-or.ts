import { WrongMap } from '#libs/reports';
import { usageError } from '../cli-error.ts';
import { printable } from '../printable.ts';

/**
 * The result of reading maps.
 * @throws CliError exit 2 if a map is wrong
 */
export function readMapOr<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WrongMap)) throw error;
    throw usageError(printable(error.message), error.details.map(printable));
  }
}
