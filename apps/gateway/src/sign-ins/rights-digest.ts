import { createHash } from 'node:crypto';
import type { OidcProvider } from '#libs/config';

/** What decides who a user is and may do. The refresh tokens of sessions belong to the client. */
const RIGHTS = [
  'issuer',
  'clientId',
  'grants',
  'departments',
  'locations',
  'groupsClaim',
  'groupsFrom',
  'externalIdClaim',
  'audiences',
] as const satisfies (keyof OidcProvider)[];

/** Of the settings of a provider: with another one users sign in again. */
export const rightsDigest = (provider: Pick<OidcProvider, (typeof RIGHTS)[number]>): string =>
  createHash('sha256')
    .update(JSON.stringify(RIGHTS.map((name) => inOrder(provider[name]))))
    .digest('hex');

/** The order of groups means nothing. */
const inOrder = (value: string | string[] | Record<string, string[]> | undefined): unknown =>
  typeof value === 'object' && !Array.isArray(value)
    ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    : value;
