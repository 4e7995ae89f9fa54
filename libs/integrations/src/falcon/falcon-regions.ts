import { cut } from '../json-values.ts';

/** Base URLs of the regions, by their names. */
const REGIONS: ReadonlyMap<string, string> = new Map([
  ['us-1', 'https://api.crowdstrike.com'],
  ['us-2', 'https://api.us-2.crowdstrike.com'],
  ['us-3', 'https://api.us-3.crowdstrike.com'],
  ['eu-1', 'https://api.eu-1.crowdstrike.com'],
  ['us-gov-1', 'https://api.laggar.gcw.crowdstrike.com'],
  ['us-gov-2', 'https://api.us-gov-2.crowdstrike.mil'],
]);

const NAME_CHARS_MAX = 50;

/**
 * Names the region of an account and its base URL, from the token's response; null if the response has none, or if the
 * base URL is that one.
 * @param url the base URL that was asked
 */
export function otherRegion(headers: Record<string, string>, url: string): string | null {
  const name = headers['x-cs-region']?.trim().toLowerCase() ?? '';
  if (name === '') return null;
  const address = REGIONS.get(name);
  if (address === undefined) return `the account belongs to the region ${cut(name, NAME_CHARS_MAX)}`;
  if (new URL(address).host === new URL(url).host) return null;
  return `the account belongs to the region ${name}, whose base URL is ${address}`;
}
