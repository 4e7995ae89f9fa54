import type { Schemas } from '#client';
import { printable } from '../printable.ts';

const KINDS: Record<string, string> = {
  json: 'JSON signal',
  zip: 'ZIP upload',
  inbox: 'signal of the inbox',
  sync: 'sync of an integration',
  user: 'action of a user',
  system: 'scheduled event of the service',
};

/** Changes that time caused: their event only made the fold look. */
const BY_TIME = new Set(['expired', 'retention', 'acceptanceEnded']);

/** The cause of a change, or the event that triggered it by its time; each detail if it is known. */
export function causeWords({ cause, reason }: Schemas['HistoryItemDto']): string {
  const { kind, uploadId, entry, syncId, user, requestId, eventId } = cause;
  const details = [
    ['upload', uploadId],
    ['entry', entry],
    ['sync', syncId],
    ['user', user],
    ['request', requestId],
    ['event', eventId],
  ].flatMap(([name, value]) => (value ? [`${name} ${printable(value)}`] : []));
  const words = [KINDS[kind] ?? printable(kind), ...details].join(', ');
  return reason !== null && BY_TIME.has(reason) ? `recorded with the next event: ${words}` : words;
}

/** Position of the event in the log, and the command that shows it. */
export function positionLines({
  position: { topic, partition, offset },
}: Schemas['HistoryItemDto']): string[] {
  return [
    `${printable(topic)}, partition ${partition}, offset ${offset}`,
    `posture log --partition ${partition} --offset ${offset} --full`,
  ];
}
