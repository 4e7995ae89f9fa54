import { ALL_NAMES, type OidcProvider } from '#libs/config';
import { NO_ROWS, type RowLimits } from '#libs/tables';

const NAME_CHARACTERS_MAX = 100;
const SUBJECT_CHARACTERS_MAX = 255;
const GROUPS_MAX = 2_000;

export type Claims = Readonly<Record<string, unknown>>;

/** A user, as a provider describes one. */
export interface ProviderUser {
  subject: string;
  /** Without the id of the provider. */
  name: string;
  /** Of the claim that names a provisioned user; null: none. */
  externalId: string | null;
  /** Of the claim of groups. */
  groups: string[];
}

/** What the groups of a user give. */
interface UserRights extends RowLimits {
  /** Roles and scopes; none: no access. */
  grants: string[];
}

export const NO_RIGHTS: UserRights = { grants: [], ...NO_ROWS };

type Groups = Pick<OidcProvider, 'grants' | 'departments' | 'locations'>;
type Mapping = Pick<OidcProvider, 'nameClaim' | 'groupsClaim' | 'externalIdClaim'>;

/** Null if there is no usable subject. */
export function userOf(claims: Claims, mapping: Mapping): ProviderUser | null {
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_CHARACTERS_MAX || sub.includes('\0'))
    return null;
  return {
    subject: sub,
    name: nameOf(valueAt(claims, mapping.nameClaim)) || nameOf(sub),
    externalId: externalIdOf(valueAt(claims, mapping.externalIdClaim)),
    groups: groupsOf(valueAt(claims, mapping.groupsClaim)),
  };
}

/** Whether the claims say anything about the groups of the user. */
export const hasGroups = (claims: Claims, { groupsClaim }: Pick<Mapping, 'groupsClaim'>): boolean =>
  valueAt(claims, groupsClaim) !== undefined;

/** A claim may itself have dots in its name, such as a URL; otherwise dots lead into objects. */
function valueAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Claims)[key];
  }
  return value;
}

/** Control and formatting characters would make names look alike. */
const nameOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
        .trim()
        .slice(0, NAME_CHARACTERS_MAX)
    : '';

const externalIdOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= SUBJECT_CHARACTERS_MAX && !value.includes('\0')
    ? value
    : null;

/** Each once. Those with U+0000, which PostgreSQL does not store, are left out. */
const groupsOf = (value: unknown): string[] => {
  const groups = [value].flat().slice(0, GROUPS_MAX);
  return [...new Set(groups.filter((one): one is string => typeof one === 'string' && !one.includes('\0')))];
};

/** A user whom no group gives a department, if the provider limits by department, has no rights; so with locations. */
export function rightsOf(groups: readonly string[], { grants, departments, locations }: Groups): UserRights {
  const rights = {
    grants: givenBy(groups, grants),
    departments: namesOf(groups, departments),
    locations: namesOf(groups, locations),
  };
  return Object.values(rights).some((given) => given?.length === 0) ? NO_RIGHTS : rights;
}

function namesOf(groups: readonly string[], mapping: Record<string, string[]> | undefined): string[] | null {
  if (mapping === undefined) return null;
  const names = givenBy(groups, mapping);
  return names.includes(ALL_NAMES) ? null : names;
}

function givenBy(groups: readonly string[], mapping: Record<string, string[]>): string[] {
  const given = groups.flatMap((group) => (Object.hasOwn(mapping, group) ? mapping[group]! : []));
  return [...new Set(given)].sort();
}
