import { printable } from '../printable.ts';
import type { HistoryAnswer } from './finding-answers.ts';

const KINDS: Record<string, string> = {
  json: 'JSON signal',
  zip: 'ZIP upload',
  sync: 'sync of an integration',
  user: 'act of a user',
  system: 'tick of the service',
};

/** Changes that time brought about: their event only made the fold look. */
const BY_TIME = new Set(['expired', 'retention', 'acceptanceEnded']);

/** What brought a change about, or told the time for it; each detail where it is known. */
export function causeWords({ cause, reason }: HistoryAnswer): string {
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
  return reason !== null && BY_TIME.has(reason) ? `noted with the next event: ${words}` : words;
}

/** Where the event lies in the log, and what shows it there. */
export function positionLines({ position: { topic, partition, offset } }: HistoryAnswer): string[] {
  return [
    `${printable(topic)}, partition ${partition}, offset ${offset}`,
    `posture log --partition ${partition} --offset ${offset} --full`,
  ];
}
