import { encodeIntake } from '#libs/contracts';
import { ORGANIZATION_KEY, type OrganizationPayload, type PlanSaved } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, event, T0 } from '../../support/scenario.ts';

/** Remediation plans: schemas 42 and 43. */
export function plans(): LogRecord[][] {
  return [[...acts().map((act, i) => recordOf(act, i)), recordOf(saved({ id: id(9) }), 400, T0)]];
}

const recordOf = (payload: OrganizationPayload, i: number, receivedAt = T0 + i * DAY_MS): LogRecord => {
  const eventId = `f2100000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
  const cause = { kind: 'user', user: 'ana', requestId: `request-${i}`, receivedAt } as const;
  const one = event(payload, T0 + i * DAY_MS, cause, { id: eventId, entityKey: ORGANIZATION_KEY });
  return { key: ORGANIZATION_KEY, value: encodeIntake(one) };
};

const id = (n: number): string => `a0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const saved = (given: Partial<PlanSaved> = {}): PlanSaved => ({
  type: 'PlanSaved',
  id: id(1),
  seenVersion: null,
  name: 'Log4j',
  description: null,
  ownerUser: null,
  ownerTeam: null,
  due: null,
  state: 'planned',
  findingIds: [id(101), id(102)],
  query: null,
  createdAt: T0,
  startedAt: null,
  finishedAt: null,
  promise: null,
  ...given,
});

/** Every state, with and without each optional value, and each refusal; the last event is by a clock that is ahead. */
function acts(): OrganizationPayload[] {
  const owned = { description: 'before the audit', ownerUser: 'ben', due: T0 + 30 * DAY_MS };
  const promise = {
    model: 'posture-2',
    score: 61.25,
    scoreAfter: 48.5,
    breachLikelihood: 0.25,
    breachLikelihoodAfter: 0.125,
  };
  const unscored = {
    model: 'posture-1',
    score: null,
    scoreAfter: null,
    breachLikelihood: null,
    breachLikelihoodAfter: null,
  };
  const started = { ...owned, state: 'active', startedAt: T0 + 2 * DAY_MS, promise } as const;
  return [
    saved(),
    saved({ seenVersion: 1, ...owned, query: 'cve=CVE-2021-44228' }),
    saved({ seenVersion: 2, ...started }),
    saved({ seenVersion: 3, ...started, state: 'done', finishedAt: T0 + 4 * DAY_MS }),
    saved({ id: id(2), name: 'Patches', ownerTeam: 'blue', findingIds: [] }),
    saved({ id: id(2), seenVersion: 1, name: 'Patches', state: 'active', promise: unscored }),
    saved({ id: id(2), seenVersion: 1, name: 'Patches', state: 'cancelled' }),
    saved({ id: id(3), name: 'LOG4J' }),
    saved({ id: id(4), seenVersion: 1 }),
    { type: 'PlanRemoved', id: id(2), seenVersion: 1 },
    { type: 'PlanRemoved', id: id(2), seenVersion: 2 },
    { type: 'PlanRemoved', id: id(2), seenVersion: null },
    { type: 'PlanRemoved', id: id(1), seenVersion: null },
    saved({ id: id(5), name: 'Kept', ownerTeam: 'blue' }),
  ];
}
