import { createHash } from 'node:crypto';
import { decodeIntake, encodeIntake } from '#libs/contracts';
import { findingId, furtherAssetId, type IntakeEvent, type IntakePayload } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { Seals, sealedKey, sealHostName } from '#libs/sealing';
import { DAY_MS, described, entity, event, signal, T0, upload } from '../../support/scenario.ts';

const MACHINE = 'machine:ana-laptop';
const DATA_KEY = createHash('sha512').update(MACHINE).digest();
const SUBJECT = { subject: DATA_KEY.subarray(0, 16).toString('base64url'), key: DATA_KEY };
const KEY = sealedKey(SUBJECT.subject, 'machine');
const SEALS = new Seals(new Map([[MACHINE, SUBJECT]]));

/** A sealed machine with two domains, a bare name and an address, until its erasure: names of form `h`, addresses of `p`. */
export function sealedMachines(): LogRecord[][] {
  return [
    events().map((one) => {
      const sealed = SEALS.seal(decodeIntake(encodeIntake(one)));
      return { key: sealed.envelope.entityKey, value: encodeIntake(sealed) };
    }),
  ];
}

const RULES = { matching: 'fqdn', importAssets: true, updateMetadata: true } as const;
const machine = (name: string, given: Parameters<typeof entity>[0] = {}) => ({
  entity: entity({ name, ...given }),
  assetRules: RULES,
});
const home = machine('Ana-Laptop.home.example', {
  hostname: 'Ana-Laptop',
  fqdn: 'Ana-Laptop.home.example',
  ipAddresses: ['8.8.8.8', '10.0.0.5'],
  tags: { owner: ['Ana'] },
});
const work = machine('ana-laptop.work.example', {
  hostname: 'ana-laptop',
  fqdn: 'ana-laptop.work.example',
});
const bare = machine('ANA-LAPTOP', { hostname: 'ANA-LAPTOP' });

function events(): IntakeEvent[] {
  const at = { entityKey: KEY };
  const ofWork = furtherAssetId(KEY, sealHostName('ana-laptop.work.example', SUBJECT), 6);
  const leak = { findingId: findingId(ofWork, 'va', 'leak'), seenVersion: null } as const;
  const inventory = { source: { name: 'edr', nextSubmissionIntervalInMins: null }, deviceId: 'e1' };
  const closed: IntakePayload = {
    type: 'AssessmentClosed',
    types: ['va'],
    names: ['ana-laptop.home.example'],
    matching: 'fqdn',
  };
  const acts: IntakePayload[] = [
    { type: 'FindingAccepted', ...leak, rationale: 'Ana said so', until: null },
    { type: 'SubjectErased', subject: SUBJECT.subject, reason: 'sold' },
  ];
  return [
    ...upload(1, T0, [signal('leak', 'fail', bare), signal('leak', 'fail', home)], at),
    ...upload(2, T0 + DAY_MS, [signal('leak', 'fail', work), described({ ...home, ...inventory })], at),
    ...upload(3, T0 + 2 * DAY_MS, [signal('leak', 'pass', bare), signal('weak', 'fail', home)], at),
    ...upload(4, T0 + 2 * DAY_MS + 1, [closed], at),
    ...acts.map((payload, i) => {
      const id = `f1000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
      const cause = { kind: 'user', user: null } as const;
      return event(payload, T0 + 3 * DAY_MS + i, cause, { id, ...at });
    }),
  ];
}
