import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isVisibleAsset, type RowLimits } from '#libs/tables';
import { escapeLike } from '../paging/escape-like.ts';
import { searchQuery } from '../paging/search-query.ts';
import { inAnyForm } from '../paging/unicode-forms.ts';
import type { AssetFilterQuery } from './asset.dto.ts';
import { isNotSeenSince } from './not-seen.ts';

/** Filter of assets: each asset matches all given conditions. */
export interface AssetConditions {
  /** That the caller may see. */
  rows: RowLimits;
  filter: AssetFilterQuery;
  /** Custom field → option. */
  customFields: Record<string, string>;
  /** Keys of the sealed entities whose name is exactly that of the filter: other names cannot be searched. */
  sealed?: { name: string[]; q: string[] };
  /** That no source has reported them since then, in epoch milliseconds. */
  notSeenSince?: number;
}

/** Conditions on a row `a` of assets that is live; each can be looked up in an index of migration 0009. */
export function assetConditions({
  rows,
  filter,
  customFields,
  sealed,
  notSeenSince,
}: AssetConditions): RawBuilder<SqlBool>[] {
  const { name, type, attackSurface, department, location, criticality, source, scored, q } = filter;
  const conditions: RawBuilder<SqlBool>[] = [sql`a.deleted_at is null`, ...isVisibleAsset(rows, 'a')];
  if (name !== undefined) conditions.push(...orSealed([beginsWith(name)], sealed?.name));
  if (type !== undefined) conditions.push(...equals(sql`a.type`, type));
  if (attackSurface !== undefined) conditions.push(...equals(sql`a.attack_surface`, attackSurface));
  if (department !== undefined) conditions.push(...equals(sql`a.department`, department));
  if (location !== undefined) conditions.push(...equals(sql`a.location`, location));
  if (criticality !== undefined) {
    conditions.push(sql`criticality_rank(a.criticality) = criticality_rank(${criticality})`);
  }
  if (source !== undefined) {
    conditions.push(
      sql`indexed_ids(a.sources) @> array[left(${source}, 200)]`,
      sql`a.sources @> array[${source}]`,
    );
  }
  if (Object.keys(customFields).length > 0) {
    conditions.push(sql`a.custom_fields @> ${JSON.stringify(eachInArray(customFields))}::jsonb`);
  }
  if (scored !== undefined) {
    const hasScore = sql<SqlBool>`exists (
      select from asset_scores r where r.asset_no = a.asset_no and r.partition = a.partition and r.score is not null)`;
    conditions.push(scored === 'true' ? hasScore : sql`not ${hasScore}`);
  }
  if (notSeenSince !== undefined) {
    conditions.push(
      sql`exists (select from asset_seen s where s.asset_no = a.asset_no and s.partition = a.partition and ${isNotSeenSince(notSeenSince)})`,
    );
  }
  if (q !== undefined)
    conditions.push(...orSealed([sql`asset_words(a.state) @@ ${searchQuery(q)}`], sealed?.q));
  return conditions;
}

/** Conditions on a name, or the sealed entities that have it. */
export const orSealed = (conditions: RawBuilder<SqlBool>[], keys: string[] = []) =>
  keys.length === 0
    ? conditions
    : [sql<SqlBool>`((${sql.join(conditions, sql` and `)}) or a.entity_key = any(${keys}::text[]))`];

/** Each option as an array: the fields of an asset hold several. */
export const eachInArray = (options: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(options).map(([field, option]) => [field, [option]]));

/** An index contains only the beginning of a text. */
const equals = (column: RawBuilder<unknown>, value: string): RawBuilder<SqlBool>[] => [
  sql`left(${column}, 600) = left(${value}, 600)`,
  sql`${column} = ${value}`,
];

const beginsWith = (name: string): RawBuilder<SqlBool> =>
  inAnyForm(
    name,
    (form) => sql`
      a.sort_name like lower(${`${escapeLike([...form].slice(0, 600).join(''))}%`})
      and lower(a.name) like lower(${`${escapeLike(form)}%`})`,
  );
