import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import type { RowLimits } from '#libs/tables';

const DIGITS = 8;

/** What the groups of a user give: roles and scopes, and the rows that they see. */
export interface Rights extends RowLimits {
  grants: string[];
}

/** A user at a provider. */
export interface GivenUser extends Rights {
  provider: string;
  subject: string;
  /** With the id of the provider before it. */
  name: string;
}

/** Users of identity providers; a transaction of Kysely will do for a database. */
@Injectable()
export class UsersRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  async count(): Promise<number> {
    const { count } = await this.db
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  async idOf(provider: string, subject: string): Promise<string | null> {
    const row = await this.db
      .selectFrom('users')
      .select('id')
      .where('provider', '=', provider)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row?.id ?? null;
  }

  /** Adds the user, or sets the rights of one who exists. A name is never changed: the log contains it. */
  async signIn({ provider, subject, name, ...rights }: GivenUser, now: number): Promise<string> {
    const isTaken = await this.db
      .selectFrom('users')
      .select('id')
      .where('name', '=', name)
      .where(({ not, and, eb }) => not(and([eb('provider', '=', provider), eb('subject', '=', subject)])))
      .executeTakeFirst();
    const at = new Date(now);
    const { id } = await this.db
      .insertInto('users')
      .values({
        id: randomUUID(),
        provider,
        subject,
        name: isTaken ? distinct(name, subject) : name,
        ...columnsOf(rights),
        created_at: at,
        last_sign_in_at: at,
      })
      .onConflict((conflict) =>
        conflict.columns(['provider', 'subject']).doUpdateSet({ ...columnsOf(rights), last_sign_in_at: at }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async setRights(id: string, rights: Rights): Promise<void> {
    await this.db.updateTable('users').set(columnsOf(rights)).where('id', '=', id).execute();
  }
}

const columnsOf = ({ grants, departments, locations }: Rights) => ({
  grants,
  departments: departments && [...departments],
  locations: locations && [...locations],
});

/** Two people of a provider can have the same name, one after the other for example. */
const distinct = (name: string, subject: string): string =>
  `${name}#${createHash('sha256').update(subject).digest('hex').slice(0, DIGITS)}`;
