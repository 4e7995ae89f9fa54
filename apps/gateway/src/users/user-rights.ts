import type { Kysely } from 'kysely';
import type { OidcProvider } from '#libs/config';
import type { Schema } from '#libs/database';
import { rightsOf } from '../sign-ins/user-claims.ts';
import { UserGroupsRepository } from './user-groups.repository.ts';
import type { Rights } from './users.repository.ts';

/**
 * What a user may do: from the groups in the claims, or from the groups that the provider has provisioned.
 * @param trx has locked the users of the provider: the groups stay as they are until the rights are written
 * @param userId null: a user who is not known yet
 */
export async function userRights(
  trx: Kysely<Schema>,
  provider: OidcProvider,
  userId: string | null,
  claimed: Rights,
): Promise<Rights> {
  if (provider.groupsFrom === 'claims') return claimed;
  const groups =
    userId === null ? [] : ((await new UserGroupsRepository(trx).ofUsers([userId])).get(userId) ?? []);
  return rightsOf(
    groups.map(({ displayName }) => displayName),
    provider,
  );
}
