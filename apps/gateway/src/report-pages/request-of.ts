import { isoTime } from '#libs/domain';
import { isInstant } from '../paging/instant.ts';

/** Path and query of a request with the parameters of a validated one; those without a value are omitted. */
export function requestOf(path: string, query: object): string {
  const parameters = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, isInstant(name) ? isoTime(value) : String(value)]);
  return `${path}?${new URLSearchParams(parameters)}`;
}
