import { encodeIntake } from '#libs/contracts';
import {
  type CustomFieldSaved,
  initialOrganization,
  type OptionSaved,
  ORGANIZATION_KEY,
  type OrganizationPayload,
} from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, event, T0 } from '../../support/scenario.ts';

/** Changes of departments, locations and custom fields that keep what they leave out, and restore nothing: schemas 47 and 48. */
export const changesOfOptions = (): LogRecord[][] => [acts().map(recordOf)];

const recordOf = (payload: OrganizationPayload, i: number): LogRecord => {
  const eventId = `f2700000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
  const cause = { kind: 'user', user: 'ana', requestId: `request-${i}` } as const;
  const one = event(payload, T0 + i * DAY_MS, cause, { id: eventId, entityKey: ORGANIZATION_KEY });
  return { key: ORGANIZATION_KEY, value: encodeIntake(one) };
};

const id = (n: number): string => `c2700000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const added = (n: number, name: string, isDefault = false): OptionSaved => ({
  type: 'OptionSaved',
  list: 'departments',
  id: id(n),
  isChange: false,
  name,
  isDefault,
});

const changed = (n: number, given: Partial<OptionSaved>): OptionSaved => ({
  type: 'OptionSaved',
  list: 'departments',
  id: id(n),
  isChange: true,
  name: null,
  isDefault: null,
  ...given,
});

const field = (given: Partial<CustomFieldSaved> = {}): CustomFieldSaved => ({
  type: 'CustomFieldSaved',
  id: id(9),
  isChange: false,
  name: 'Owner',
  fieldType: 'Text',
  multiValued: false,
  options: [],
  createdAt: T0,
  recognisedAt: T0 + 900_000,
  ...given,
});

function acts(): OrganizationPayload[] {
  const [unassigned] = initialOrganization().departments;
  return [
    added(1, 'Finance', true),
    added(2, 'Sales'),
    changed(2, { isDefault: true }),
    // Of a user who still sees it as the default.
    changed(1, { name: 'Money' }),
    changed(2, { isDefault: false }),
    changed(1, { name: 'SALES' }),
    changed(1, { name: 'Accounting', isDefault: false }),
    { type: 'OptionRemoved', list: 'departments', id: id(1) },
    changed(1, { name: 'Late' }),
    changed(3, { list: 'locations', name: 'Nowhere' }),
    changed(4, { isChange: false }),
    // A repeated addition is a change, as ever.
    added(2, 'Sales and support', true),
    { type: 'OptionRemoved', list: 'departments', id: unassigned!.id },
    field(),
    field({ isChange: true, fieldType: 'Select', multiValued: true, options: ['gold', 'silver'] }),
    { type: 'CustomFieldRemoved', id: id(9) },
    field({ isChange: true, name: 'Late' }),
  ];
}
