import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { OidcProvider } from '#libs/config';
import { DATABASE, lockByName, type Schema } from '#libs/database';

/** What the column `settings` contains. */
type ProviderSettings = Omit<OidcProvider, 'id' | 'label' | 'issuer' | 'clientSecret'>;

/** An identity provider that an admin has added. Times are epoch ms. */
export interface ProviderRow {
  id: string;
  label: string;
  issuer: string;
  settings: ProviderSettings;
  /** Sealed; null: it has to be entered again. */
  clientSecret: string | null;
  /** Counts its acts. */
  generation: number;
  createdAt: number;
  changedAt: number;
}

/** Identity providers of the table; a transaction of Kysely will do for a database. */
@Injectable()
export class IdentityProvidersRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** In the order of their creation. */
  list(): Promise<ProviderRow[]> {
    return this.rows().orderBy('created_at').orderBy('id').execute();
  }

  find(id: string): Promise<ProviderRow | undefined> {
    return this.rows().where('id', '=', id).executeTakeFirst();
  }

  /** As `find`; others who change the provider wait until the end of the transaction. */
  findShared(id: string): Promise<ProviderRow | undefined> {
    return this.rows().where('id', '=', id).forShare().executeTakeFirst();
  }

  /** The issuer of a provider that was removed: its users are the only ones that may have its id. */
  async issuerOfRemoved(id: string): Promise<string | null> {
    const row = await this.db
      .selectFrom('identity_providers')
      .select('issuer')
      .where('id', '=', id)
      .where('removed_at', 'is not', null)
      .executeTakeFirst();
    return row?.issuer ?? null;
  }

  /** Whether another provider of the table has the label, in any case of letters. */
  async hasLabel(label: string, exceptId: string): Promise<boolean> {
    const row = await this.db
      .selectFrom('identity_providers')
      .select('id')
      .where(sql<boolean>`lower(label) = lower(${label})`)
      .where('removed_at', 'is', null)
      .where('id', '<>', exceptId)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Whether users or groups have come with a provider of the id. */
  async hasUsers(id: string): Promise<boolean> {
    const { rows } = await sql<{ isUsed: boolean }>`
      select exists (select from users where provider = ${id})
          or exists (select from user_groups where provider = ${id}) as "isUsed"`.execute(this.db);
    return rows[0]!.isUsed;
  }

  /** Others who change providers wait until the end of the transaction. */
  async lock(): Promise<void> {
    await lockByName(this.db, 'identity providers');
  }

  /** @param row whose id is free, or that of a removed provider */
  async add(
    { id, label, issuer, settings, clientSecret }: Omit<ProviderRow, Managed>,
    now: number,
  ): Promise<void> {
    const at = new Date(now);
    const columns = {
      label,
      settings: JSON.stringify(settings),
      client_secret: clientSecret,
      created_at: at,
      changed_at: at,
    };
    await this.db
      .insertInto('identity_providers')
      .values({ id, issuer, generation: 1, removed_at: null, ...columns })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ ...columns, removed_at: null, generation: sql`identity_providers.generation + 1` }),
      )
      .execute();
  }

  /** Returns false if it has changed since it was read. */
  async change(
    { id, label, settings, clientSecret, generation }: ProviderRow,
    now: number,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('identity_providers')
      .set({
        label,
        settings: JSON.stringify(settings),
        client_secret: clientSecret,
        generation: generation + 1,
        changed_at: new Date(now),
      })
      .where('id', '=', id)
      .where('generation', '=', generation)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** Returns false if it does not exist, or is removed already. */
  async remove(id: string, now: number): Promise<boolean> {
    const at = new Date(now);
    const { numUpdatedRows } = await this.db
      .updateTable('identity_providers')
      .set({
        client_secret: null,
        settings: '{}',
        generation: sql`generation + 1`,
        changed_at: at,
        removed_at: at,
      })
      .where('id', '=', id)
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /**
   * Whether the provider is still as it was read. Waits for those who change it at the same time, and they for this
   * statement: a session that was stored before it either ends with their change, or is known to be of an old one.
   */
  async isCurrent({ id, generation }: Pick<ProviderRow, 'id' | 'generation'>): Promise<boolean> {
    const row = await this.db
      .selectFrom('identity_providers')
      .select('id')
      .where('id', '=', id)
      .where('generation', '=', generation)
      .forShare()
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Does what depends on a provider as it was read, in a transaction that who changes it waits for. Null if it has changed:
   * then nothing is done.
   */
  whileCurrent<T>(
    read: Pick<ProviderRow, 'id' | 'generation'> | null,
    work: (trx: Transaction<Schema>) => Promise<T>,
  ): Promise<T | null> {
    return this.db.transaction().execute(async (trx) => {
      const isCurrent = read === null || (await new IdentityProvidersRepository(trx).isCurrent(read));
      return isCurrent ? work(trx) : null;
    });
  }

  private rows() {
    return this.db
      .selectFrom('identity_providers')
      .where('removed_at', 'is', null)
      .select(['id', 'label', 'issuer', 'generation', 'client_secret as clientSecret'])
      .select(['created_at as createdAt', 'changed_at as changedAt'])
      .select(sql<ProviderSettings>`settings`.as('settings'));
  }
}

type Managed = 'generation' | 'createdAt' | 'changedAt';
