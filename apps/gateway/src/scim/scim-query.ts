import SCIMMY from 'scimmy';
import { asBoolean } from './scim-body.ts';
import { ScimError } from './scim-error.ts';
import { comparisonsOf, FILTER_CHARACTERS_MAX } from './scim-filter.ts';
import { declaredNames } from './scim-paths.ts';
import { type GroupSchema, RESULTS_MAX, type UserSchema } from './scim-schemas.ts';
import { textIn } from './scim-text.ts';

const COUNT_DEFAULT = 100;

export type Query = Readonly<Record<string, unknown>>;
export type Conditions = Record<string, string | boolean>;

export interface Page {
  offset: number;
  limit: number;
}

/** @throws ScimError */
export function pageOf({ startIndex, count }: Query): Page {
  return {
    offset: Math.max(1, integer('startIndex', startIndex, 1)) - 1,
    limit: Math.min(RESULTS_MAX, Math.max(0, integer('count', count, COUNT_DEFAULT))),
  };
}

function integer(name: string, given: unknown, otherwise: number): number {
  if (given === undefined) return otherwise;
  if (typeof given === 'string' && /^-?\d{1,9}$/.test(given)) return Number(given);
  throw new ScimError(400, `${name} must be an integer`, 'invalidValue');
}

/**
 * Conditions of a filter such as `userName eq "ana" and active eq true`: `eq` joined by `and`.
 * @param attributes which can be named, by their names in small letters
 * @throws ScimError
 */
export function conditionsOf({ filter }: Query, attributes: ReadonlyMap<string, string>): Conditions {
  if (filter === undefined) return {};
  const text = textIn('filter', filter, FILTER_CHARACTERS_MAX, 'invalidFilter') ?? '';
  const comparisons = comparisonsOf(text);
  if (comparisons === null) throw unsupported(attributes);
  const conditions: Conditions = {};
  for (const [name, value] of comparisons) {
    // `members.value eq "…"` is the same as `members eq "…"`.
    const known = attributes.get(name.toLowerCase().replace(/\.value$/, ''));
    if (known === undefined || Object.hasOwn(conditions, known)) throw unsupported(attributes);
    conditions[known] = comparable(known, value);
  }
  return conditions;
}

/** Only `active` is compared with a boolean, also with the text of one. @throws ScimError */
function comparable(attribute: string, given: string | boolean): string | boolean {
  const value = asBoolean(attribute, given);
  const isBoolean = attribute === 'active';
  if (typeof value === (isBoolean ? 'boolean' : 'string')) return value;
  const what = isBoolean ? 'true or false' : 'a text in quotes';
  throw new ScimError(400, `${attribute} must be compared with ${what}`, 'invalidFilter');
}

const unsupported = (attributes: ReadonlyMap<string, string>): ScimError =>
  new ScimError(
    400,
    `filter must be comparisons with eq, joined by and, of ${[...attributes.values()].join(', ')}`,
    'invalidFilter',
  );

/** Which attributes are returned, as the library applies it; undefined: all. @throws ScimError */
export function attributesOf(
  { attributes, excludedAttributes }: Query,
  schema: typeof UserSchema | typeof GroupSchema,
): SCIMMY.Types.Filter | undefined {
  if (attributes !== undefined) {
    // The id is always returned.
    return presence(['id', ...declaredNames('attributes', attributes, schema)], 'pr');
  }
  if (excludedAttributes === undefined) return undefined;
  const excluded = declaredNames('excludedAttributes', excludedAttributes, schema);
  return excluded.length === 0 ? undefined : presence(excluded, 'np');
}

const presence = (names: string[], operator: 'pr' | 'np'): SCIMMY.Types.Filter =>
  new SCIMMY.Types.Filter(names.map((name) => `${name} ${operator}`).join(' and '));

/** RFC 7644, 3.4.2. */
export const listOf = (resources: object[], total: number, { offset }: Page): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
});
