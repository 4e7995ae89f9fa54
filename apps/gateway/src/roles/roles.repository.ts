import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import type { Scope } from '../auth/scopes.ts';

interface RoleRow {
  name: string;
  scopes: Scope[];
}

/** Custom roles; a transaction of Kysely will do for a database. */
@Injectable()
export class RolesRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** By name. */
  list(): Promise<RoleRow[]> {
    return this.rows().orderBy(sql`name collate "C"`).execute();
  }

  find(name: string): Promise<RoleRow | undefined> {
    return this.rows().where('name', '=', name).executeTakeFirst();
  }

  /** As `find`; others who change the role wait until the end of the transaction. */
  lock(name: string): Promise<RoleRow | undefined> {
    return this.rows().where('name', '=', name).forUpdate().executeTakeFirst();
  }

  /** Returns false if the name is taken. */
  async add({ name, scopes }: RoleRow): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('roles')
      .values({ name, scopes })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  async change({ name, scopes }: RoleRow): Promise<void> {
    await this.db.updateTable('roles').set({ scopes }).where('name', '=', name).execute();
  }

  /** Returns false if the role does not exist, or a credential has it: lock the role first, in a statement of its own. */
  async delete(name: string): Promise<boolean> {
    const { numDeletedRows } = await this.db
      .deleteFrom('roles')
      .where('name', '=', name)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('credentials').select('id').where('role', '=', name))),
      )
      .executeTakeFirstOrThrow();
    return numDeletedRows === 1n;
  }

  private rows() {
    return this.db.selectFrom('roles').select(['name', sql<Scope[]>`scopes`.as('scopes')]);
  }
}
