import { IS_DIVIDED } from '#libs/database';
import type { Queryable } from './queryable.ts';

/**
 * Makes an empty table in another schema that can take the place of the live one: the same columns, constraints,
 * indexes, extended statistics and storage, under the same names.
 */
export async function copyTable(
  connection: Queryable,
  name: string,
  schema: string,
  storage: 'logged' | 'unlogged',
): Promise<void> {
  const kind = storage === 'unlogged' ? 'unlogged table' : 'table';
  await connection.query(
    `create ${kind} ${schema}.${name} (like public.${name} including all excluding indexes excluding statistics)`,
  );
  const { rows } = await connection.query(DEFINITIONS, [`public.${name}`]);
  const { options, constraints, indexes, statistics } = rows[0]!;
  if (options) await connection.query(`alter table ${schema}.${name} set (${options})`);
  for (const { conname, definition } of constraints) {
    await connection.query(`alter table ${schema}.${name} add constraint ${conname} ${definition}`);
  }
  for (const definition of indexes) {
    await connection.query(definition.replace(` ON public.${name} `, ` ON ${schema}.${name} `));
  }
  for (const { stxname, columns } of statistics) {
    await connection.query(`create statistics ${schema}.${stxname} on ${columns} from ${schema}.${name}`);
  }
  await divideLike(connection, name, schema);
}

/** Where Citus divides the live table over machines (deploy/citus), its shards and those of the copy are together. */
async function divideLike(connection: Queryable, name: string, schema: string): Promise<void> {
  const { rows } = await connection.query(IS_DIVIDED);
  if (!rows[0]!.isDivided) return;
  const { rows: divided } = await connection.query(
    'select partkey is null as is_reference from pg_dist_partition where logicalrelid = $1::regclass',
    [`public.${name}`],
  );
  if (divided.length === 0) return;
  const call = divided[0].is_reference
    ? 'create_reference_table($1::regclass)'
    : "create_distributed_table($1::regclass, 'partition', colocate_with => $2)";
  const copy = `${schema}.${name}`;
  await connection.query(`select ${call}`, divided[0].is_reference ? [copy] : [copy, `public.${name}`]);
}

/** Puts extended statistics in the schema of their table: they stay where they are if it gets another one. */
export async function moveStatistics(
  connection: Queryable,
  name: string,
  from: string,
  to: string,
): Promise<void> {
  const { rows } = await connection.query(
    `select quote_ident(stxname) as statistics from pg_statistic_ext
      where stxrelid = $1::regclass and stxnamespace = $2::regnamespace`,
    [`${to}.${name}`, from],
  );
  for (const { statistics } of rows) {
    await connection.query(`alter statistics ${from}.${statistics} set schema ${to}`);
  }
}

/**
 * SQL that makes the triggers of a live table again on the table that has taken its place. Not part of the copy: COPY
 * into a table with triggers is slower.
 */
export async function triggersOf(connection: Queryable, name: string): Promise<string[]> {
  const { rows } = await connection.query(
    'select pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid = $1::regclass and not tgisinternal',
    [`public.${name}`],
  );
  return rows.map(({ definition }) => definition);
}

/**
 * Checks are copied with the columns; the index of a constraint with the constraint. Citus takes no statistics of
 * expressions.
 */
const DEFINITIONS = `
  select array_to_string(c.reloptions, ', ') as options,
         coalesce((
           select json_agg(json_build_object('conname', quote_ident(conname), 'definition', pg_get_constraintdef(oid)))
           from pg_constraint where conrelid = c.oid and contype in ('p', 'u')
         ), '[]') as constraints,
         coalesce((
           select json_agg(pg_get_indexdef(i.indexrelid))
           from pg_index i
           where i.indrelid = c.oid
             and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u'))
         ), '[]') as indexes,
         coalesce((
           select json_agg(json_build_object('stxname', quote_ident(stxname), 'columns', pg_get_statisticsobjdef_columns(oid)))
           from pg_statistic_ext where stxrelid = c.oid and to_regclass('pg_dist_partition') is null
         ), '[]') as statistics
  from pg_class c where c.oid = $1::regclass`;
