import { Injectable } from '@nestjs/common';
import type { OidcProvider } from '#libs/config';
import { rightsOf } from '../sign-ins/user-claims.ts';
import { UserGroupsRepository } from './user-groups.repository.ts';
import type { Rights } from './users.repository.ts';

/** What a user may do: from the groups in the claims, or from the groups that the provider has provisioned. */
@Injectable()
export class UserRights {
  constructor(private readonly groups: UserGroupsRepository) {}

  /** @param userId null: a user who is not known yet */
  async of(provider: OidcProvider, userId: string | null, claimed: Rights): Promise<Rights> {
    if (provider.groupsFrom === 'claims') return claimed;
    const groups = userId === null ? [] : ((await this.groups.ofUsers([userId])).get(userId) ?? []);
    return rightsOf(
      groups.map(({ displayName }) => displayName),
      provider,
    );
  }
}
