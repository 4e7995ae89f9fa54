import { encodeIntake } from '#libs/contracts';
import type { FindingType, HistoryTrimmed, IntakeEvent, ObservedInstance } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, event, instance, observation, signal, T0, upload } from '../../support/scenario.ts';

/** Trims of the history of findings: schema 36. */
export function historyRetention(): LogRecord[][] {
  const events = [
    ...changes('va', ['fail', 'pass', 'fail', 'pass']),
    // The verdict on a control that is not assessed any more is that of an earlier change.
    ...changes('ca', ['fail', 'pass', 'unknown', 'unknown']),
    // A closed detection is as old as the change that closed it.
    ...changes('edr', ['fail', 'fail', 'fail'], [null, 'Closed', 'Closed']),
    // Old ones, at once and in two windows; then again, with nothing to do.
    trim({ findingType: 'va', before: T0 + 2 * DAY_MS, throughSequence: 4 }),
    trim({ findingType: 'ca', before: T0 + 30 * DAY_MS, throughSequence: 6 }),
    trim({ findingType: 'ca', before: T0 + 30 * DAY_MS, throughSequence: 11 }),
    trim({ findingType: 'ca', before: T0 + 30 * DAY_MS, throughSequence: 11 }),
    trim({ findingType: 'edr', before: T0 + 30 * DAY_MS, throughSequence: 11 }),
    // Of changes and of times that are still to come, and by a clock that is ahead of the reference clock: without effect.
    trim({ findingType: 'va', before: T0 + 30 * DAY_MS, throughSequence: 12 }),
    trim({ findingType: 'va', before: T0 + 400 * DAY_MS, throughSequence: 11 }),
    trim({ findingType: 'va', before: T0 + 30 * DAY_MS, throughSequence: 11 }, T0 + 400 * DAY_MS),
    ...changes('va', ['fail'], [], 50),
  ];
  return [
    events.map(({ envelope, payload }, i) => {
      const id = `f1700000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    }),
  ];
}

let uploads = 0;

/** A finding that changes once a day. */
function changes(
  type: FindingType,
  statuses: ObservedInstance['status'][],
  workflow: (string | null)[] = [],
  firstDay = 0,
): IntakeEvent[] {
  return statuses.flatMap((status, i) => {
    uploads += 1;
    const at = T0 + (firstDay + i) * DAY_MS;
    const one = instance(status, { workflowStatus: workflow[i] ?? null, tags: { tags: ['true_positive'] } });
    const given = { observations: [observation(type, [{ ...one, evidence: `day ${i}` }])] };
    return upload(uploads, at, [signal(type, status, given)]);
  });
}

const trim = (given: Omit<HistoryTrimmed, 'type'>, at = T0 + 40 * DAY_MS): IntakeEvent =>
  event({ type: 'HistoryTrimmed', ...given }, at, { receivedAt: T0 + 40 * DAY_MS }, { entityKey: 'log:0' });
