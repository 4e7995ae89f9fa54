import type { ChangeEvent } from '#libs/contracts';

const TIMES = new Set(['at', 'until', 'firstSeen', 'lastSeen', 'expiresAt', 'deletedAt', 'updatedAt']);

/** Names that a sender chose stand for lists only, so that a number under one of these is a time of ours. */
const withTimes = (name: string, value: unknown): unknown =>
  typeof value === 'number' && TIMES.has(name) ? new Date(value).toISOString() : value;

/** A change as an event of the stream, without its id and the empty line that ends it: those are each client's own. */
export const eventText = (kind: ChangeEvent['kind'], changed: ChangeEvent['changed']): string =>
  `event: ${kind}\ndata: ${JSON.stringify(changed, withTimes)}\n`;
