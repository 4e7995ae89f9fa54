import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import type { Schema } from '#libs/database';
import { isoTime, isoTimeOrNull } from '#libs/domain';
import type { RowLimits } from '#libs/tables';
import type { LimitedCaller } from '../auth/caller.ts';
import { rowLimitsView } from '../auth/granted-rows.ts';
import { decodeKeys, type Page, type PageQuery, pageFrom } from '../paging/page.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import type { UserDto } from './user.dto.ts';
import { type ActOnUser, UserActs } from './user-acts.ts';
import { type UserRow, UsersRepository } from './users.repository.ts';

/** Lists, disables and deletes users of identity providers. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly acts: UserActs,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  async list({ limit, cursor }: PageQuery, visible: RowLimits): Promise<Page<UserDto>> {
    const after = decodeKeys(cursor, 'text')?.[0] ?? null;
    const rows = await this.users.list(visible, after, limit + 1);
    return pageFrom(rows, limit, ({ name }) => [name], userView);
  }

  /** @throws NotFoundException; ConflictException if it is the caller */
  async setActive(id: string, isActive: boolean, caller: LimitedCaller): Promise<UserDto> {
    return this.change(id, caller, async (user, trx) => {
      if (user.isActive === isActive) return { acts: [], result: user };
      await new UsersRepository(trx).setActive(id, isActive, this.now());
      if (!isActive) await new SessionsRepository(trx).endOf(id, null);
      return {
        acts: [{ act: isActive ? 'userEnabled' : 'userDisabled', user }],
        result: { ...user, isActive, ...(!isActive && { sessions: 0 }) },
      };
    });
  }

  /** The next sign-in creates the user again. @throws as `setActive` */
  async delete(id: string, caller: LimitedCaller): Promise<UserDto> {
    return this.change(id, caller, async (user, trx) => {
      await new SessionsRepository(trx).endOf(id, null);
      await new UsersRepository(trx).delete(id);
      return { acts: [{ act: 'userDeleted', user }], result: { ...user, sessions: 0 } };
    });
  }

  /** A provider that provisions users changes whole rows: the user is read again while its provisioning waits. */
  private async change(
    id: string,
    caller: LimitedCaller,
    work: (user: UserRow, trx: Transaction<Schema>) => Promise<{ acts: ActOnUser[]; result: UserRow }>,
  ): Promise<UserDto> {
    const { provider } = await this.other(id, caller, this.users);
    const changed = await this.acts.perform(caller, async (trx) => {
      const users = new UsersRepository(trx);
      await users.lock(provider);
      return work(await this.other(id, caller, users), trx);
    });
    return userView(changed);
  }

  private async other(
    id: string,
    { rows, credentialId }: LimitedCaller,
    users: UsersRepository,
  ): Promise<UserRow> {
    const user = await users.find(id, rows);
    if (!user) throw new NotFoundException(`no user has the id ${id}`);
    if (id === credentialId) throw new ConflictException('ask another admin to change your own user');
    return user;
  }
}

const userView = ({
  createdAt,
  lastSignInAt,
  changedAt: _,
  externalId: _e,
  userName: _n,
  isProvisioned: _p,
  ...row
}: UserRow): UserDto => ({
  ...row,
  ...rowLimitsView(row),
  createdAt: isoTime(createdAt),
  lastSignInAt: isoTimeOrNull(lastSignInAt),
});
