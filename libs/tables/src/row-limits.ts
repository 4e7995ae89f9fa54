import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { placeAt } from './as-of/asset-at.ts';

/**
 * The departments and locations whose assets a caller may see; null: all. An asset has to match both lists. Every asset
 * has a department and a location, by default those of the settings.
 */
export interface RowLimits {
  departments: readonly string[] | null;
  locations: readonly string[] | null;
}

/** Of a caller without limits. */
export const ALL_ROWS: RowLimits = { departments: null, locations: null };

/** Of a caller whose limits are not known. */
export const NO_ROWS: RowLimits = { departments: [], locations: [] };

export const seesAllRows = ({ departments, locations }: RowLimits): boolean =>
  departments === null && locations === null;

/** Whether each asset that the second limits show is also one of the first. */
export const areWithin = (outer: RowLimits, inner: RowLimits): boolean =>
  contains(outer.departments, inner.departments) && contains(outer.locations, inner.locations);

const contains = (outer: readonly string[] | null, inner: readonly string[] | null): boolean =>
  outer === null || (inner?.every((name) => outer.includes(name)) ?? false);

/** The department and the location that an asset has, by default those of the settings. */
export interface AssetPlace {
  department: string;
  location: string;
}

/** Whether an asset at a place is visible: as the SQL of `isVisible` decides it. */
export const showsPlace = (
  { departments, locations }: RowLimits,
  { department, location }: AssetPlace,
): boolean =>
  (departments === null || departments.includes(department)) &&
  (locations === null || locations.includes(location));

/** SQL of the department and location of an asset. */
interface Place {
  department: RawBuilder<string>;
  location: RawBuilder<string>;
}

/**
 * Conditions on an asset that limited callers may see: the one place that decides it. Without limits there are none.
 * @param isIndexed the columns are those of the indexes of migration 0009, which contain the beginning of a name
 */
export function isVisible(
  { departments, locations }: RowLimits,
  { department, location }: Place,
  isIndexed = false,
): RawBuilder<SqlBool>[] {
  const isOneOf = (column: RawBuilder<string>, names: readonly string[] | null): RawBuilder<SqlBool>[] => {
    if (names === null) return [];
    const isNamed = sql<SqlBool>`${column} = any(${[...names]}::text[])`;
    if (!isIndexed) return [isNamed];
    return [sql`left(${column}, 600) = any(${names.map(beginning)}::text[])`, isNamed];
  };
  return [...isOneOf(department, departments), ...isOneOf(location, locations)];
}

/** As `left(name, 600)` of PostgreSQL, which counts code points. */
const beginning = (name: string): string => [...name].slice(0, 600).join('');

/** Of a row of `assets`, by its alias. */
export const isVisibleAsset = (rows: RowLimits, alias: string): RawBuilder<SqlBool>[] =>
  isVisible(
    rows,
    { department: sql.ref(`${alias}.department`), location: sql.ref(`${alias}.location`) },
    true,
  );

/** Of the state `h` of an asset at an instant (`assetStateAt`). */
export const isVisibleState = (rows: RowLimits): RawBuilder<SqlBool>[] =>
  isVisible(rows, { department: placeAt('department'), location: placeAt('location') });

/**
 * Of the asset to which a row with `asset_no` and `partition` belongs, at present.
 * @param row its alias
 * @param isOfAsset SQL: whether a row of `assets` is that asset
 */
export const belongsToVisible = (
  rows: RowLimits,
  row: string,
  isOfAsset = isOfSamePartition,
): RawBuilder<SqlBool>[] =>
  seesAllRows(rows)
    ? []
    : [
        sql<SqlBool>`exists (
          select from assets v where ${isOfAsset('v', row)}
            and ${sql.join(isVisibleAsset(rows, 'v'), sql` and `)})`,
      ];

/**
 * As `belongsToVisible`, at an instant.
 * @param row the alias of a row with `asset_no` and `partition`
 * @param at SQL of the instant
 */
export const belongedToVisible = (
  rows: RowLimits,
  row: string,
  at: RawBuilder<unknown>,
): RawBuilder<SqlBool>[] => (seesAllRows(rows) ? [] : [wasVisible(rows, rowsAsset(row), sql`v.at <= ${at}`)]);

/** As `belongedToVisible`, after the event at a position of the log. @param logOffset SQL of its offset */
export const belongedToVisibleAfter = (
  rows: RowLimits,
  row: string,
  logOffset: RawBuilder<unknown>,
): RawBuilder<SqlBool>[] =>
  seesAllRows(rows) ? [] : [wasVisible(rows, rowsAsset(row), sql`v.log_offset <= ${logOffset}`)];

/**
 * Whether an asset was visible at an instant and at all times since.
 * @param isOfAsset SQL: whether the row with an alias is of the asset
 * @param from SQL of the instant; assets that came later have to be visible since then
 */
export const isVisibleSince = (
  rows: RowLimits,
  isOfAsset: (alias: string) => RawBuilder<SqlBool>,
  from: RawBuilder<unknown>,
): RawBuilder<SqlBool>[] =>
  seesAllRows(rows)
    ? []
    : [
        // With a column: Citus can read this on its own, and cannot take rows without columns then.
        sql<SqlBool>`not exists (
          select 1 from asset_history h
          where ${isOfAsset('h')}
            and h.sequence >= coalesce((
              select max(p.sequence) from asset_history p where ${isOfAsset('p')} and p.at <= ${from}), 0)
            and not (${sql.join(isVisibleState(rows), sql` and `)}))`,
      ];

/** SQL: whether two rows belong to the same asset. @param alias @param row aliases of rows with `asset_no` and `partition` */
export const isOfSamePartition = (alias: string, row: string): RawBuilder<SqlBool> =>
  sql`${sql.ref(`${alias}.asset_no`)} = ${sql.ref(`${row}.asset_no`)}
    and ${sql.ref(`${alias}.partition`)} = ${sql.ref(`${row}.partition`)}`;

/** As `isOfSamePartition`; on one machine by the number alone, which contains the partition. */
export const sameAsset = (divided: boolean): typeof isOfSamePartition =>
  divided ? isOfSamePartition : isOfSameNumber;

const isOfSameNumber = (alias: string, row: string): RawBuilder<SqlBool> =>
  sql`${sql.ref(`${alias}.asset_no`)} = ${sql.ref(`${row}.asset_no`)}`;

const rowsAsset = (row: string): RawBuilder<SqlBool> => isOfSamePartition('v', row);

/** Whether the last state `v` of an asset that matches is visible. */
const wasVisible = (
  rows: RowLimits,
  isOfAsset: RawBuilder<SqlBool>,
  isUntil: RawBuilder<unknown>,
): RawBuilder<SqlBool> => sql<SqlBool>`exists (
          select from (
            select v.state from asset_history v where ${isOfAsset} and ${isUntil}
            order by v.sequence desc limit 1) h
          where ${sql.join(isVisibleState(rows), sql` and `)})`;
