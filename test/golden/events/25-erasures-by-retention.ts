import { encodeIntake } from '#libs/contracts';
import { assetId, type IntakeEvent, type IntakePayload } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, entity, event, signal, T0, upload } from '../../support/scenario.ts';

/** Erasures of subjects that must have been deleted, and of one whatever it is: schema 46. */
export function erasuresByRetention(): LogRecord[][] {
  const day = (n: number) => T0 + n * DAY_MS;
  const events = [
    ...deletedSubject('A'),
    ...deletedSubject('B'),
    // The retention decides by tables without this signal.
    ...uploaded('B', day(99)),
    ...deletedSubject('C'),
    erased('A', day(50)),
    erased('B', day(50)),
    erased('C', day(10)),
    ...uploaded('D', day(99)),
    erased('D', null),
  ];
  return [
    events.map(({ envelope, payload }, i) => {
      const id = `f2500000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    }),
  ];
}

const subjectOf = (letter: string): string => letter.repeat(22);
const keyOf = (letter: string): string => `user:~${subjectOf(letter)}`;

let uploads = 0;
function uploaded(letter: string, at: number): IntakeEvent[] {
  uploads += 1;
  const described = { entity: entity({ type: 'user', name: `sealed ${letter}` }) };
  return upload(uploads, at, [signal('a', 'fail', described)], { entityKey: keyOf(letter) });
}

const act = (letter: string, payload: IntakePayload, at: number): IntakeEvent =>
  event(payload, at, { kind: 'system', user: null }, { entityKey: keyOf(letter) });

/** Deleted after ten days. */
const deletedSubject = (letter: string): IntakeEvent[] => [
  ...uploaded(letter, T0),
  act(letter, { type: 'AssetDeleted', assetId: assetId(keyOf(letter)), seenVersion: null }, T0 + 10 * DAY_MS),
];

const erased = (letter: string, deletedBefore: number | null): IntakeEvent =>
  act(
    letter,
    { type: 'SubjectErased', subject: subjectOf(letter), reason: 'retention', deletedBefore },
    T0 + 100 * DAY_MS,
  );
