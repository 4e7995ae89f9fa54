import SCIMMY from 'scimmy';
import { ScimError } from './scim-error.ts';
import { comparisonsOf } from './scim-filter.ts';
import type { GroupSchema, UserSchema } from './scim-schemas.ts';
import { textIn } from './scim-text.ts';

const CHARACTERS_MAX = 1_000;
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;
const NAME = /^[a-z$][\w.:$-]*$/i;
// A backslash or a bracket in a compared value would let the library read another path.
const PATH = /^[a-z][\w.:$-]*(?:\[([^[\]\\]*)\](?:\.[\w$]+)?)?$/i;

/** Attributes of the values of a list, such as those of `members`. */
const OF_VALUES: ReadonlySet<string> = new Set(['value', 'type', 'display', '$ref']);

/** A path without the id of the schema of users or groups before it. */
export const plainPath = (path: string): string => path.replace(CORE, '');

/** The attribute that a path begins with, in small letters. */
export const attributeIn = (path: string): string => path.split(/[.[]/)[0]!.trim().toLowerCase();

/**
 * The library evaluates the filter in a path (see `comparisonsOf`), so only comparisons of `value` and its neighbours reach
 * it. It resolves the names outside of the filter with the schema.
 * @throws ScimError
 */
export function assertPath(path: string): void {
  const match = PATH.exec(textIn('path', path, CHARACTERS_MAX, 'invalidPath') ?? '');
  const comparisons = match?.[1] === undefined ? [] : comparisonsOf(match[1]);
  if (match && comparisons?.every(([name]) => isOfValues(name))) return;
  throw new ScimError(
    400,
    'path must be an attribute such as displayName, or as members[value eq "…"]',
    'invalidPath',
  );
}

/** The library makes a filter of objects that an operation removes from a list. @throws ScimError */
export function assertRemovable(value: unknown): void {
  const values = Array.isArray(value) ? value : [value];
  if (!values.some(isObject) || values.every(isRemovable)) return;
  throw new ScimError(
    400,
    `a removed value must be an object of ${[...OF_VALUES].join(', ')}, without quotation marks and backslashes`,
    'invalidPath',
  );
}

/**
 * Those of a list such as `userName,members.value` that the schema declares: others have no effect, and do not reach the
 * library (see `comparisonsOf`).
 * @throws ScimError
 */
export function declaredNames(
  parameter: string,
  given: unknown,
  { definition }: typeof UserSchema | typeof GroupSchema,
): string[] {
  const text = textIn(parameter, given, CHARACTERS_MAX, 'invalidFilter') ?? '';
  const names = text.split(',').map((name) => name.trim());
  if (!names.every((name) => NAME.test(name))) {
    throw new ScimError(
      400,
      `${parameter} must be names of attributes, separated by commas`,
      'invalidFilter',
    );
  }
  return names.map(plainPath).filter((name) => isDeclared(name, definition));
}

const isOfValues = (name: string): boolean => OF_VALUES.has(name.toLowerCase());

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isRemovable = (value: unknown): boolean =>
  isObject(value) && Object.entries(value).every(([name, one]) => isOfValues(name) && isPlain(one));

const isPlain = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= CHARACTERS_MAX && !/["\\\p{Cc}]/u.test(value)
    : !isObject(value);

function isDeclared(name: string, definition: SCIMMY.Types.SchemaDefinition): boolean {
  try {
    return definition.attribute(name) instanceof SCIMMY.Types.Attribute;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
