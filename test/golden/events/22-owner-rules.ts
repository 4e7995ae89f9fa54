import { encodeIntake } from '#libs/contracts';
import { ORGANIZATION_KEY, type OrganizationPayload, type OwnerRule } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { ownerRule } from '../../fixtures/domain/owner-rules.ts';
import { DAY_MS, event, T0 } from '../../support/scenario.ts';

/** Owner rules: schema 44. */
export function ownerRules(): LogRecord[][] {
  return [[...acts().map((act, i) => recordOf(act, i)), recordOf(replaced([]), 400, T0)]];
}

const recordOf = (payload: OrganizationPayload, i: number, receivedAt = T0 + i * DAY_MS): LogRecord => {
  const eventId = `f2200000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
  const cause = { kind: 'user', user: 'ana', requestId: `request-${i}`, receivedAt } as const;
  const one = event(payload, T0 + i * DAY_MS, cause, { id: eventId, entityKey: ORGANIZATION_KEY });
  return { key: ORGANIZATION_KEY, value: encodeIntake(one) };
};

const replaced = (rules: OwnerRule[], seenVersion: number | null = null): OrganizationPayload => ({
  type: 'OwnerRulesReplaced',
  seenVersion,
  rules,
});

/** Every list empty and not, every kind of owner, each refusal; the last event is by a clock that is ahead. */
function acts(): OrganizationPayload[] {
  const tags = [
    { key: 'env', value: 'prod' },
    { key: 'team', value: 'payments' },
  ];
  const all = [
    ownerRule({ departments: ['Sales', 'IT'], locations: ['Pune'], tags, user: 'ben' }),
    ownerRule({ locations: ['Berlin', 'Oslo'], team: 'blue' }),
    ownerRule({ team: 'rest' }),
  ];
  return [
    replaced(all),
    { type: 'SettingsChanged', seenVersion: 1, changes: { retentionDays: '30', ownerRules: '[]' } },
    replaced(all.slice(1), 1),
    replaced([]),
    replaced([ownerRule({ departments: ['IT'] }), ...all.slice(0, 1)], 3),
  ];
}
