import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { Kysely } from 'kysely';
import type SCIMMY from 'scimmy';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import type { Caller } from '../auth/caller.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import type { ProvisionedProvider } from '../sign-ins/identity-providers.ts';
import { type ActOnUser, UserActs } from '../users/user-acts.ts';
import { UserGroupsRepository } from '../users/user-groups.repository.ts';
import { type Profile, type UserFilter, type UserRow, UsersRepository } from '../users/users.repository.ts';
import { patchedUser, userOf } from './scim-body.ts';
import { ScimError } from './scim-error.ts';
import { attributesOf, conditionsOf, listOf, pageOf, type Query } from './scim-query.ts';
import { type UserResource, UserSchema, withSchemas, withValues } from './scim-schemas.ts';
import { textIn } from './scim-text.ts';

const USERS_MAX = 10_000;
const USER_NAME_CHARACTERS_MAX = 100;

const FILTERS: ReadonlyMap<string, string> = new Map(
  ['id', 'userName', 'externalId', 'displayName', 'active'].map((name) => [name.toLowerCase(), name]),
);

/** A provider, and the address of its SCIM interface. */
export interface ScimProvider {
  provider: ProvisionedProvider;
  base: string;
}

/** Users that an identity provider provisions. */
@Injectable()
export class ScimUsersService {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly acts: UserActs,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /** @throws ScimError */
  async list(of: ScimProvider, query: Query): Promise<object> {
    const page = pageOf(query);
    const { active, ...filter } = conditionsOf(query, FILTERS);
    const { rows, total } = await new UsersRepository(this.db).ofProvider(
      of.provider.id,
      { ...filter, ...(active !== undefined && { isActive: active === true }) },
      page,
    );
    return listOf(await this.views(of, rows, query, this.db), total, page);
  }

  /** @throws ScimError (404) */
  async get(of: ScimProvider, id: string, query: Query): Promise<object> {
    const row = await found(new UsersRepository(this.db), of, id);
    return (await this.views(of, [row], query, this.db))[0]!;
  }

  /** A person who has signed in before becomes the provisioned user, and is not a second one. @throws ScimError */
  async create(of: ScimProvider, body: unknown, caller: Caller): Promise<object> {
    const profile = profileOf(userOf(body, true));
    return this.acts.perform(caller, async (trx) => {
      const users = new UsersRepository(trx);
      await users.lock(of.provider.id);
      const known = await users.notProvisioned(of.provider.id, profile.externalId);
      await assertFree(users, of, profile, known ?? null);
      const id = known?.id ?? (await this.add(of, profile, users));
      if (known) await users.change(id, profile, this.now());
      if (!profile.isActive) await new SessionsRepository(trx).endOf(id, null);
      const user = await found(users, of, id);
      const [result] = await this.views(of, [user], {}, trx);
      const acts: ActOnUser[] = known ? actsOf(known, profile) : [{ act: 'userProvisioned', user }];
      return { acts, result: result! };
    });
  }

  /** @throws ScimError */
  replace(of: ScimProvider, id: string, body: unknown, caller: Caller): Promise<object> {
    return this.change(of, id, caller, async (row) => profileOf(userOf(body, row.isActive)));
  }

  /** @throws ScimError */
  patch(of: ScimProvider, id: string, body: unknown, caller: Caller): Promise<object> {
    return this.change(of, id, caller, async (row) =>
      profileOf(await patchedUser(resourceOf(of, row, []), body)),
    );
  }

  /** @throws ScimError (404) */
  async delete(of: ScimProvider, id: string, caller: Caller): Promise<void> {
    await this.acts.perform(caller, async (trx) => {
      const users = new UsersRepository(trx);
      await users.lock(of.provider.id);
      const user = await found(users, of, id);
      await new SessionsRepository(trx).endOf(user.id, null);
      await users.delete(user.id);
      return { acts: [{ act: 'userDeleted', user }], result: null };
    });
  }

  private change(
    of: ScimProvider,
    id: string,
    caller: Caller,
    changed: (row: UserRow) => Promise<Profile>,
  ): Promise<object> {
    return this.acts.perform(caller, async (trx) => {
      const users = new UsersRepository(trx);
      await users.lock(of.provider.id);
      const row = await found(users, of, id);
      const profile = await changed(row);
      await assertFree(users, of, profile, row);
      if (!row.isProvisioned || !isSame(row, profile)) await users.change(row.id, profile, this.now());
      if (!profile.isActive) await new SessionsRepository(trx).endOf(row.id, null);
      const [result] = await this.views(of, [await found(users, of, id)], {}, trx);
      return { acts: actsOf(row, profile), result: result! };
    });
  }

  private async add({ provider }: ScimProvider, profile: Profile, users: UsersRepository): Promise<string> {
    if ((await users.count()) >= USERS_MAX) {
      throw new ScimError(403, `the limit of ${USERS_MAX} users is reached: delete users who have left`);
    }
    return users.add(provider.id, profile, this.now());
  }

  private async views(
    of: ScimProvider,
    rows: UserRow[],
    query: Query,
    db: Kysely<Schema>,
  ): Promise<object[]> {
    const groups = await new UserGroupsRepository(db).ofUsers(rows.map(({ id }) => id));
    const attributes = attributesOf(query, UserSchema);
    return rows.map((row) =>
      withSchemas(resourceOf(of, row, groups.get(row.id) ?? [], attributes), UserSchema),
    );
  }
}

function resourceOf(
  { base }: ScimProvider,
  { id, userName, externalId, displayName, isActive, createdAt, changedAt }: UserRow,
  groups: { id: string; displayName: string }[],
  attributes?: SCIMMY.Types.Filter,
): UserResource {
  const values = groups.map((group) => ({
    value: group.id,
    display: group.displayName,
    $ref: `${base}/Groups/${group.id}`,
  }));
  const data = {
    id,
    userName,
    ...(externalId !== null && { externalId }),
    ...(displayName !== null && { displayName }),
    active: isActive,
    ...(values.length > 0 && { groups: values.slice(0, 1) }),
    meta: { created: new Date(createdAt), lastModified: new Date(changedAt) },
  };
  const view = new UserSchema(data as never, 'out', `${base}/Users`, attributes);
  return withValues(view, 'groups', values);
}

function profileOf(given: UserResource): Profile {
  const userName = textIn('userName', given.userName, USER_NAME_CHARACTERS_MAX);
  if (userName === null) throw new ScimError(400, 'userName is missing', 'invalidValue');
  return {
    userName,
    externalId: textIn('externalId', given.externalId),
    displayName: textIn('displayName', given.displayName),
    isActive: given.active!,
  };
}

const isSame = (row: Profile, profile: Profile): boolean =>
  (Object.keys(profile) as (keyof Profile)[]).every((key) => row[key] === profile[key]);

/** Another identity may give the user to another person: it is an act, as the first one is. */
function actsOf(user: UserRow, { userName, externalId, isActive }: Profile): ActOnUser[] {
  const isSamePerson = user.isProvisioned && user.userName === userName && user.externalId === externalId;
  return [
    ...(isSamePerson ? [] : [{ act: 'userProvisioned', user } as const]),
    ...(user.isActive === isActive
      ? []
      : [{ act: isActive ? 'userEnabled' : 'userDisabled', user } as const]),
  ];
}

async function found(users: UsersRepository, { provider }: ScimProvider, id: string): Promise<UserRow> {
  const page = { offset: 0, limit: 1 };
  const { rows } = isUUID(id) ? await users.ofProvider(provider.id, { id }, page) : { rows: [] };
  if (rows[0]) return rows[0];
  throw new ScimError(404, 'no user of this provider has this id');
}

/**
 * Two users with one external id would be one person, of whom only one signs in. What stays as it was is not compared, so that
 * a user can be disabled in any case. A name is not enough to be one person: that of a sign-in is not compared.
 */
async function assertFree(
  users: UsersRepository,
  { provider }: ScimProvider,
  { userName, externalId }: Profile,
  before: UserRow | null,
): Promise<void> {
  const identities = { userName, ...(externalId !== null && { externalId }) };
  for (const [attribute, value] of Object.entries(identities) as ['userName' | 'externalId', string][]) {
    if (before?.[attribute] === value) continue;
    const filter: UserFilter = {
      [attribute]: value,
      ...(attribute === 'userName' && { isProvisioned: true }),
    };
    const { rows } = await users.ofProvider(provider.id, filter, { offset: 0, limit: 2 });
    if (rows.some((row) => row.id !== before?.id)) {
      throw new ScimError(409, `another user of this provider has this ${attribute}`, 'uniqueness');
    }
  }
}
