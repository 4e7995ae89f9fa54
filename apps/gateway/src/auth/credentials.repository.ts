import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import type { Role } from './roles.ts';

export interface Credential {
  id: string;
  username: string;
  passwordHash: string;
  role: Role;
}

@Injectable()
export class CredentialsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  async findByUsername(username: string): Promise<Credential | undefined> {
    return this.db
      .selectFrom('credentials')
      .select(['id', 'username', 'password_hash as passwordHash', 'role'])
      .where('username', '=', username)
      .executeTakeFirst();
  }

  async exists(): Promise<boolean> {
    const found = await this.db.selectFrom('credentials').select('id').limit(1).executeTakeFirst();
    return found !== undefined;
  }

  /** Answers false where the user name is taken. */
  async add({ id, username, passwordHash, role }: Credential, at: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('credentials')
      .values({ id, username, password_hash: passwordHash, role, created_at: new Date(at) })
      .onConflict((conflict) => conflict.column('username').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  async touch(id: string, at: number): Promise<void> {
    await this.db
      .updateTable('credentials')
      .set({ last_used_at: new Date(at) })
      .where('id', '=', id)
      .execute();
  }
}
