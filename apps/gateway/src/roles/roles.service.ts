import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { type CredentialChanged, ORGANIZATION_KEY } from '#libs/domain';
import { ActsService } from '../acts/acts.service.ts';
import type { Caller } from '../auth/caller.ts';
import { KnownCredentials } from '../auth/known-credentials.ts';
import { assertMayGrant } from '../auth/may-grant.ts';
import { isRole, ROLES, type Scope } from '../auth/scopes.ts';
import type { AddRoleDto, RoleDto, RolesDto } from './role.dto.ts';
import { RolesRepository } from './roles.repository.ts';

/** Every process reads all of them twice a second. */
const ROLES_MAX = 100;

/**
 * Creates, changes and deletes roles. The act is in the log before the database commits it (R-AUTH-11). A change is
 * effective for every credential of the role within a second.
 */
@Injectable()
export class RolesService {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly roles: RolesRepository,
    private readonly known: KnownCredentials,
    private readonly acts: ActsService,
  ) {}

  async list(): Promise<RolesDto> {
    const builtIn = Object.entries(ROLES).map(([name, scopes]) => ({
      name,
      scopes: [...scopes],
      isBuiltIn: true,
    }));
    const custom = (await this.roles.list()).map((role) => ({ ...role, isBuiltIn: false }));
    return { items: [...builtIn, ...custom] };
  }

  /**
   * @param own scopes of the caller
   * @throws ForbiddenException if the caller lacks a scope; ConflictException if the name is taken, or there are 100
   */
  async add(given: AddRoleDto, own: ReadonlySet<Scope>, caller: Caller): Promise<RoleDto> {
    assertMayGrant(given.scopes, own);
    assertCustom(given.name);
    if ((await this.roles.list()).length >= ROLES_MAX) {
      throw new ConflictException(`the limit of ${ROLES_MAX} roles is reached: delete a role first`);
    }
    await this.act('roleCreated', given, caller, async (roles) => {
      if (await roles.add(given)) return;
      throw new ConflictException(`the name ${given.name} is already in use: choose another name`);
    });
    return { ...given, isBuiltIn: false };
  }

  /**
   * @throws NotFoundException; ConflictException if the role is built in; ForbiddenException if the caller lacks a scope that
   * the role has or gets: with fewer scopes of the role, the caller could rotate its credentials
   */
  async change(given: AddRoleDto, own: ReadonlySet<Scope>, caller: Caller): Promise<RoleDto> {
    assertCustom(given.name);
    await this.act('roleChanged', given, caller, async (roles) => {
      const found = await roles.lock(given.name);
      if (!found) throw notFound(given.name);
      assertMayGrant([...new Set([...found.scopes, ...given.scopes])], own);
      await roles.change(given);
    });
    return { ...given, isBuiltIn: false };
  }

  /** @throws NotFoundException; ConflictException if the role is built in, or a credential has it */
  async delete(name: string, caller: Caller): Promise<RoleDto> {
    assertCustom(name);
    const role = await this.roles.find(name);
    if (!role) throw notFound(name);
    await this.act('roleDeleted', role, caller, async (roles) => {
      if (!(await roles.lock(name))) throw notFound(name);
      if (await roles.delete(name)) return;
      throw new ConflictException(`credentials have the role ${name}: delete them first`);
    });
    return { ...role, isBuiltIn: false };
  }

  private async act(
    act: CredentialChanged['act'],
    { name, scopes }: AddRoleDto,
    caller: Caller,
    work: (roles: RolesRepository) => Promise<void>,
  ): Promise<void> {
    const role = scopes.join(' ');
    const payload: CredentialChanged = {
      type: 'CredentialChanged',
      act,
      credentialId: name,
      username: name,
      role,
    };
    await this.db.transaction().execute(async (trx) => {
      await work(new RolesRepository(trx));
      await this.acts.append([{ entityKey: ORGANIZATION_KEY, payload }], caller);
    });
    await this.known.refresh();
  }
}

const notFound = (name: string) => new NotFoundException(`no role has the name ${name}`);

function assertCustom(name: string): void {
  if (isRole(name))
    throw new ConflictException(`the role ${name} is part of the product and cannot be changed`);
}
