import { randomBytes, randomUUID } from 'node:crypto';
import {
  BadRequestException,
  ConflictException,
  Inject,
  Injectable,
  NotFoundException,
} from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { type CredentialChanged, isoTime, isoTimeOrNull } from '#libs/domain';
import { ALL_ROWS, type RowLimits, seesAllRows } from '#libs/tables';
import { decodeKeys, type Page, type PageQuery, pageFrom } from '../paging/page.ts';
import { SecondFactorsRepository } from '../second-factor/second-factors.repository.ts';
import type { LimitedCaller } from './caller.ts';
import type { AddCredentialDto, CredentialDto, CredentialWithPasswordDto } from './credential.dto.ts';
import { CredentialActs } from './credential-acts.ts';
import { type CredentialRow, CredentialsRepository } from './credentials.repository.ts';
import { grantedRows, rowLimitsView } from './granted-rows.ts';
import { assertMayGrant } from './may-grant.ts';
import { PasswordHasher } from './password-hasher.ts';
import { isRole, ROLES, type Scope } from './scopes.ts';

/** Every process has the ids of all of them in memory. */
const CREDENTIALS_MAX = 10_000;
const PASSWORD_BYTES = 18;

/**
 * Creates, rotates and deletes API credentials. The act is in the log before the database commits it (R-AUTH-11): every
 * credential has an entry in the audit trail.
 */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly hasher: PasswordHasher,
    private readonly acts: CredentialActs,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  async list({ limit, cursor }: PageQuery, visible: RowLimits): Promise<Page<CredentialDto>> {
    const after = decodeKeys(cursor, 'text')?.[0] ?? null;
    const rows = await this.credentials.list(visible, after, limit + 1);
    return pageFrom(rows, limit, ({ username }) => [username], credentialView);
  }

  /**
   * @param own scopes of the caller
   * @throws BadRequestException if there is no such role; ForbiddenException if the caller lacks a scope of the role;
   * ConflictException if the user name is taken, or there
   * are 10,000
   */
  async add(
    { username, role, ...limits }: AddCredentialDto,
    own: ReadonlySet<Scope>,
    caller: LimitedCaller,
  ): Promise<CredentialWithPasswordDto> {
    const scopes = await this.scopesOf(role);
    if (!scopes) throw noRole(role);
    assertMayGrant(scopes, own);
    const rows = grantedRows(limits, caller.rows);
    if ((await this.credentials.count()) >= CREDENTIALS_MAX) {
      throw new ConflictException(
        `the limit of ${CREDENTIALS_MAX} credentials is reached: delete a credential first`,
      );
    }
    const { password, passwordHash } = await this.newPassword();
    const row: CredentialRow = {
      id: randomUUID(),
      username,
      role,
      generation: 1,
      ...rows,
      createdAt: this.now(),
      lastUsedAt: null,
      isBreakGlass: false,
      hasSecondFactor: false,
      secondFactorDueAt: null,
    };
    await this.change('created', row, caller, async (credentials) => {
      if (!isRole(role) && !(await credentials.keepRole(role))) throw noRole(role);
      if (await credentials.add({ ...row, passwordHash }, row.createdAt)) return;
      throw new ConflictException(
        `the user name ${username} is already in use: choose another user name, or rotate its password`,
      );
    });
    return { ...credentialView(row), password };
  }

  /**
   * Another password; the old one and the tokens that were issued with it are no longer good.
   * @throws NotFoundException; ForbiddenException as `add`; ConflictException if another request rotates it at the same time
   */
  async rotate(
    id: string,
    own: ReadonlySet<Scope>,
    caller: LimitedCaller,
  ): Promise<CredentialWithPasswordDto> {
    const row = await this.find(id, caller.rows);
    assertMayGrant((await this.scopesOf(row.role)) ?? [], own);
    const { password, passwordHash } = await this.newPassword();
    await this.change('rotated', row, caller, async (credentials) => {
      if (await credentials.rotate(row, passwordHash)) return;
      await assertExists(credentials, id);
      throw new ConflictException('another request has rotated the credential: repeat the request');
    });
    return { ...credentialView(row), password };
  }

  /** @throws NotFoundException, ConflictException if it is the last admin */
  async delete(id: string, caller: LimitedCaller): Promise<CredentialDto> {
    const row = await this.find(id, caller.rows);
    await this.change('deleted', row, caller, async (credentials) => {
      if (await credentials.delete(id)) return;
      await assertExists(credentials, id);
      throw new ConflictException('the credential is the last admin: create another admin first');
    });
    return credentialView(row);
  }

  /**
   * Removes the second factor of another user, who has lost it.
   * @throws NotFoundException; ForbiddenException as `add`; ConflictException if it is the caller's, or there is none
   */
  async removeSecondFactor(
    id: string,
    own: ReadonlySet<Scope>,
    caller: LimitedCaller,
  ): Promise<CredentialDto> {
    const row = await this.find(id, caller.rows);
    assertMayGrant((await this.scopesOf(row.role)) ?? [], own);
    if (id === caller.credentialId) {
      throw new ConflictException(
        'remove your own second factor with a code: POST /api/v3/second-factor/remove',
      );
    }
    await this.acts.perform('secondFactorRemoved', row, caller, async (trx) => {
      if (!(await new SecondFactorsRepository(trx).remove(id))) {
        throw new ConflictException(`${row.username} has no second factor`);
      }
      await new CredentialsRepository(trx).endGrace(id);
    });
    return this.viewOf(id, caller.rows);
  }

  /**
   * Marks the credential for emergencies, in place of another one, or ends that.
   * @throws NotFoundException; ForbiddenException as `add`; ConflictException if it is no admin who sees all rows
   */
  async setBreakGlass(
    id: string,
    isBreakGlass: boolean,
    own: ReadonlySet<Scope>,
    caller: LimitedCaller,
  ): Promise<CredentialDto> {
    const row = await this.find(id, caller.rows);
    assertMayGrant((await this.scopesOf(row.role)) ?? [], own);
    if (isBreakGlass && (row.role !== 'admin' || !seesAllRows(row))) {
      throw new ConflictException('the credential for emergencies must have the role admin and see all rows');
    }
    await this.acts.perform(isBreakGlass ? 'breakGlassSet' : 'breakGlassUnset', row, caller, async (trx) => {
      if (!(await new CredentialsRepository(trx).setBreakGlass(id, isBreakGlass))) throw notFound(id);
    });
    return this.viewOf(id, caller.rows);
  }

  private viewOf = async (id: string, visible: RowLimits): Promise<CredentialDto> =>
    credentialView(await this.find(id, visible));

  /** Null if there is no such role. */
  private async scopesOf(role: string): Promise<Iterable<Scope> | null> {
    return isRole(role) ? ROLES[role] : this.credentials.scopesOfRole(role);
  }

  private async find(id: string, visible: RowLimits): Promise<CredentialRow> {
    const row = await this.credentials.find(id, visible);
    if (!row) throw notFound(id);
    return row;
  }

  private async change(
    act: CredentialChanged['act'],
    row: CredentialRow,
    caller: LimitedCaller,
    work: (credentials: CredentialsRepository) => Promise<void>,
  ): Promise<void> {
    // A user who rotates the password of the credential in use must get the new one.
    if (row.id === caller.credentialId) caller.access.close();
    await this.acts.perform(act, row, caller, (trx) => work(new CredentialsRepository(trx)));
  }

  private async newPassword(): Promise<{ password: string; passwordHash: string }> {
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    return { password, passwordHash: await this.hasher.hash(password) };
  }
}

const noRole = (role: string) =>
  new BadRequestException(`role must be admin, analyst, viewer or the name of a role (got ${role})`);

const notFound = (id: string) => new NotFoundException(`no credential has the id ${id}`);

/** Another request may have deleted it since it was read. @throws NotFoundException */
async function assertExists(credentials: CredentialsRepository, id: string): Promise<void> {
  if (!(await credentials.find(id, ALL_ROWS))) throw notFound(id);
}

const credentialView = ({
  generation: _g,
  createdAt,
  lastUsedAt,
  secondFactorDueAt: _,
  ...row
}: CredentialRow): CredentialDto => ({
  ...row,
  ...rowLimitsView(row),
  createdAt: isoTime(createdAt),
  lastUsedAt: isoTimeOrNull(lastUsedAt),
});
