import type { Queryable } from './queryable.ts';

/**
 * Gives a table, with its extended statistics, the owner and the rights of the live one of its name: programs with separate roles continue to work
 * after it has replaced that one.
 */
export async function copyRights(connection: Queryable, name: string, schema: string): Promise<void> {
  const { rows } = await connection.query<{ statement: string }>(STATEMENTS, [`public.${name}`, schema]);
  for (const { statement } of rows) await connection.query(statement);
}

const STATEMENTS = `
  select format('alter table %I.%I owner to %I', $2::text, relname, pg_get_userbyid(relowner)) as statement
  from pg_class
  where oid = $1::regclass and pg_get_userbyid(relowner) <> current_user
  union all
  select format('alter statistics %I.%I owner to %I', $2::text, stxname, pg_get_userbyid(stxowner))
  from pg_statistic_ext live
  where stxrelid = $1::regclass and pg_get_userbyid(stxowner) <> current_user
    and exists (select from pg_statistic_ext copy
                where copy.stxname = live.stxname and copy.stxnamespace = $2::regnamespace)
  union all
  select format('grant %s on %I.%I to %s', string_agg(privilege_type, ', '), $2::text, relname,
                case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end)
  from pg_class, aclexplode(relacl)
  where pg_class.oid = $1::regclass and grantee <> relowner
  group by relname, grantee`;
