import { cut } from '../json-values.ts';

const ADDRESS_CHARS_MAX = 200;

/**
 * The target of a redirect, for the end of a sentence: only the address, because a path or a query may contain secrets;
 * empty if there is none over http or https.
 * @param url the requested URL, the base of a relative address
 */
export function redirectedTo({ location }: Record<string, string>, url: string): string {
  if (location === undefined || !URL.canParse(location, url)) return '';
  const { protocol, origin } = new URL(location, url);
  return /^https?:$/.test(protocol) ? `, ${cut(origin, ADDRESS_CHARS_MAX)}` : '';
}
