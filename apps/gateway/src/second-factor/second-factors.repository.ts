import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';

/** Wrong codes of a credential until the count begins again, at all gateways together. */
const ATTEMPTS_MAX = 10;
const WINDOW_MS = 15 * 60_000;

export interface SecondFactor {
  /** Sealed. */
  secret: string;
  isConfirmed: boolean;
  recoveryCodes: number;
}

/** Second factors of credentials; a transaction of Kysely will do for a database. */
@Injectable()
export class SecondFactorsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  find(credentialId: string): Promise<SecondFactor | undefined> {
    return this.db
      .selectFrom('second_factors')
      .select(['secret', sql<boolean>`confirmed_at is not null`.as('isConfirmed')])
      .select(sql<number>`cardinality(recovery_hashes)`.as('recoveryCodes'))
      .where('credential_id', '=', credentialId)
      .executeTakeFirst();
  }

  /** Stores a secret that is not confirmed yet, in place of another such one. Returns false if one is confirmed. */
  async begin(credentialId: string, secret: string): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('second_factors')
      .values({ credential_id: credentialId, secret, confirmed_at: null })
      .onConflict((conflict) =>
        conflict
          .column('credential_id')
          .doUpdateSet({ secret })
          .where('second_factors.confirmed_at', 'is', null),
      )
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  /**
   * Counts a code before it is compared, so that no more are tried than may be wrong. Null if it may be; otherwise when
   * the count begins again, in epoch milliseconds.
   */
  async countAttempt(credentialId: string, now: number): Promise<number | null> {
    const { rows } = await sql<{ isWithin: boolean; until: number }>`
      update second_factors
         set attempts = case when attempts_until <= ${instant(now)} then 1
                             else least(attempts, ${ATTEMPTS_MAX}) + 1 end,
             attempts_until = case when attempts_until <= ${instant(now)} then ${instant(now + WINDOW_MS)}
                                   else attempts_until end
       where credential_id = ${credentialId}
      returning attempts <= ${ATTEMPTS_MAX} as "isWithin", attempts_until as until`.execute(this.db);
    const [counted] = rows;
    return counted === undefined || counted.isWithin ? null : counted.until;
  }

  /** Whether the code of a time step is accepted: one of it or of a later step was not. */
  async acceptStep(credentialId: string, step: number): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('second_factors')
      .set({ last_step: step, attempts_until: 'epoch' })
      .where('credential_id', '=', credentialId)
      .where('last_step', '<', step)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** Whether a recovery code was left; it is not any more. */
  async useRecoveryCode(credentialId: string, hash: Buffer): Promise<boolean> {
    const { rows } = await sql`
      update second_factors set recovery_hashes = array_remove(recovery_hashes, ${hash}::bytea), attempts_until = 'epoch'
       where credential_id = ${credentialId} and confirmed_at is not null and ${hash}::bytea = any (recovery_hashes)
      returning credential_id`.execute(this.db);
    return rows.length === 1;
  }

  /** For an act. Returns false if the secret was replaced or confirmed in the meantime. */
  async confirm(credentialId: string, secret: string, hashes: Buffer[], at: number): Promise<boolean> {
    await this.countAct(credentialId);
    const { numUpdatedRows } = await this.db
      .updateTable('second_factors')
      .set({ confirmed_at: new Date(at), recovery_hashes: hashes })
      .where('credential_id', '=', credentialId)
      .where('secret', '=', secret)
      .where('confirmed_at', 'is', null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  async replaceRecoveryCodes(credentialId: string, hashes: Buffer[]): Promise<void> {
    await this.db
      .updateTable('second_factors')
      .set({ recovery_hashes: hashes })
      .where('credential_id', '=', credentialId)
      .execute();
  }

  /** For an act. Returns false if there was none that is confirmed. */
  async remove(credentialId: string): Promise<boolean> {
    await this.countAct(credentialId);
    const { numDeletedRows } = await this.db
      .deleteFrom('second_factors')
      .where('credential_id', '=', credentialId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirstOrThrow();
    return numDeletedRows === 1n;
  }

  /** First, since the deletion of a credential locks its row before its second factor. */
  private async countAct(credentialId: string): Promise<void> {
    await this.db
      .updateTable('credentials')
      .set(({ eb }) => ({ second_factor_acts: eb('second_factor_acts', '+', 1) }))
      .where('id', '=', credentialId)
      .execute();
  }
}
