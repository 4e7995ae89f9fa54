import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { Kysely, Transaction } from 'kysely';
import type SCIMMY from 'scimmy';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import type { Caller } from '../auth/caller.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import { IdentityProviders } from '../sign-ins/identity-providers.ts';
import { rightsOf } from '../sign-ins/user-claims.ts';
import { type ActOnUser, UserActs } from '../users/user-acts.ts';
import { type GivenGroup, type GroupRow, UserGroupsRepository } from '../users/user-groups.repository.ts';
import { rightsText, UsersRepository } from '../users/users.repository.ts';
import { type AskedGroup, groupOf, patchedGroup } from './scim-body.ts';
import { noProvider, ScimError } from './scim-error.ts';
import { attributesOf, conditionsOf, listOf, pageOf, type Query } from './scim-query.ts';
import { type GroupResource, GroupSchema, withSchemas, withValues } from './scim-schemas.ts';
import { textIn } from './scim-text.ts';
import type { ScimProvider } from './scim-users.service.ts';

const GROUPS_MAX = 1_000;
const MEMBERS_MAX = 10_000;

const FILTERS: ReadonlyMap<string, string> = new Map([
  ...['id', 'displayName', 'externalId'].map((name) => [name.toLowerCase(), name] as const),
  ['members', 'member'],
]);

/** Groups that an identity provider provisions; with `groupsFrom`, they give their members their rights at once. */
@Injectable()
export class ScimGroupsService {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly providers: IdentityProviders,
    private readonly acts: UserActs,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /** @throws ScimError */
  async list(of: ScimProvider, query: Query): Promise<object> {
    const page = pageOf(query);
    const filter = conditionsOf(query, FILTERS);
    const { rows, total } = await new UserGroupsRepository(this.db).list(of.provider.id, filter, page);
    const attributes = attributesOf(query, GroupSchema);
    const views = rows.map((row) => withSchemas(viewOf(of, row, attributes), GroupSchema));
    return listOf(views, total, page);
  }

  /** @throws ScimError (404) */
  async get(of: ScimProvider, id: string, query: Query): Promise<object> {
    const row = await found(new UserGroupsRepository(this.db), of, id);
    return withSchemas(viewOf(of, row, attributesOf(query, GroupSchema)), GroupSchema);
  }

  /** @throws ScimError */
  create(asked: ScimProvider, body: unknown, caller: Caller): Promise<object> {
    const given = groupOf(body);
    return this.acts.perform(caller, async (trx) => {
      const groups = new UserGroupsRepository(trx);
      const of = await this.locked(asked, trx);
      const group = await groupIn(given, of, groups);
      await assertFree(groups, of, group, null);
      const { total } = await groups.list(of.provider.id, {}, { offset: 0, limit: 0 });
      if (total >= GROUPS_MAX) throw new ScimError(403, `the limit of ${GROUPS_MAX} groups is reached`);
      const id = await groups.add(of.provider.id, group, this.now());
      const acts = await this.applyRights(of, group.members, group.members, trx);
      return { acts, result: viewOf(of, await found(groups, of, id)) };
    });
  }

  /** @throws ScimError */
  replace(of: ScimProvider, id: string, body: unknown, caller: Caller): Promise<object> {
    const given = groupOf(body);
    return this.change(of, id, caller, async () => given);
  }

  /** @throws ScimError */
  patch(of: ScimProvider, id: string, body: unknown, caller: Caller): Promise<object> {
    return this.change(of, id, caller, (row) =>
      patchedGroup(viewOf(of, { ...row, members: [] }), row.members, body),
    );
  }

  /** @throws ScimError (404) */
  async delete(asked: ScimProvider, id: string, caller: Caller): Promise<void> {
    await this.acts.perform(caller, async (trx) => {
      const groups = new UserGroupsRepository(trx);
      const of = await this.locked(asked, trx);
      const row = await found(groups, of, id);
      await groups.delete(row.id);
      return { acts: await this.applyRights(of, row.members, row.members, trx), result: null };
    });
  }

  private change(
    asked: ScimProvider,
    id: string,
    caller: Caller,
    changed: (row: GroupRow) => Promise<AskedGroup>,
  ): Promise<object> {
    return this.acts.perform(caller, async (trx) => {
      const groups = new UserGroupsRepository(trx);
      const of = await this.locked(asked, trx);
      const row = await found(groups, of, id);
      const group = await groupIn(await changed(row), of, groups);
      await assertFree(groups, of, group, row.id);
      await groups.change(row.id, group, this.now());
      const concerned = [...new Set([...row.members, ...group.members])];
      const isRenamed = row.displayName !== group.displayName;
      const moved = isRenamed ? concerned : differing(row.members, group.members);
      const acts = await this.applyRights(of, concerned, moved, trx);
      return { acts, result: viewOf(of, await found(groups, of, id)) };
    });
  }

  /**
   * The provider as it is now, and its users locked, in the order of sign-ins: what groups give is not written with a mapping
   * that was replaced since the request began.
   */
  private async locked(
    { provider: { id }, base }: ScimProvider,
    trx: Transaction<Schema>,
  ): Promise<ScimProvider> {
    const provider = await this.providers.provisionedShared(id, trx);
    if (!provider) throw noProvider();
    await new UsersRepository(trx).lock(id);
    return { provider, base };
  }

  /**
   * Sets what the groups of users give, and ends the sessions of users to whom none gives a role.
   * @param moved those of them whose groups are others now: an act also if their rights are the same, because the mapping
   * may have changed since they were set, and a restore must know that the groups did
   */
  private async applyRights(
    { provider }: ScimProvider,
    userIds: string[],
    moved: string[],
    trx: Kysely<Schema>,
  ): Promise<ActOnUser[]> {
    if (provider.groupsFrom !== 'scim') return [];
    const users = new UsersRepository(trx);
    const groups = await new UserGroupsRepository(trx).ofUsers(userIds);
    const acts: ActOnUser[] = [];
    const movedIds = new Set(moved);
    for (const user of await users.byIds(userIds)) {
      const names = (groups.get(user.id) ?? []).map(({ displayName }) => displayName);
      const rights = rightsOf(names, provider);
      if (rightsText(user) === rightsText(rights) && !movedIds.has(user.id)) continue;
      await users.changeRights(user.id, rights);
      if (rights.grants.length === 0) await new SessionsRepository(trx).endOf(user.id, null);
      acts.push({ act: 'userChanged', user: { ...user, ...rights } });
    }
    return acts;
  }
}

/** What is in only one of both. */
function differing(before: readonly string[], after: readonly string[]): string[] {
  const [left, joined] = [new Set(before), new Set(after)];
  return [...before.filter((id) => !joined.has(id)), ...after.filter((id) => !left.has(id))];
}

async function groupIn(
  given: AskedGroup,
  { provider }: ScimProvider,
  groups: UserGroupsRepository,
): Promise<GivenGroup> {
  const displayName = textIn('displayName', given.displayName);
  if (displayName === null) throw new ScimError(400, 'displayName is missing', 'invalidValue');
  const ids = [...new Set(given.members)];
  if (ids.length > MEMBERS_MAX) {
    throw new ScimError(400, `members must have at most ${MEMBERS_MAX} users`, 'invalidValue');
  }
  const members = await groups.membersAmong(provider.id, ids);
  if (members.length !== ids.length) {
    throw new ScimError(400, 'members must be ids of users of this provider', 'invalidValue');
  }
  return { displayName, externalId: textIn('externalId', given.externalId), members };
}

function viewOf(
  { base }: ScimProvider,
  { id, displayName, externalId, members, createdAt, changedAt }: GroupRow,
  attributes?: SCIMMY.Types.Filter,
): GroupResource {
  const values = members.map((member) => ({
    value: member,
    type: 'User',
    $ref: `${base}/Users/${member}`,
  }));
  const data = {
    id,
    displayName,
    ...(externalId !== null && { externalId }),
    ...(values.length > 0 && { members: values.slice(0, 1) }),
    meta: { created: new Date(createdAt), lastModified: new Date(changedAt) },
  };
  const view = new GroupSchema(data as never, 'out', `${base}/Groups`, attributes);
  return withValues(view, 'members', values);
}

async function found(
  groups: UserGroupsRepository,
  { provider }: ScimProvider,
  id: string,
): Promise<GroupRow> {
  const page = { offset: 0, limit: 1 };
  const { rows } = isUUID(id) ? await groups.list(provider.id, { id }, page) : { rows: [] };
  if (rows[0]) return rows[0];
  throw new ScimError(404, 'no group of this provider has this id');
}

async function assertFree(
  groups: UserGroupsRepository,
  { provider }: ScimProvider,
  { displayName }: GivenGroup,
  id: string | null,
): Promise<void> {
  const { rows } = await groups.list(provider.id, { displayName }, { offset: 0, limit: 2 });
  if (rows.every((row) => row.id === id)) return;
  throw new ScimError(409, 'another group of this provider has this displayName', 'uniqueness');
}
