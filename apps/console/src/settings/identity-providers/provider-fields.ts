import { t } from '@lingui/core/macro';
import type { Api } from '../../api/client.ts';
import { changedFields } from '../../parts/changed-fields.ts';

type Provider = Api['IdentityProviderDto'];
type Mapping = Record<string, string[]>;

/** What a group of the provider gives, as a row of the form. */
export interface GroupRow {
  /** Only of the form. */
  key: number;
  group: string;
  grants: string[];
  departments: string[];
  locations: string[];
}

/** What the form states of a provider. */
export interface ProviderFields {
  id: string;
  label: string;
  issuer: string;
  clientId: string;
  /** Empty: unchanged. */
  clientSecret: string;
  groups: GroupRow[];
  groupsFrom: 'claims' | 'scim';
  groupsClaim: string;
  nameClaim: string;
  externalIdClaim: string;
  scope: string;
  audiences: string[];
  checkSeconds: number | string;
}

export const emptyGroup = (key: number): GroupRow => ({
  key,
  group: '',
  grants: [],
  departments: [],
  locations: [],
});

/** The defaults of the service. */
export const NEW_PROVIDER: ProviderFields = {
  id: '',
  label: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  groups: [emptyGroup(0)],
  groupsFrom: 'claims',
  groupsClaim: 'groups',
  nameClaim: 'preferred_username',
  externalIdClaim: 'sub',
  scope: 'openid profile email',
  audiences: [],
  checkSeconds: 300,
};

export function fieldsOf({ grants, departments, locations, ...provider }: Provider): ProviderFields {
  const names = new Set([grants, departments ?? {}, locations ?? {}].flatMap(Object.keys));
  const groups = [...names].map((group, key) => ({
    key,
    group,
    grants: grants[group] ?? [],
    departments: departments?.[group] ?? [],
    locations: locations?.[group] ?? [],
  }));
  return { ...NEW_PROVIDER, ...provider, clientSecret: '', groups };
}

/** The sentence for a group that is named twice or not at all; null: none is. */
export function problemOfGroups(groups: readonly GroupRow[]): string | null {
  const names = groups.map(({ group }) => group.trim());
  if (names.includes('')) return t`Name each group, or remove its row.`;
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  return repeated === undefined ? null : t`The group ${repeated} has two rows. Remove one of them.`;
}

export function bodyOf({
  id,
  issuer,
  groups,
  checkSeconds,
  ...fields
}: ProviderFields): Api['AddIdentityProviderDto'] {
  return {
    ...fields,
    id,
    issuer: issuer.trim(),
    grants: mappingOf(groups, 'grants'),
    departments: orNull(mappingOf(groups, 'departments')),
    locations: orNull(mappingOf(groups, 'locations')),
    checkSeconds: Number(checkSeconds),
  };
}

/** Only what differs, because some changes end the sessions of all users. */
export function changesOf(fields: ProviderFields, before: Provider): Api['ChangeIdentityProviderDto'] {
  const { id: _, issuer: _i, clientSecret, ...body } = bodyOf(fields);
  return { ...changedFields(body, before), ...(clientSecret !== '' && { clientSecret }) };
}

const mappingOf = (groups: readonly GroupRow[], what: 'grants' | 'departments' | 'locations'): Mapping =>
  Object.fromEntries(
    groups.filter((row) => row[what].length > 0).map((row) => [row.group.trim(), row[what]]),
  );

/** Null: users are not limited. */
const orNull = (mapping: Mapping): Mapping | null => (Object.keys(mapping).length === 0 ? null : mapping);
