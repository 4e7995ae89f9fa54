import { Inject, Injectable } from '@nestjs/common';
import type { Kysely, Transaction } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { type CredentialChanged, ORGANIZATION_KEY } from '#libs/domain';
import { ActsService } from '../acts/acts.service.ts';
import type { Caller } from './caller.ts';
import type { CredentialRow } from './credentials.repository.ts';
import { withLimits } from './granted-rows.ts';
import { KnownCredentials } from './known-credentials.ts';

/** Acts on credentials. The act is in the log before the database commits it (R-AUTH-11). */
@Injectable()
export class CredentialActs {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly acts: ActsService,
    private readonly known: KnownCredentials,
  ) {}

  async perform(
    act: CredentialChanged['act'],
    { id: credentialId, username, ...row }: CredentialRow,
    caller: Caller,
    work: (trx: Transaction<Schema>) => Promise<void>,
  ): Promise<void> {
    const role = withLimits(row.role, row);
    const payload: CredentialChanged = { type: 'CredentialChanged', act, credentialId, username, role };
    await this.db.transaction().execute(async (trx) => {
      await work(trx);
      await this.acts.append([{ entityKey: ORGANIZATION_KEY, payload }], caller);
    });
    await this.known.refresh();
  }
}
