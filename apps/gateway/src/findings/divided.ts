import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isOfSamePartition } from '#libs/tables';

const FEATURE_NOT_SUPPORTED = '0A000';

/**
 * Runs a query for PostgreSQL on one machine. If PostgreSQL is divided over machines, it refuses the query before it
 * reads anything (0A000), and the other form runs, whose joins name the partition: it reads more than indexes have.
 */
export async function onEitherDatabase<T>(run: (isDivided: boolean) => Promise<T>): Promise<T> {
  try {
    return await run(false);
  } catch (error) {
    if ((error as { code?: string }).code !== FEATURE_NOT_SUPPORTED) throw error;
    return run(true);
  }
}

/** SQL: whether two rows belong to the same asset, by their aliases. */
export const sameAsset = (isDivided: boolean): typeof isOfSamePartition =>
  isDivided ? isOfSamePartition : isOfSameNumber;

/** The number contains the partition. */
const isOfSameNumber = (alias: string, row: string): RawBuilder<SqlBool> =>
  sql`${sql.ref(`${alias}.asset_no`)} = ${sql.ref(`${row}.asset_no`)}`;
