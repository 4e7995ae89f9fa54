import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { UnavailableException } from '../http/http-errors.ts';

export type ContextKind = Schema['import_contexts']['kind'];

/** A product type, product, engagement or test of DefectDojo: a name within another, with an id. */
export interface ImportContext {
  id: number;
  kind: ContextKind;
  /** 0: a product type. */
  parentId: number;
  name: string;
}

/** Null: any. */
export interface ContextFilter {
  id: number | null;
  name: string | null;
  parentId: number | null;
}

const COLUMNS = ['id', 'kind', 'parent_id as parentId', 'name'] as const;
/** So many names are kept; no site has as many products and tests. */
export const CONTEXTS_MAX = 100_000;
const LISTED_MAX = 100;
/** Each is lost only to another request that adds a name. */
const ADD_ATTEMPTS = 20;

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

  /** The first 100, by id. */
  list(kind: ContextKind, { id, name, parentId }: ContextFilter): Promise<ImportContext[]> {
    let query = this.db.selectFrom('import_contexts').select(COLUMNS).where('kind', '=', kind);
    if (id !== null) query = query.where('id', '=', id);
    if (name !== null) query = query.where(sql<boolean>`md5(name) = md5(${name})`).where('name', '=', name);
    if (parentId !== null) query = query.where('parent_id', '=', parentId);
    return query.orderBy('id').limit(LISTED_MAX).execute();
  }

  /** The one of this name, new or not; undefined if there are too many. */
  async add(kind: ContextKind, parentId: number, name: string): Promise<ImportContext | undefined> {
    for (let attempt = 0; attempt < ADD_ATTEMPTS; attempt++) {
      const [known] = await this.list(kind, { id: null, name, parentId });
      if (known) return known;
      const isFull = await this.insert(kind, parentId, name);
      if (isFull) return undefined;
    }
    throw new UnavailableException('too many names are being added at once: retry later', 1);
  }

  /** Adds nothing if another request was first, with the same name or the same id. @returns whether there are too many */
  private async insert(kind: ContextKind, parentId: number, name: string): Promise<boolean> {
    const { rows } = await sql<{ id: number }>`
      select coalesce(max(id), 0) + 1 as id from import_contexts`.execute(this.db);
    const { id } = rows[0]!;
    if (id > CONTEXTS_MAX) return true;
    await this.db
      .insertInto('import_contexts')
      .values({ id, kind, parent_id: parentId, name })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return false;
  }
}
