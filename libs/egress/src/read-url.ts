import { EgressError } from './egress.ts';

/**
 * A URL of http or https without user info, its host in the one form that WHATWG's rules give it: `0x7f.1`, `2130706433`
 * and `0177.0.0.1` are 127.0.0.1.
 * @throws EgressError `address`; the text itself is not repeated, for it may hold a secret
 */
export function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new EgressError('address', 'the URL must be one like https://host.example');
  }
  if (url.username || url.password) {
    throw new EgressError('address', `the URL of ${url.host} must not contain a user name or password`);
  }
  return url;
}
