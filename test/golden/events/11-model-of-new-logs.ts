import { encodeIntake } from '#libs/contracts';
import { type IntakePayload, ORGANIZATION_KEY } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { event, T0 } from '../../support/scenario.ts';

/** A log whose opening states the model of its scores, with later settings, and the opening once more: schema 27. */
export function modelOfNewLogs(): LogRecord[][] {
  const changed = { type: 'SettingsChanged', seenVersion: 0 } as const;
  const payloads: IntakePayload[] = [
    { ...changed, changes: { retentionDays: '30' } },
    { ...changed, changes: { scoringModel: '"posture-1"' } },
    { ...changed, seenVersion: 1, changes: { scoringModel: '"posture-1"' } },
    { type: 'LogOpened', logId: 'x', partitions: 2, scoringModel: 'posture-2' },
  ];
  const ofOrganization = payloads.map((payload, i) => {
    const id = `f1000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
    const one = event(payload, T0 + i, { kind: 'user', user: 'ana' }, { id, entityKey: ORGANIZATION_KEY });
    return { key: ORGANIZATION_KEY, value: encodeIntake(one) };
  });
  return [ofOrganization, []];
}
