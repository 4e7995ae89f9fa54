import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { isoTime, isoTimeOrNull } from '#libs/domain';
import type { RowLimits } from '#libs/tables';
import type { LimitedCaller } from '../auth/caller.ts';
import { rowLimitsView } from '../auth/granted-rows.ts';
import { decodeKeys, type Page, type PageQuery, pageFrom } from '../paging/page.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import type { UserDto } from './user.dto.ts';
import { UserActs } from './user-acts.ts';
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
    const user = await this.other(id, caller);
    if (user.isActive === isActive) return userView(user);
    await this.acts.perform(caller, async (trx) => {
      await new UsersRepository(trx).setActive(id, isActive, this.now());
      if (!isActive) await new SessionsRepository(trx).endOf(id, null);
      return { acts: [{ act: isActive ? 'userEnabled' : 'userDisabled', user }], result: null };
    });
    return userView({ ...user, isActive, ...(!isActive && { sessions: 0 }) });
  }

  /** The next sign-in creates the user again. @throws as `setActive` */
  async delete(id: string, caller: LimitedCaller): Promise<UserDto> {
    const user = await this.other(id, caller);
    await this.acts.perform(caller, async (trx) => {
      await new SessionsRepository(trx).endOf(id, null);
      await new UsersRepository(trx).delete(id);
      return { acts: [{ act: 'userDeleted', user }], result: null };
    });
    return userView({ ...user, sessions: 0 });
  }

  private async other(id: string, { rows, credentialId }: LimitedCaller): Promise<UserRow> {
    const user = await this.users.find(id, rows);
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
  ...row
}: UserRow): UserDto => ({
  ...row,
  ...rowLimitsView(row),
  createdAt: isoTime(createdAt),
  lastSignInAt: isoTimeOrNull(lastSignInAt),
});
