import { encodeIntake } from '#libs/contracts';
import { assetId, findingId, type IntakeEvent, type IntakePayload, type SubjectErased } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, entity, event, signal, T0, upload } from '../../support/scenario.ts';

/** Erasures of subjects, with and without assets: schema 28. */
export function erasures(): LogRecord[][] {
  const events = [...withFindings('A'), ...deleted('B'), ...withoutAssets('C'), ...stampedAhead('D')];
  return [
    events.map(({ envelope, payload }, i) => {
      const id = `f1000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    }),
  ];
}

const subjectOf = (letter: string): string => letter.repeat(22);
const keyOf = (letter: string): string => `user:~${subjectOf(letter)}`;
const erased = (letter: string): SubjectErased => ({
  type: 'SubjectErased',
  subject: subjectOf(letter),
  reason: 'request of the person',
});

let uploads = 0;
function uploaded(letter: string, names: string[]): IntakeEvent[] {
  uploads += 1;
  const described = { entity: entity({ type: 'user', name: `sealed ${letter}` }) };
  const signals = names.map((name) =>
    signal(name, 'fail', { ...described, ...(name === 'short' && { expiresAt: T0 + DAY_MS }) }),
  );
  return upload(uploads, T0 + uploads, signals, { entityKey: keyOf(letter) });
}

const act = (letter: string, payload: IntakePayload, at = T0 + 2 * DAY_MS, receivedAt = at): IntakeEvent =>
  event(payload, at, { kind: 'user', user: 'ana', receivedAt }, { entityKey: keyOf(letter) });

/** One failed, one accepted, one expired before; erased twice, and then reported again. */
const withFindings = (letter: string) => [
  ...uploaded(letter, ['a', 'b', 'short']),
  act(letter, {
    type: 'FindingAccepted',
    findingId: findingId(assetId(keyOf(letter)), 'va', 'b'),
    seenVersion: null,
    rationale: 'known',
    until: null,
  }),
  act(letter, erased(letter)),
  act(letter, erased(letter)),
  ...uploaded(letter, ['a']),
];

/** A deleted asset, which was tombstoned, does not change. */
const deleted = (letter: string) => [
  ...uploaded(letter, ['a']),
  act(letter, { type: 'AssetDeleted', assetId: assetId(keyOf(letter)), seenVersion: null }),
  act(letter, erased(letter)),
];

/** A person with a credential is no asset. */
const withoutAssets = (letter: string) => [act(letter, erased(letter))];

/** By a clock that is a year ahead of the reference clock. */
const stampedAhead = (letter: string) => [
  ...uploaded(letter, ['a']),
  act(letter, erased(letter), T0 + 365 * DAY_MS, T0 + 2 * DAY_MS),
];
