import SCIMMY from 'scimmy';
import { reading, ScimError, scimErrorOf } from './scim-error.ts';
import { changeMembers, type MembersOperation, memberIds } from './scim-members.ts';
import { assertPath, assertRemovable, attributeIn, plainPath } from './scim-paths.ts';
import {
  type GroupResource,
  GroupSchema,
  IGNORED_ATTRIBUTES,
  type UserResource,
  UserSchema,
} from './scim-schemas.ts';

const OPERATIONS_MAX = 1_000;
const EXTENSION = /^urn:ietf:params:scim:schemas:extension:/i;

type Values = Record<string, unknown>;
type Operation = { op?: unknown; path?: unknown; value?: unknown };

/** What a client asks of a group, with ids of members. */
export type AskedGroup = Pick<GroupResource, 'displayName' | 'externalId'> & { members: string[] };

/**
 * @param active if the body does not state it
 * @throws ScimError
 */
export const userOf = (body: unknown, active: boolean): UserResource =>
  reading(() => new UserSchema({ active, ...withBooleans(valuesOf(body)) } as never, 'in'));

/** @throws ScimError */
export function groupOf(body: unknown): AskedGroup {
  const [ofMembers, others] = byMembers(Object.entries(valuesOf(body)), ([name]) => plainPath(name));
  const { displayName, externalId } = reading(
    () => new GroupSchema(Object.fromEntries(others) as never, 'in'),
  );
  return { displayName, externalId, members: ofMembers.flatMap(([, value]) => memberIds(value ?? [])) };
}

/** A user after the operations of a PATCH. @throws ScimError */
export async function patchedUser(user: UserResource, body: unknown): Promise<UserResource> {
  return applied(user, body, operationsOf(body));
}

/** A group after the operations of a PATCH. @param group without its members @throws ScimError */
export async function patchedGroup(
  group: GroupResource,
  members: readonly string[],
  body: unknown,
): Promise<AskedGroup> {
  const [ofMembers, others] = byMembers(operationsOf(body), pathOf);
  const { displayName, externalId } = await applied(group, body, others);
  const ids = new Set(members);
  for (const operation of ofMembers) changeMembers(ids, operation as MembersOperation);
  return { displayName, externalId, members: [...ids] };
}

/** Operations on attributes that the service does not keep have no effect, and are left out. @throws ScimError */
function operationsOf(body: unknown): unknown[] {
  const { Operations: given } = valuesOf(body);
  if (Array.isArray(given) && given.length > 0 && given.length <= OPERATIONS_MAX) {
    return given.flatMap(keptOperation);
  }
  throw new ScimError(400, `Operations must be a list of 1 to ${OPERATIONS_MAX} operations`, 'invalidValue');
}

async function applied<R extends UserResource | GroupResource>(
  resource: R,
  body: unknown,
  operations: unknown[],
): Promise<R> {
  if (operations.length === 0) return resource;
  try {
    const message = { ...valuesOf(body), Operations: operations };
    const result = await new SCIMMY.Messages.PatchOp(message as never).apply(resource as never);
    return (result ?? resource) as R;
  } catch (error) {
    throw scimErrorOf(error);
  }
}

/** What concerns members, and the rest. */
function byMembers<T>(all: readonly T[], pathOfOne: (one: T) => string): [T[], T[]] {
  const isOfMembers = (one: T) => attributeIn(pathOfOne(one)) === 'members';
  return [all.filter(isOfMembers), all.filter((one) => !isOfMembers(one))];
}

function pathOf(operation: unknown): string {
  const path = (operation as Operation | null)?.path;
  return typeof path === 'string' ? path : '';
}

function valuesOf(body: unknown): Values {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Values;
  throw new ScimError(400, 'the body must be a JSON object', 'invalidSyntax');
}

function keptOperation(operation: unknown): unknown[] {
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) return [operation];
  const { path, value, ...rest } = operation as Operation;
  if (typeof path === 'string') {
    const plain = plainPath(path);
    if (!isKept(plain)) return [];
    assertPath(plain);
    if (attributeIn(plain) === 'members') return [{ ...rest, path: plain, value }];
    if (isRemoval(rest)) assertRemovable(value);
    return [{ ...rest, path: plain, value: asBoolean(plain, value) }];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [operation];
  const kept = Object.entries(value)
    .map(([name, one]) => [plainPath(name), one] as const)
    .filter(([name]) => isKept(name));
  for (const [name] of kept) assertPath(name);
  if (kept.length > 0 && isRemoval(rest)) return [operation];
  const [ofMembers, others] = byMembers(kept, ([name]) => name);
  return [
    ...ofMembers.map(([name, one]) => ({ ...rest, path: name, value: one })),
    ...(others.length > 0 ? [{ ...rest, value: withBooleans(Object.fromEntries(others)) }] : []),
  ];
}

const isRemoval = ({ op }: Operation): boolean => typeof op === 'string' && op.toLowerCase() === 'remove';

const isKept = (path: string): boolean => !EXTENSION.test(path) && !IGNORED_ATTRIBUTES.has(attributeIn(path));

const withBooleans = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asBoolean(name, value)]));

/** Entra ID sends the texts `True` and `False`. */
export const asBoolean = <V>(name: string, value: V): V | boolean =>
  name.toLowerCase() === 'active' && typeof value === 'string' && /^(true|false)$/i.test(value)
    ? value.toLowerCase() === 'true'
    : value;
