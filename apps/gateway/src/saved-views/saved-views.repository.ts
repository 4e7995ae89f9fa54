import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql, type Updateable } from 'kysely';
import { DATABASE, lockByName, type Schema } from '#libs/database';
import { isOlder } from '../paging/is-older.ts';
import type { ViewedList } from './view.dto.ts';

/** A view as stored; times are epoch ms. */
export interface ViewRow {
  id: string;
  ownerId: string;
  /** In the clear, or sealed, as `name` and `query` are. */
  owner: string;
  list: ViewedList;
  name: string;
  query: string;
  isShared: boolean;
  version: number;
  createdAt: number;
  updatedAt: number;
  /** Of the person who reads. */
  isDefault: boolean;
}

/** Views that a person may see: those of its own, and shared ones, of these lists. */
export interface ViewReader {
  personId: string;
  lists: readonly ViewedList[];
}

/** Saved views and defaults; a transaction of Kysely will do for a database. */
@Injectable()
export class SavedViewsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Newest first. @param after time and id of the last one before them */
  list(reader: ViewReader, after: [number, string] | null, limit: number): Promise<ViewRow[]> {
    return this.rows(reader)
      .$if(after !== null, (query) => query.where(isOlder(after!)))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  find(id: string, reader: ViewReader): Promise<ViewRow | undefined> {
    return this.rows(reader).where('id', '=', id).executeTakeFirst();
  }

  /** As `find`. No other session changes it before the transaction ends. */
  lock(id: string, reader: ViewReader): Promise<ViewRow | undefined> {
    return this.rows(reader).where('id', '=', id).forUpdate().executeTakeFirst();
  }

  /** Others who add a view of the person wait until the end of the transaction. */
  async lockPerson(personId: string): Promise<void> {
    await lockByName(this.db, `views of ${personId}`);
  }

  async count(personId: string): Promise<number> {
    const { count } = await this.db
      .selectFrom('saved_views')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('owner_id', '=', personId)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Returns false if another view of the owner on the list has the name. */
  async add({ id, ownerId, owner, list, name, query, ...row }: ViewRow): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('saved_views')
      .values({
        ...{ id, owner_id: ownerId, owner, list, name, query, is_shared: row.isShared },
        created_at: new Date(row.createdAt),
        updated_at: new Date(row.updatedAt),
      })
      .onConflict((conflict) => conflict.columns(['owner_id', 'list', 'name']).doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** Whether another view of the owner on the list has the name. */
  async isNamed({ id, ownerId, list }: ViewRow, name: string): Promise<boolean> {
    const row = await this.db
      .selectFrom('saved_views')
      .select('id')
      .where('owner_id', '=', ownerId)
      .where('list', '=', list)
      .where('name', '=', name)
      .where('id', '<>', id)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Counts the change. The row is locked. */
  async change(id: string, columns: Updateable<Schema['saved_views']>, at: number): Promise<void> {
    await this.db
      .updateTable('saved_views')
      .set(({ eb }) => ({ ...columns, version: eb('version', '+', 1), updated_at: new Date(at) }))
      .where('id', '=', id)
      .execute();
  }

  /** It stays the default of its owner only. */
  async removeDefaultsOfOthers({ id, ownerId }: Pick<ViewRow, 'id' | 'ownerId'>): Promise<void> {
    await this.db
      .deleteFrom('default_views')
      .where('view_id', '=', id)
      .where('person_id', '<>', ownerId)
      .execute();
  }

  async setDefault(personId: string, { id, list }: Pick<ViewRow, 'id' | 'list'>): Promise<void> {
    await this.db
      .insertInto('default_views')
      .values({ person_id: personId, list, view_id: id })
      .onConflict((conflict) => conflict.columns(['person_id', 'list']).doUpdateSet({ view_id: id }))
      .execute();
  }

  async unsetDefault(personId: string, { id }: Pick<ViewRow, 'id'>): Promise<void> {
    await this.db
      .deleteFrom('default_views')
      .where('person_id', '=', personId)
      .where('view_id', '=', id)
      .execute();
  }

  async remove(id: string): Promise<void> {
    await this.db.deleteFrom('saved_views').where('id', '=', id).execute();
  }

  private rows({ personId, lists }: ViewReader) {
    return this.db
      .selectFrom('saved_views')
      .select([
        'id',
        'owner_id as ownerId',
        'owner',
        sql<ViewedList>`list`.as('list'),
        'name',
        'query',
        'is_shared as isShared',
        'version',
        'created_at as createdAt',
        'updated_at as updatedAt',
        sql<boolean>`exists (
          select from default_views d where d.person_id = ${personId}::uuid and d.view_id = saved_views.id)`.as(
          'isDefault',
        ),
      ])
      .where(sql<SqlBool>`(owner_id = ${personId}::uuid or is_shared)`)
      .where(sql<SqlBool>`list = any(${[...lists]}::text[])`);
  }
}
