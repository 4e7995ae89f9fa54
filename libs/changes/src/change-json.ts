import type { ChangeEvent } from '#libs/contracts';

const TIMES = new Set(['at', 'until', 'firstSeen', 'lastSeen', 'expiresAt', 'deletedAt', 'updatedAt']);

/** Names that a sender chose stand for lists only, so that a number under one of these is a time of ours. */
const withTimes = (name: string, value: unknown): unknown =>
  typeof value === 'number' && TIMES.has(name) ? new Date(value).toISOString() : value;

/** A change as those get it who take JSON: times in ISO 8601. */
export const changeJson = (changed: ChangeEvent['changed']): string => JSON.stringify(changed, withTimes);
