import SCIMMY from 'scimmy';
import { reading, ScimError } from './scim-error.ts';
import { RESULTS_MAX } from './scim-schemas.ts';

const COUNT_DEFAULT = 100;
const FILTER_CHARACTERS_MAX = 1_000;

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
  const parsed = parsedFilter(filter);
  const [conditions = {}, ...others] = parsed;
  if (others.length > 0) throw unsupported(attributes);
  return Object.fromEntries(
    Object.entries(conditions).map(([name, condition]) => {
      const known = attributes.get(name.toLowerCase());
      const value = known === undefined ? undefined : comparedValue(condition);
      if (value === undefined) throw unsupported(attributes);
      return [known!, value];
    }),
  );
}

function parsedFilter(filter: unknown): Record<string, unknown>[] {
  if (typeof filter !== 'string' || filter.length > FILTER_CHARACTERS_MAX || filter.includes('\0')) {
    throw new ScimError(400, `filter must have at most ${FILTER_CHARACTERS_MAX} characters`, 'invalidFilter');
  }
  return reading(() => [...new SCIMMY.Types.Filter(filter)] as Record<string, unknown>[]);
}

/** `members.value eq "…"` is the same as `members eq "…"`. */
function comparedValue(condition: unknown): string | boolean | undefined {
  const comparison = Array.isArray(condition) ? condition : (condition as { value?: unknown }).value;
  if (!Array.isArray(comparison) || comparison.length !== 2) return undefined;
  const [operator, value] = comparison as unknown[];
  const isComparable = typeof value === 'string' || typeof value === 'boolean';
  return operator === 'eq' && isComparable ? value : undefined;
}

const unsupported = (attributes: ReadonlyMap<string, string>): ScimError =>
  new ScimError(
    400,
    `filter must be comparisons with eq, joined by and, of ${[...attributes.values()].join(', ')}`,
    'invalidFilter',
  );

/** Which attributes are returned, as the library applies it. @throws ScimError */
export function attributesOf({ attributes, excludedAttributes }: Query): SCIMMY.Types.Filter | undefined {
  const given = {
    ...(attributes !== undefined && { attributes }),
    ...(excludedAttributes !== undefined && { excludedAttributes }),
  };
  // Its base class only reads parameters.
  return reading(() => new SCIMMY.Types.Resource(given as never).attributes);
}

/** RFC 7644, 3.4.2. */
export const listOf = (resources: object[], total: number, { offset }: Page): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
});
