import type { Kysely } from 'kysely';
import type { OidcProvider } from '#libs/config';
import type { Schema } from '#libs/database';
import type { ProvisionedProvider } from '../sign-ins/identity-providers.ts';
import { rightsOf } from '../sign-ins/user-claims.ts';
import { UserGroupsRepository } from './user-groups.repository.ts';
import { type GivenRights, type Rights, rightsText, UsersRepository } from './users.repository.ts';

/** Users whose groups are read at once. */
const PAGE = 500;

/**
 * What a user may do: from the groups in the claims, or from the groups that the provider has provisioned.
 * @param trx has locked the users of the provider: the groups stay as they are until the rights are written
 * @param userId null: a user who is not known yet
 * @param claimed groups
 */
export async function userRights(
  trx: Kysely<Schema>,
  provider: OidcProvider,
  userId: string | null,
  claimed: string[],
): Promise<GivenRights> {
  if (provider.groupsFrom === 'claims') return claimedRights(claimed, provider);
  const ids = userId === null ? [] : [userId];
  return provisionedRights((await new UserGroupsRepository(trx).ofUsers(ids)).get(userId ?? ''), provider);
}

/**
 * Sets the rights of all users of a provider by its settings, from the groups of their last sign-in or check, or from the
 * groups that the provider has provisioned.
 * @param unknown rights of users whose groups are not known; null: they keep what they have
 */
export async function applyMapping(
  trx: Kysely<Schema>,
  provider: ProvisionedProvider,
  unknown: Rights | null,
): Promise<void> {
  const users = new UsersRepository(trx);
  await users.lock(provider.id);
  const ofUnknown = unknown && { ...unknown, claimed: null };
  for (let after: string | null = null; ; ) {
    const page = await users.withGroups(provider, after, PAGE);
    const provisioned =
      provider.groupsFrom === 'scim' &&
      (await new UserGroupsRepository(trx).ofUsers(page.map(({ id }) => id)));
    for (const user of page) {
      const ofClaim = user.claimedGroups ? claimedRights(user.claimedGroups, provider) : ofUnknown;
      const rights = provisioned ? provisionedRights(provisioned.get(user.id), provider) : ofClaim;
      if (rights && rightsText(user) !== rightsText(rights)) await users.setRights(user.id, rights);
    }
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

const claimedRights = (names: string[], provider: ProvisionedProvider): GivenRights => ({
  ...rightsOf(names, provider),
  claimed: { claim: provider.groupsClaim, names },
});

const provisionedRights = (
  groups: readonly { displayName: string }[] = [],
  provider: ProvisionedProvider,
): GivenRights => ({
  ...rightsOf(
    groups.map(({ displayName }) => displayName),
    provider,
  ),
  claimed: null,
});
