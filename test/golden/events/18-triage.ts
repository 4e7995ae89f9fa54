import { encodeIntake } from '#libs/contracts';
import { assetId, findingId, type IntakeEvent, type IntakePayload, type TriageAct } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, entity, event, signal, T0, upload } from '../../support/scenario.ts';

/** Acts that organize the work on findings: schemas 37 to 41. */
export function triageActs(): LogRecord[][] {
  const events = [...everyAct('web01'), ...refused('web02'), ...keptByReturn('web03')];
  return [
    events.map(({ envelope, payload }, i) => {
      const id = `f1800000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
      return { key: envelope.entityKey, value: encodeIntake({ envelope: { ...envelope, id }, payload }) };
    }),
  ];
}

const keyOf = (host: string): string => `machine:${host}`;
const on = (host: string, seenVersion: number | null = null) => ({
  findingId: findingId(assetId(keyOf(host)), 'va', 'a'),
  seenVersion,
});
const ticket = (n: number) => ({ url: `https://tickets.example/${n}`, label: `RISK-${n}` });
const many = (letter: string) => Array.from({ length: 20 }, (_, i) => `${letter}${i}`);

let uploads = 0;
function uploaded(host: string, days: number, expiresIn: number): IntakeEvent[] {
  uploads += 1;
  const at = T0 + days * DAY_MS;
  const given = { entity: entity({ name: host }), expiresAt: at + expiresIn * DAY_MS };
  return upload(uploads, at, [signal('a', 'fail', given)], { entityKey: keyOf(host) });
}

const act = (host: string, payload: IntakePayload, days = 1, receivedAt = T0 + days * DAY_MS): IntakeEvent =>
  event(payload, T0 + days * DAY_MS, { kind: 'user', user: 'ben', receivedAt }, { entityKey: keyOf(host) });

/** Each act given, taken back, and without an effect. */
const everyAct = (host: string): IntakeEvent[] => {
  const acts: TriageAct[] = [
    { type: 'FindingAssigned', ...on(host, 1), user: 'ana', team: null },
    { type: 'FindingAssigned', ...on(host), user: 'ana', team: null },
    { type: 'FindingAssigned', ...on(host), user: null, team: 'blue' },
    { type: 'FindingAssigned', ...on(host), user: null, team: null },
    { type: 'FindingTagged', ...on(host, 4), add: ['urgent', 'dmz'], remove: [] },
    { type: 'FindingTagged', ...on(host), add: [], remove: ['dmz', 'none'] },
    { type: 'FindingDueSet', ...on(host, 6), due: T0 + 30 * DAY_MS, reason: 'law' },
    { type: 'FindingDueSet', ...on(host), due: null, reason: null },
    { type: 'FindingTicketsChanged', ...on(host, 8), attach: [ticket(2), ticket(1)], detach: [] },
    { type: 'FindingTicketsChanged', ...on(host), attach: [], detach: [ticket(2).url] },
    { type: 'FindingCommented', ...on(host, 10), text: 'look, @ana', mentions: ['ana'] },
    { type: 'FindingCommented', ...on(host), text: 'done', mentions: [] },
  ];
  return [...uploaded(host, 0, 300), ...acts.map((one) => act(host, one))];
};

/** A stale version, an unknown finding, too many tags, and a clock that is a year ahead of the reference clock. */
const refused = (host: string): IntakeEvent[] => [
  ...uploaded(host, 0, 300),
  act(host, { type: 'FindingAssigned', ...on(host, 9), user: 'ana', team: null }),
  act(host, { type: 'FindingDueSet', ...on('nowhere'), due: T0, reason: null }),
  act(host, { type: 'FindingTagged', ...on(host), add: many('a'), remove: [] }),
  act(host, { type: 'FindingTagged', ...on(host), add: ['b'], remove: [] }),
  act(host, { type: 'FindingCommented', ...on(host), text: 'too early', mentions: [] }, 366, T0 + DAY_MS),
];

/** A finding that expired and returns has the triage that it had. */
const keptByReturn = (host: string): IntakeEvent[] => [
  ...uploaded(host, 0, 2),
  act(host, { type: 'FindingAssigned', ...on(host), user: 'ana', team: null }),
  act(host, { type: 'EntitySwept', deleteIdleSince: null }, 3),
  ...uploaded(host, 4, 300),
];
