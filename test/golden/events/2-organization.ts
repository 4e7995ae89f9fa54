import { encodeIntake } from '#libs/contracts';
import { DEFAULT_SETTINGS, type IntakePayload, initialOrganization, ORGANIZATION_KEY } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, event, T0 } from '../../support/scenario.ts';

/** Decisions of users for the organization as a whole: schemas 10 to 16, applied and rejected. */
export function organizationActs(): LogRecord[][] {
  return [acts().map(recordOf)];
}

const recordOf = (payload: IntakePayload, i: number): LogRecord => {
  const id = `b0000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
  const cause = {
    kind: 'user',
    user: i % 5 === 4 ? null : 'ana',
    requestId: i % 2 ? null : `request-${i}`,
  } as const;
  const one = event(payload, T0 + i * (DAY_MS / 24), cause, { id, entityKey: ORGANIZATION_KEY });
  return { key: ORGANIZATION_KEY, value: encodeIntake(one) };
};

function acts(): IntakePayload[] {
  const [finance, sales] = ['c0000000-0000-4000-8000-000000000001', 'c0000000-0000-4000-8000-000000000002'];
  const owner = 'c0000000-0000-4000-8000-000000000003';
  const [department] = initialOrganization().departments;
  const field = {
    type: 'CustomFieldSaved',
    id: owner,
    name: 'Owner',
    fieldType: 'Text',
    multiValued: false,
    options: [] as string[],
    createdAt: T0,
    recognisedAt: T0 + 900_000,
  } as const;
  const credential = {
    type: 'CredentialChanged',
    credentialId: owner,
    username: 'scanner',
    role: 'analyst',
  } as const;
  const mapping = {
    type: 'OsMappingReplaced',
    default: { assetType: 'Server', attackSurface: 'Infrastructure', supports: ['va'] },
  } as const;
  return [
    {
      type: 'SettingsChanged',
      seenVersion: null,
      changes: { vaRetirementDays: '30', egressAllow: '["10.0.0.0/8"]' },
    },
    { type: 'SettingsChanged', seenVersion: DEFAULT_SETTINGS.version, changes: { platformVersion: '"4.0"' } },
    { type: 'SettingsChanged', seenVersion: null, changes: {} },
    { type: 'OptionSaved', list: 'departments', id: finance, name: 'Finance', isDefault: true },
    { type: 'OptionSaved', list: 'departments', id: sales, name: 'Sales', isDefault: false },
    { type: 'OptionSaved', list: 'departments', id: sales, name: 'finance', isDefault: false },
    { type: 'OptionSaved', list: 'departments', id: finance, name: 'Money', isDefault: false },
    { type: 'OptionSaved', list: 'locations', id: sales, name: 'Mumbai', isDefault: false },
    { type: 'OptionRemoved', list: 'departments', id: department!.id },
    { type: 'OptionRemoved', list: 'departments', id: finance },
    { type: 'OptionRemoved', list: 'locations', id: finance },
    field,
    { ...field, fieldType: 'Select', multiValued: true, options: ['gold', 'silver'] },
    { ...field, id: sales },
    { type: 'CustomFieldRemoved', id: sales },
    { type: 'CustomFieldRemoved', id: owner },
    {
      ...mapping,
      seenVersion: null,
      mappings: [
        {
          osPattern: '*linux*',
          assetType: 'Linux server',
          attackSurface: 'Infrastructure',
          supports: ['va', 'edr'],
        },
        { osPattern: 'printer', assetType: 'Printer', attackSurface: 'Office', supports: [] },
      ],
      default: { ...mapping.default, supports: ['va'] },
    },
    { ...mapping, seenVersion: 0, mappings: [], default: { ...mapping.default, supports: [] } },
    { ...credential, act: 'created' },
    { ...credential, act: 'rotated' },
    { ...credential, act: 'deleted' },
  ];
}
