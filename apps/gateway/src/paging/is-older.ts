import { type SqlBool, sql } from 'kysely';
import { instant } from '#libs/database';

/**
 * Rows after a place in a list that is newest first, then by id.
 * @param place time in epoch ms, and id
 * @param column of the time
 */
export const isOlder = ([at, id]: [number, string], column = 'created_at') => {
  const time = sql.ref(column);
  return sql<SqlBool>`${time} <= ${instant(at)} and (${time} < ${instant(at)} or id > ${id}::uuid)`;
};
