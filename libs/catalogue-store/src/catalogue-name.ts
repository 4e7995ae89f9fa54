import { type QueryExecutorProvider, sql } from 'kysely';
import { instant } from '#libs/database';

/** Name of the techniques that ship with the service. They apply until techniques are imported. */
const SHIPPED = 'attack';
const HASH_SHOWN = 12;

/**
 * The catalogues that were in force at an instant, in epoch milliseconds, as scores name them:
 * `attack cve:1f0c… epss:88ab… kev:0d2e…`, each by the beginning of its last import's content hash.
 */
export async function catalogueName(db: QueryExecutorProvider, at: number): Promise<string> {
  const { rows } = await sql<{ catalogue: string; hash: string }>`
    /* read_catalogue_name */
    select distinct on (catalogue) catalogue, left(content_hash, ${HASH_SHOWN}) as hash
    from catalogue_imports where valid_from <= ${instant(at)}
    order by catalogue, valid_from desc`.execute(db);
  const imported = rows.map(({ catalogue, hash }) => `${catalogue}:${hash}`);
  const isShipped = rows.every(({ catalogue }) => catalogue !== 'attack');
  return [...(isShipped ? [SHIPPED] : []), ...imported].join(' ');
}
