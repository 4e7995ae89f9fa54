import { createHash } from 'node:crypto';
import { encodeIntake } from '#libs/contracts';
import { assetId, findingId, type IntakeEvent, type IntakePayload } from '#libs/domain';
import type { LogRecord, StoredRecord } from '#libs/event-log';
import { NewIds, OldSubjects, RecordSealer } from '#libs/log-sealing';
import { Seals } from '#libs/sealing';
import {
  DAY_MS,
  described as describedBy,
  entity,
  event,
  signal,
  T0,
  upload,
} from '../../support/scenario.ts';

const ANA = 'user:ana@acme.com';
const OLD_LOG = { logId: '7d3c1c5e-2f0a-4b61-8a57-0d9b8a3f6c21', heads: ['ab'.repeat(32)] };
const NEW_LOG = '7d3c1c5e-2f0a-4b61-8a57-0d9b8a3f6c22';

/** A log with users, before it was sealed. */
export function beforeSealing(): LogRecord[][] {
  return [oldEvents().map((one) => ({ key: one.envelope.entityKey, value: encodeIntake(one) }))];
}

/** The same log as `posture seal-log` writes it, with its opening and that of a log that began empty: schema 35. */
export function sealedLog(): LogRecord[][] {
  const opened = [null, { logId: OLD_LOG.logId, head: OLD_LOG.heads[0]! }].map((sealedFrom, i) => {
    const payload = { type: 'LogOpened', logId: 'x', partitions: 1, scoringModel: null, sealedFrom } as const;
    return event(payload, T0 + i, { kind: 'system', user: null }, { entityKey: 'log:0' });
  });
  const openings = opened.map((one) => ({ key: 'log:0', value: encodeIntake(one) }));
  return [[...sealedRecords(), ...openings]];
}

function sealedRecords(): LogRecord[] {
  const records = beforeSealing()[0]!.map(
    (record, i): StoredRecord => ({ ...record, partition: 0, offset: i + 1, headers: {}, storedAt: T0 }),
  );
  const subjects = new OldSubjects();
  for (const record of records) subjects.take(record);
  const keys = new Map([...subjects.partitions.keys()].map((name) => [name, keyOf(name)]));
  const seals = new Seals(keys);
  const ids = new NewIds(seals, subjects.namedIds);
  for (const record of records) ids.take(record);
  const sealer = new RecordSealer(seals, ids, NEW_LOG, OLD_LOG);
  return records.map(sealer.seal).map(({ key, value }) => ({ key, value }));
}

/** Keys of a test: the same at each recording. */
function keyOf(name: string) {
  const key = createHash('sha256').update(name).digest();
  return { subject: key.subarray(0, 16).toString('base64url'), key };
}

function oldEvents(): IntakeEvent[] {
  const described = { entity: entity({ type: 'user', name: 'Ana@acme.com', tags: { team: ['of Ana'] } }) };
  const leak = findingId(assetId(ANA), 'va', 'leak');
  const finding = { findingId: leak, seenVersion: null } as const;
  const mended = { assetId: assetId(ANA), seenVersion: 1, seenAt: T0 } as const;
  const laptop = describedBy({
    entity: entity({ type: 'user', name: 'Ana@acme.com', ipAddresses: ['of Ana'], location: 'Pune' }),
    source: { name: 'edr', nextSubmissionIntervalInMins: null },
    deviceId: 'e1',
  });
  const statements = [
    { source: 'cmdb', deviceId: 'c1', since: T0, hostname: 'ana-desk', tags: { a: ['Ana'] } },
  ];
  const acts: IntakePayload[] = [
    { type: 'FindingAccepted', ...finding, rationale: 'Ana said so', until: null },
    { type: 'FindingReverted', ...finding, to: 'Failed', rationale: null },
    { type: 'EntityMended', assets: [{ ...mended, fields: { name: '"Ana"' } }], findings: [] },
    {
      type: 'EntityMended',
      assets: [
        {
          assetId: assetId(ANA),
          seenVersion: 2,
          seenAt: T0,
          fields: { statements: JSON.stringify(statements) },
        },
      ],
      findings: [],
    },
    { type: 'StatementEnded', assetId: assetId(ANA), source: 'edr', deviceId: 'e1' },
  ];
  const numbered = acts.map((payload, i) => {
    const id = `f1000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
    const at = T0 + (payload.type === 'StatementEnded' ? 3 : 1) * DAY_MS + i;
    return event(payload, at, { kind: 'user', user: 'ben' }, { id, entityKey: ANA });
  });
  const ended = numbered.splice(-1);
  return [
    ...upload(1, T0, [signal('leak', 'fail', described), signal('weak', 'fail', described)], {
      entityKey: ANA,
    }),
    ...upload(2, T0 + 1, [signal('open port')]),
    ...numbered,
    ...upload(3, T0 + 2 * DAY_MS, [signal('leak', 'pass', described), laptop], { entityKey: ANA }),
    ...ended,
  ];
}
