import { type SqlBool, sql } from 'kysely';
import { instant } from '#libs/database';

/** Rows after a place in a list that is newest first, then by id. @param place time in epoch ms, and id */
export const isOlder = ([at, id]: [number, string]) =>
  sql<SqlBool>`created_at <= ${instant(at)} and (created_at < ${instant(at)} or id > ${id}::uuid)`;
