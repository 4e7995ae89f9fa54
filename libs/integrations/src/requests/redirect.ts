import { cut } from '../json-values.ts';

const ADDRESS_CHARS_MAX = 200;

/**
 * Where a redirect leads, for the end of a sentence: the address alone, since a path or a query may hold what is no
 * user's business; empty where it says none over http or https.
 * @param url what was asked for, which a relative address is of
 */
export function redirectedTo({ location }: Record<string, string>, url: string): string {
  if (location === undefined || !URL.canParse(location, url)) return '';
  const { protocol, origin } = new URL(location, url);
  return /^https?:$/.test(protocol) ? `, ${cut(origin, ADDRESS_CHARS_MAX)}` : '';
}
