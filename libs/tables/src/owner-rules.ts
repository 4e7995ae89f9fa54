import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Assignee, assigneeKey, assigneeOf, type OwnerRule } from '#libs/domain';
import { placeAt } from './as-of/asset-at.ts';
import { isVisible } from './row-limits.ts';

/** SQL of what owner rules look at in an asset, as `ownerOf` of the domain does. */
export interface RuledColumns {
  department: RawBuilder<string>;
  location: RawBuilder<string>;
  tags: RawBuilder<unknown>;
  /** The columns are those of the indexes of migrations 0009 and 0051. */
  isIndexed: boolean;
}

/** Of a row of `assets`, by its alias. */
export const ruledRow = (alias: string): RuledColumns => ({
  department: sql.ref(`${alias}.department`),
  location: sql.ref(`${alias}.location`),
  tags: sql`(${sql.ref(`${alias}.state`)} -> 'tags')::jsonb`,
  isIndexed: true,
});

/** Of the state `h` of an asset at an instant (`assetStateAt`). */
export const RULED_STATE: RuledColumns = {
  department: placeAt('department'),
  location: placeAt('location'),
  tags: sql`(h.state -> 'tags')::jsonb`,
  isIndexed: false,
};

/** SQL of the place of the first rule that matches an asset, from 0; null if none does. */
export function ruleOf(rules: readonly OwnerRule[], asset: RuledColumns): RawBuilder<number | null> {
  if (rules.length === 0) return sql`null::int`;
  const cases = rules.map((rule, i) => sql`when ${matches(rule, asset)} then ${sql.lit(i)}`);
  return sql`(case ${sql.join(cases, sql` `)} end)`;
}

/**
 * Whether the first rule that matches an asset gives it one of these owners. The conditions are nested as the rules follow
 * each other, so that indexes find the assets of their rules and the planner knows about how many there are.
 * @param isTheirs of an owner as it is stored
 */
export function isOwned(
  rules: readonly OwnerRule[],
  isTheirs: (owner: Assignee) => boolean,
  asset: RuledColumns,
): RawBuilder<SqlBool> {
  return (
    rules.reduceRight<RawBuilder<SqlBool> | null>((isOwnedByLater, rule) => {
      const owner = assigneeOf(rule);
      const isMatched = sql<SqlBool>`(${matches(rule, asset)})`;
      if (owner !== null && isTheirs(owner)) {
        return isOwnedByLater ? sql<SqlBool>`(${isMatched} or ${isOwnedByLater})` : isMatched;
      }
      return isOwnedByLater && sql<SqlBool>`(${isMatched} is not true and ${isOwnedByLater})`;
    }, null) ?? sql<SqlBool>`false`
  );
}

/** One of the owners that have these keys (`assigneeKey`). */
export const withKeys =
  (keys: readonly string[]) =>
  (owner: Assignee): boolean =>
    keys.includes(assigneeKey(owner));

function matches({ departments, locations, tags }: OwnerRule, asset: RuledColumns): RawBuilder<SqlBool> {
  const ofAny = (names: readonly string[]) => (names.length === 0 ? null : names);
  const conditions = isVisible(
    { departments: ofAny(departments), locations: ofAny(locations) },
    asset,
    asset.isIndexed,
  );
  if (tags.length > 0) conditions.push(sql`${asset.tags} @> ${JSON.stringify(tagsOf(tags))}::jsonb`);
  return conditions.length === 0 ? sql<SqlBool>`true` : sql.join<SqlBool>(conditions, sql` and `);
}

/** As assets have them: several values of a key are in one list. */
function tagsOf(tags: OwnerRule['tags']): Record<string, string[]> {
  const keys = new Set(tags.map(({ key }) => key));
  return Object.fromEntries(
    [...keys].map((key) => [key, tags.filter((tag) => tag.key === key).map(({ value }) => value)]),
  );
}
