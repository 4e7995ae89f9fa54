import { withoutSet } from '../parts/query/query-text.ts';
import { type Grouping, KEY_FILTERS } from './filter-names.ts';

const NOT_OF_A_GROUP: ReadonlySet<string> = new Set(['by', 'cursor', 'asOf']);

/**
 * The address of the list of a group: its key, and the other filters of the address. A filter takes one value: the key
 * replaces another one, also in the query text.
 */
export function addressOf(
  given: readonly [name: string, value: string][],
  by: Grouping,
  key: string,
): URLSearchParams {
  const params = new URLSearchParams(given.filter(([name]) => !NOT_OF_A_GROUP.has(name)));
  const filter = KEY_FILTERS[by];
  const q = withoutSet('findings', params.get('q') ?? '', { [filter]: key });
  if (q === '') params.delete('q');
  else params.set('q', q);
  params.set(filter, key);
  return params;
}
