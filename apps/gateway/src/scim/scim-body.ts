import SCIMMY from 'scimmy';
import { reading, ScimError, scimErrorOf } from './scim-error.ts';
import { assertPath, assertRemovable, plainPath } from './scim-paths.ts';
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

/**
 * @param active if the body does not state it
 * @throws ScimError
 */
export const userOf = (body: unknown, active: boolean): UserResource =>
  reading(() => new UserSchema({ active, ...withBooleans(valuesOf(body)) } as never, 'in'));

/** @throws ScimError */
export const groupOf = (body: unknown): GroupResource =>
  reading(() => new GroupSchema(valuesOf(body) as never, 'in'));

/**
 * A resource after the operations of a PATCH. Operations on attributes that the service does not keep have no effect.
 * @throws ScimError
 */
export async function patched<R extends UserResource | GroupResource>(
  resource: R,
  body: unknown,
): Promise<R> {
  const { Operations: given, ...message } = valuesOf(body);
  if (!Array.isArray(given) || given.length === 0 || given.length > OPERATIONS_MAX) {
    throw new ScimError(
      400,
      `Operations must be a list of 1 to ${OPERATIONS_MAX} operations`,
      'invalidValue',
    );
  }
  const operations = given.flatMap(keptOperation);
  if (operations.length === 0) return resource;
  try {
    const result = await new SCIMMY.Messages.PatchOp({ ...message, Operations: operations } as never).apply(
      resource as never,
    );
    return (result ?? resource) as R;
  } catch (error) {
    throw scimErrorOf(error);
  }
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
    if (isRemoval(rest)) assertRemovable(value);
    return [{ ...rest, path: plain, value: asBoolean(plain, value) }];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [operation];
  const kept = Object.entries(value).filter(([name]) => isKept(plainPath(name)));
  if (kept.length === 0) return [];
  for (const [name] of kept) assertPath(name);
  return [{ ...rest, value: withBooleans(Object.fromEntries(kept)) }];
}

const isRemoval = ({ op }: Operation): boolean => typeof op === 'string' && op.toLowerCase() === 'remove';

const isKept = (path: string): boolean =>
  !EXTENSION.test(path) && !IGNORED_ATTRIBUTES.has(path.split(/[.[]/)[0]!.trim().toLowerCase());

const withBooleans = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asBoolean(name, value)]));

/** Entra ID sends the texts `True` and `False`. */
export const asBoolean = <V>(name: string, value: V): V | boolean =>
  name.toLowerCase() === 'active' && typeof value === 'string' && /^(true|false)$/i.test(value)
    ? value.toLowerCase() === 'true'
    : value;
