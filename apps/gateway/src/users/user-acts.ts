import { Inject, Injectable } from '@nestjs/common';
import type { Kysely, Transaction } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { type CredentialChanged, ORGANIZATION_KEY } from '#libs/domain';
import { ActsService } from '../acts/acts.service.ts';
import type { Caller } from '../auth/caller.ts';
import { withLimits } from '../auth/granted-rows.ts';
import { KnownCredentials } from '../auth/known-credentials.ts';
import type { UserRow } from './users.repository.ts';

export interface ActOnUser {
  act: CredentialChanged['act'];
  user: Pick<UserRow, 'id' | 'name' | 'grants' | 'departments' | 'locations'>;
}

/** Acts on users of identity providers. They are in the log before the database commits them (R-AUTH-11). */
@Injectable()
export class UserActs {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly acts: ActsService,
    private readonly known: KnownCredentials,
  ) {}

  /** @param work returns what it did, and the result */
  async perform<T>(
    caller: Caller,
    work: (trx: Transaction<Schema>) => Promise<{ acts: ActOnUser[]; result: T }>,
  ): Promise<T> {
    const result = await this.db.transaction().execute(async (trx) => {
      const done = await work(trx);
      await this.acts.append(
        done.acts.map((one) => ({ entityKey: ORGANIZATION_KEY, payload: payloadOf(one) })),
        caller,
      );
      return done.result;
    });
    await this.known.refresh();
    return result;
  }
}

const payloadOf = ({ act, user }: ActOnUser): CredentialChanged => ({
  type: 'CredentialChanged',
  act,
  credentialId: user.id,
  username: user.name,
  role: withLimits(user.grants.join(' '), user),
});
