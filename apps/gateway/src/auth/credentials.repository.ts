import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, instant, lockByName, type Schema } from '#libs/database';
import type { RowLimits } from '#libs/tables';
import { isWithinRows } from './granted-rows.ts';
import type { Scope } from './scopes.ts';

export interface Credential {
  id: string;
  username: string;
  passwordHash: string;
  role: string;
  /** Counts the rotations, from 1. */
  generation: number;
}

type NewCredential = Omit<Credential, 'generation'> & RowLimits;

/** Returned fields of a credential; times are epoch ms. */
export interface CredentialRow extends RowLimits {
  id: string;
  username: string;
  role: string;
  /** Counts the rotations, from 1. */
  generation: number;
  createdAt: number;
  /** Null: never. */
  lastUsedAt: number | null;
  isBreakGlass: boolean;
  hasSecondFactor: boolean;
  /** Until when it may sign in without a required second factor; null: not decided yet. */
  secondFactorDueAt: number | null;
}

/** The credentials of API users; a transaction of Kysely will do for a database. */
@Injectable()
export class CredentialsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  async findByUsername(username: string): Promise<Credential | undefined> {
    return this.db
      .selectFrom('credentials')
      .select(['id', 'username', 'password_hash as passwordHash', 'role', 'generation'])
      .where('username', '=', username)
      .executeTakeFirst();
  }

  /** By user name. */
  list(visible: RowLimits, after: string | null, limit: number): Promise<CredentialRow[]> {
    return this.rows()
      .where(isWithinRows(visible))
      .$if(after !== null, (query) => query.where(sql<boolean>`username collate "C" > ${after}`))
      .orderBy(sql`username collate "C"`)
      .limit(limit)
      .execute();
  }

  /** If it shows no more rows than the visible ones. */
  find(id: string, visible: RowLimits): Promise<CredentialRow | undefined> {
    return this.rows().where('id', '=', id).where(isWithinRows(visible)).executeTakeFirst();
  }

  async count(): Promise<number> {
    const { count } = await this.db
      .selectFrom('credentials')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Of a custom role; null if there is none. */
  async scopesOfRole(name: string): Promise<Scope[] | null> {
    const row = await this.db
      .selectFrom('roles')
      .select(sql<Scope[]>`scopes`.as('scopes'))
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.scopes ?? null;
  }

  /** Whether there is a custom role; its deletion waits until the end of the transaction. */
  async keepRole(name: string): Promise<boolean> {
    const row = await this.db
      .selectFrom('roles')
      .select('name')
      .where('name', '=', name)
      .forKeyShare()
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Ends the old password, and the tokens that were issued with it. Returns false if the credential was rotated or deleted
   * since it was read.
   */
  async rotate(
    { id, generation }: Pick<CredentialRow, 'id' | 'generation'>,
    passwordHash: string,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('credentials')
      .set({ password_hash: passwordHash, generation: generation + 1, second_factor_due_at: null })
      .where('id', '=', id)
      .where('generation', '=', generation)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** Returns false if it is the last admin with all rows who can sign in, or does not exist. Of two that run at once the later one waits. */
  async delete(id: string): Promise<boolean> {
    // Locked in one order, so that two deletions never leave no admin, and never wait for each other.
    const { rows } = await sql<{ id: string }>`
      with admins as (select id from credentials where role = 'admin' and password_hash <> '' and ${SEES_ALL} order by id for update)
      delete from credentials
      where id = ${id} and exists (select from admins where admins.id <> ${id})
      returning id`.execute(this.db);
    return rows.length === 1;
  }

  private rows() {
    return this.db
      .selectFrom('credentials')
      .select([
        'id',
        'username',
        'role',
        'generation',
        'departments',
        'locations',
        'created_at as createdAt',
        'last_used_at as lastUsedAt',
        'is_break_glass as isBreakGlass',
        'second_factor_due_at as secondFactorDueAt',
      ])
      .select(
        sql<boolean>`exists (select from second_factors f where f.credential_id = credentials.id and f.confirmed_at is not null)`.as(
          'hasSecondFactor',
        ),
      );
  }

  /**
   * Marks the credential for emergencies, in place of another one, or ends that. Returns false if it does not exist. Of two
   * that run at once the later one waits: only one credential may be marked.
   */
  async setBreakGlass(id: string, isBreakGlass: boolean): Promise<boolean> {
    await lockByName(this.db, 'break-glass credential');
    if (isBreakGlass) {
      await this.db
        .updateTable('credentials')
        .set({ is_break_glass: false })
        .where('is_break_glass', '=', true)
        .execute();
    }
    const { numUpdatedRows } = await this.db
      .updateTable('credentials')
      .set({ is_break_glass: isBreakGlass })
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  async hasBreakGlass(): Promise<boolean> {
    const found = await this.db
      .selectFrom('credentials')
      .select('id')
      .where('is_break_glass', '=', true)
      .where('password_hash', '<>', '')
      .executeTakeFirst();
    return found !== undefined;
  }

  /** Until when a credential may sign in without a required second factor: the first answer stays. In epoch milliseconds. */
  async beginGrace(id: string, until: number): Promise<number | null> {
    const row = await this.db
      .updateTable('credentials')
      .set({ second_factor_due_at: sql`coalesce(second_factor_due_at, ${instant(until)})` })
      .where('id', '=', id)
      .returning('second_factor_due_at as dueAt')
      .executeTakeFirst();
    return row?.dueAt ?? null;
  }

  /** The next sign-in decides anew. */
  async endGrace(id: string): Promise<void> {
    await this.db
      .updateTable('credentials')
      .set({ second_factor_due_at: null })
      .where('id', '=', id)
      .execute();
  }

  /** Whether any admin with all rows can sign in. An admin that a restore has locked cannot. */
  async hasAdmin(): Promise<boolean> {
    const found = await this.db
      .selectFrom('credentials')
      .select('id')
      .where('role', '=', 'admin')
      .where('password_hash', '<>', '')
      .where(SEES_ALL)
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }

  /**
   * Gives an admin that a restore has locked another password. Its generation stays that of the log: the restore has
   * ended all tokens, and the next one counts rotations by it. The days for its second factor begin again. Returns false if
   * there is none of that name with all rows.
   */
  async unlockAdmin(username: string, passwordHash: string): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('credentials')
      .set({ password_hash: passwordHash, second_factor_due_at: null })
      .where('username', '=', username)
      .where('role', '=', 'admin')
      .where(SEES_ALL)
      .where('password_hash', '=', '')
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** Returns false if the user name is taken. */
  async add(
    { id, username, passwordHash, role, departments, locations }: NewCredential,
    at: number,
  ): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('credentials')
      .values({
        id,
        username,
        password_hash: passwordHash,
        role,
        departments: departments && [...departments],
        locations: locations && [...locations],
        created_at: new Date(at),
        second_factor_acts: 0,
      })
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

/** Of the organization: an admin with limits cannot administer all of it. */
const SEES_ALL = sql<boolean>`(departments is null and locations is null)`;
