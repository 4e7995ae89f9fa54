import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';

export type ContextKind = Schema['import_contexts']['kind'];

/** A product type, product, engagement or test of DefectDojo: a name within another, with an id. */
export interface ImportContext {
  id: number;
  kind: ContextKind;
  /** 0: a product type. */
  parentId: number;
  name: string;
}

const COLUMNS = ['id', 'kind', 'parent_id as parentId', 'name'] as const;
/** So many names are kept; no site has as many products and tests. */
export const CONTEXTS_MAX = 100_000;
const LISTED_MAX = 100;

@Injectable()
export class ImportContextsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  find(kind: ContextKind, id: number): Promise<ImportContext | undefined> {
    return this.db
      .selectFrom('import_contexts')
      .select(COLUMNS)
      .where('kind', '=', kind)
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** The first 100, of one name or one parent if these are given. */
  list(
    kind: ContextKind,
    { name, parentId }: { name: string | null; parentId: number | null },
  ): Promise<ImportContext[]> {
    let query = this.db.selectFrom('import_contexts').select(COLUMNS).where('kind', '=', kind);
    if (name !== null) query = query.where(sql<boolean>`md5(name) = md5(${name})`).where('name', '=', name);
    if (parentId !== null) query = query.where('parent_id', '=', parentId);
    return query.orderBy('id').limit(LISTED_MAX).execute();
  }

  /** The one of this name, new or not; undefined if there are too many. */
  async add(kind: ContextKind, parentId: number, name: string): Promise<ImportContext | undefined> {
    const known = await this.list(kind, { name, parentId });
    if (known[0]) return known[0];
    const { count } = await this.db
      .selectFrom('import_contexts')
      .select(sql<number>`count(*)`.as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) >= CONTEXTS_MAX) return undefined;
    await this.db
      .insertInto('import_contexts')
      .values({ kind, parent_id: parentId, name })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await this.list(kind, { name, parentId }))[0];
  }
}
