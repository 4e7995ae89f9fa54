import SCIMMY from 'scimmy';

const { Schemas } = SCIMMY;

export type UserResource = InstanceType<typeof Schemas.User>;
export type GroupResource = InstanceType<typeof Schemas.Group>;

type Values = Readonly<Record<string, unknown>>;

/** What the service keeps of a user: no more than access needs. */
const KEPT = new Set(['schemas', 'id', 'externalId', 'meta', 'userName', 'displayName', 'active', 'groups']);

const namesOf = (): string[] => Schemas.User.definition.attributes.map(({ name }) => name);

/** Attributes of RFC 7643 that providers send and the service does not keep, in small letters. */
export const IGNORED_ATTRIBUTES: ReadonlySet<string> = new Set(
  namesOf()
    .filter((name) => !KEPT.has(name))
    .map((name) => name.toLowerCase()),
);
Schemas.User.truncate(namesOf().filter((name) => !KEPT.has(name)));
// To be without it is neither active nor inactive, so a PATCH cannot remove it.
Schemas.User.definition.attribute('active').config.required = true;
// It is the name of the user, whatever a client sends.
Schemas.Group.truncate('members.display');

export const UserSchema = Schemas.User;
export const GroupSchema = Schemas.Group;

const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
export const RESULTS_MAX = 200;

/** What the service can do (RFC 7643, 5). @param base address of the SCIM interface */
export const serviceProviderConfig = (base: string): object => ({
  schemas: [CONFIG],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: RESULTS_MAX },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API token',
      description: 'An API token with the scopes users:read and users:write, as bearer token',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

export const resourceTypes = (base: string): { id: string }[] =>
  [UserSchema, GroupSchema].map(({ definition: { id: schema, name, description } }) => ({
    schemas: [RESOURCE_TYPE],
    id: name,
    name,
    endpoint: `/${name}s`,
    description,
    schema,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }));

export const schemas = (base: string): { id: string }[] =>
  [UserSchema, GroupSchema].map(({ definition }) => definition.describe(`${base}/Schemas`) as { id: string });

/**
 * A resource whose list has one of its values, with all of them, each with the attributes that the library left of the one:
 * it needs 40 µs for each, and a group may have 10,000 members.
 */
export function withValues<R extends UserResource | GroupResource>(
  resource: R,
  list: keyof R,
  values: readonly Values[],
): R {
  const [one] = (resource[list] ?? []) as Values[];
  if (!one || values.length < 2) return resource;
  const names = Object.keys(one).filter((name) => one[name] !== undefined);
  const all = values.map((value) => Object.fromEntries(names.map((name) => [name, value[name]])));
  return { ...resource, [list]: all };
}

/** A response always has its schemas, also if a client asks for other attributes only (RFC 7643, 3). */
export const withSchemas = (
  resource: UserResource | GroupResource,
  { definition: { id } }: typeof UserSchema | typeof GroupSchema,
): object => ({ ...resource, schemas: [id] });
