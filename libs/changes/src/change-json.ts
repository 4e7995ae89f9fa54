import { isoTime } from '#libs/domain';

const TIMES = new Set([
  'at',
  'until',
  'firstSeen',
  'lastSeen',
  'expiresAt',
  'deletedAt',
  'erasedAt',
  'updatedAt',
]);

/** Names chosen by a sender have only lists as values, so a number with one of these names is a time of the service. */
const withTimes = (name: string, value: unknown): unknown =>
  typeof value === 'number' && TIMES.has(name) ? isoTime(value) : value;

/** A change for consumers of JSON, with times in ISO 8601. */
export const changeJson = (changed: object): string => JSON.stringify(changed, withTimes);
