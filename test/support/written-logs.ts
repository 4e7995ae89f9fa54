import fc from 'fast-check';
import { encodeIntake, partitionOf } from '#libs/contracts';
import { type IntakeEvent, type IntakePayload, ORGANIZATION_KEY } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { UploadEvents, UploadPlanner } from '#libs/uploads';
import { entity, event, signal, T0, uploadId } from './scenario.ts';

/** What is sent to a site, whatever the number of partitions of its log. */
export type Sent =
  | { what: 'upload'; hosts: number[]; isFull: boolean; storedBeforeRetry: number | null }
  | { what: 'sweep' | 'corrupt record'; host: number }
  | { what: 'settings' | 'clock correction' };

const HOSTS = Array.from({ length: 24 }, (_, i) => `host${i}`);
const hosts = fc.nat(HOSTS.length - 1);

export const sentToSites: fc.Arbitrary<Sent[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        what: fc.constant('upload' as const),
        hosts: fc.array(hosts, { minLength: 1, maxLength: 12 }),
        isFull: fc.boolean(),
        storedBeforeRetry: fc.option(fc.nat(8)),
      }),
    },
    { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('sweep', 'corrupt record'), host: hosts }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('settings', 'clock correction') }) },
  ),
  { maxLength: 12 },
);

const LOG_ID = '1f1f1f1f-0000-4000-8000-000000000001';

/** The log that the edge writes, by partition: an interrupted upload is sent again after the next one. */
export function writtenLog(sent: readonly Sent[], partitions: number): StoredRecord[][] {
  const log: StoredRecord[][] = Array.from({ length: partitions }, () => []);
  const append = (key: string, value: Buffer, partition = partitionOf(key, partitions)) => {
    const offset = log[partition]!.length;
    log[partition]!.push({ key, value, partition, offset, headers: {}, storedAt: T0 });
  };
  const appendEvent = (one: IntakeEvent, partition?: number) =>
    append(one.envelope.entityKey, encodeIntake(one), partition);
  for (let partition = 0; partition < partitions; partition += 1) {
    const isOfOrganization = partition === partitionOf(ORGANIZATION_KEY, partitions);
    const entityKey = isOfOrganization ? ORGANIZATION_KEY : `log:${partition}`;
    const scoringModel = isOfOrganization ? 'posture-2' : null;
    const payload: IntakePayload = { type: 'LogOpened', logId: LOG_ID, partitions, scoringModel };
    appendEvent(event(payload, T0, { kind: 'system' }, { id: LOG_ID, entityKey }), partition);
  }
  const retried: (() => void)[] = [];
  for (const [i, one] of sent.entries()) {
    const at = T0 + (i + 1) * 1_000;
    const id = uploadId(i + 1);
    switch (one.what) {
      case 'upload': {
        const again = retried.splice(0);
        const events = eventsOf(one, i, at, partitions);
        const stored = one.storedBeforeRetry ?? events.length;
        for (const given of events.slice(0, stored)) append(...given);
        if (one.storedBeforeRetry !== null) {
          retried.push(() => {
            for (const given of events) append(...given);
          });
        }
        for (const send of again) send();
        break;
      }
      case 'sweep': {
        const payload: IntakePayload = { type: 'EntitySwept', deleteIdleSince: null };
        appendEvent(event(payload, at, { kind: 'system' }, { id, entityKey: `machine:${HOSTS[one.host]}` }));
        break;
      }
      case 'corrupt record':
        append(`machine:${HOSTS[one.host]}`, Buffer.from([0, 0, 0, 0, 2, 1, 2, 3]));
        break;
      case 'settings': {
        const payload: IntakePayload = {
          type: 'SettingsChanged',
          seenVersion: null,
          changes: { retentionDays: '9' },
        };
        appendEvent(event(payload, at, {}, { id, entityKey: ORGANIZATION_KEY }));
        break;
      }
      case 'clock correction':
        for (let partition = 0; partition < partitions; partition += 1) {
          const entityKey = `log:${partition}`;
          const payload: IntakePayload = { type: 'ClockCorrected', reason: 'it was ahead' };
          appendEvent(event(payload, at, {}, { id, entityKey }), partition);
        }
        break;
      default:
        one satisfies never;
    }
  }
  for (const send of retried) send();
  return log;
}

function eventsOf(
  { hosts, isFull }: Extract<Sent, { what: 'upload' }>,
  i: number,
  at: number,
  partitions: number,
): [key: string, value: Buffer][] {
  const signals = hosts.map((host, n) => ({
    entityKey: `machine:${HOSTS[host]}`,
    payload: signal(`finding ${n % 3}`, n % 4 === 0 ? 'pass' : 'fail', {
      entity: entity({ name: HOSTS[host]! }),
    }),
    entry: `${n}.json`,
  }));
  const planner = new UploadPlanner({
    partitions,
    fullAssessmentForTypes: isFull ? ['va'] : [],
    assetMatchingCriteria: [],
  });
  for (const one of signals) planner.add(one);
  const context = {
    uploadId: uploadId(i + 1),
    kind: 'zip' as const,
    at,
    receivedAt: at,
    user: 'ana',
    requestId: null,
    settingsVersion: 0,
    partitions,
  };
  const events = new UploadEvents(context, planner.finish([]));
  return signals
    .flatMap((one) => events.of(one))
    .map((one) => [one.envelope.entityKey, encodeIntake(one as IntakeEvent)]);
}
