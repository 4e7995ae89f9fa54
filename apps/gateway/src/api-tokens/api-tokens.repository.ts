import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, lockByName, type Schema } from '#libs/database';
import type { RowLimits } from '#libs/tables';
import { isWithinRows } from '../auth/granted-rows.ts';
import type { Scope } from '../auth/scopes.ts';

/** Returned fields of an API token; times are epoch ms. */
export interface ApiTokenRow extends RowLimits {
  id: string;
  name: string;
  /** Counts rotations and changes. */
  generation: number;
  scopes: Scope[];
  networks: string[];
  createdAt: number;
  expiresAt: number | null;
  previousUntil: number | null;
  lastUsedAt: number | null;
}

/** API tokens, of which only hashes are stored; a transaction of Kysely will do for a database. */
@Injectable()
export class ApiTokensRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** By name. */
  list(visible: RowLimits, after: string | null, limit: number): Promise<ApiTokenRow[]> {
    return this.rows()
      .where(isWithinRows(visible))
      .$if(after !== null, (query) => query.where(sql<boolean>`name collate "C" > ${after}`))
      .orderBy(sql`name collate "C"`)
      .limit(limit)
      .execute();
  }

  /** If it shows no more rows than the visible ones. */
  find(id: string, visible: RowLimits): Promise<ApiTokenRow | undefined> {
    return this.rows().where('id', '=', id).where(isWithinRows(visible)).executeTakeFirst();
  }

  async count(): Promise<number> {
    const { count } = await this.db
      .selectFrom('api_tokens')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Others who give a token a name wait until the end of the transaction. */
  async lockNames(): Promise<void> {
    await lockByName(this.db, 'names of API tokens');
  }

  /** Returns false if the name is taken. */
  async add(
    { id, name, scopes, networks, departments, locations, createdAt, expiresAt }: ApiTokenRow,
    hash: Buffer,
  ): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('api_tokens')
      .values({
        id,
        name,
        scopes,
        networks,
        departments: departments && [...departments],
        locations: locations && [...locations],
        secret_hash: hash,
        created_at: new Date(createdAt),
        expires_at: expiresAt === null ? null : new Date(expiresAt),
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** The present secret becomes the previous one, and the one before that ends. Returns false as `change`. */
  async rotate(
    {
      id,
      generation,
      previousUntil,
      expiresAt,
    }: Pick<ApiTokenRow, 'id' | 'generation' | 'previousUntil' | 'expiresAt'>,
    hash: Buffer,
  ): Promise<boolean> {
    const until = previousUntil === null ? null : new Date(previousUntil);
    const { numUpdatedRows } = await this.db
      .updateTable('api_tokens')
      .set(({ ref }) => ({
        generation: generation + 1,
        previous_hash: until === null ? null : ref('secret_hash'),
        // A token that a restore has locked has no secret.
        previous_until:
          until === null ? null : sql`case when secret_hash is null then null else ${until}::timestamptz end`,
        secret_hash: hash,
        expires_at: expiresAt === null ? null : new Date(expiresAt),
      }))
      .where('id', '=', id)
      .where('generation', '=', generation)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** The row gets these values unless another session has changed it since it was read. Returns false then. */
  async change({
    id,
    generation,
    name,
    scopes,
    networks,
    departments,
    locations,
    expiresAt,
  }: ApiTokenRow): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('api_tokens')
      .set({
        generation: generation + 1,
        name,
        scopes,
        networks,
        departments: departments && [...departments],
        locations: locations && [...locations],
        expires_at: expiresAt === null ? null : new Date(expiresAt),
      })
      .where('id', '=', id)
      .where('generation', '=', generation)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  async isNamed(name: string): Promise<boolean> {
    const row = await this.db
      .selectFrom('api_tokens')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns false if the token does not exist. */
  async delete(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.db
      .deleteFrom('api_tokens')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return numDeletedRows === 1n;
  }

  private rows() {
    return this.db
      .selectFrom('api_tokens')
      .select([
        'id',
        'name',
        'generation',
        sql<Scope[]>`scopes`.as('scopes'),
        'networks',
        'departments',
        'locations',
        'created_at as createdAt',
        'expires_at as expiresAt',
        'previous_until as previousUntil',
        'last_used_at as lastUsedAt',
      ]);
  }
}
