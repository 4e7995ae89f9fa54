import { randomUUID } from 'node:crypto';
import {
  BadRequestException,
  ConflictException,
  Inject,
  Injectable,
  NotFoundException,
} from '@nestjs/common';
import type { Kysely } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { type CredentialChanged, isoTime, isoTimeOrNull, ORGANIZATION_KEY } from '#libs/domain';
import type { RowLimits } from '#libs/tables';
import { ActsService } from '../acts/acts.service.ts';
import { hashOf, newApiToken } from '../auth/api-token.ts';
import type { LimitedCaller } from '../auth/caller.ts';
import { assertMayGrantRows, grantedRows, rowLimitsView, withLimits } from '../auth/granted-rows.ts';
import { KnownCredentials } from '../auth/known-credentials.ts';
import { assertMayGrant } from '../auth/may-grant.ts';
import type { Scope } from '../auth/scopes.ts';
import { StaleException } from '../http/http-errors.ts';
import { assertSeenVersion } from '../http/seen-version.ts';
import { decodeKeys, type Page, type PageQuery, pageFrom } from '../paging/page.ts';
import type {
  AddApiTokenDto,
  ApiTokenDto,
  ApiTokenWithSecretDto,
  ChangeApiTokenDto,
  RotateApiTokenDto,
} from './api-token.dto.ts';
import { type ApiTokenRow, ApiTokensRepository } from './api-tokens.repository.ts';

/** Every process reads all of them twice a second. */
const API_TOKENS_MAX = 1_000;
const LIFETIME_MS_MAX = 10 * 366 * 86_400_000;

/**
 * Creates, rotates and revokes API tokens. The act is in the log before the database commits it (R-AUTH-11). Nobody
 * obtains a token with more scopes than their own.
 */
@Injectable()
export class ApiTokensService {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly tokens: ApiTokensRepository,
    private readonly known: KnownCredentials,
    private readonly acts: ActsService,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  async list({ limit, cursor }: PageQuery, visible: RowLimits): Promise<Page<ApiTokenDto>> {
    const after = decodeKeys(cursor, 'text')?.[0] ?? null;
    const rows = await this.tokens.list(visible, after, limit + 1);
    const now = this.now();
    return pageFrom(
      rows,
      limit,
      ({ name }) => [name],
      (row) => viewOf(row, now),
    );
  }

  /** @throws NotFoundException */
  async get(id: string, visible: RowLimits): Promise<ApiTokenDto> {
    return viewOf(await this.find(id, visible), this.now());
  }

  /**
   * @throws ForbiddenException if the caller lacks a scope, BadRequestException if the expiry is not in the next ten years,
   * ConflictException if the name is taken, or there are 1,000
   */
  async add(
    { name, scopes, networks = [], expiresAt, ...limits }: AddApiTokenDto,
    own: ReadonlySet<Scope>,
    caller: LimitedCaller,
  ): Promise<ApiTokenWithSecretDto> {
    assertMayGrant(scopes, own);
    const rows = grantedRows(limits, caller.rows);
    this.assertFuture(expiresAt);
    if ((await this.tokens.count()) >= API_TOKENS_MAX) {
      throw new ConflictException(
        `the limit of ${API_TOKENS_MAX} API tokens is reached: revoke a token first`,
      );
    }
    const token = newApiToken();
    const row: ApiTokenRow = {
      id: randomUUID(),
      name,
      generation: 1,
      scopes,
      networks,
      ...rows,
      createdAt: this.now(),
      expiresAt: expiresAt ?? null,
      previousUntil: null,
      lastUsedAt: null,
    };
    await this.act('tokenCreated', row, caller, async (tokens) => {
      await tokens.lockNames();
      if (await tokens.add(row, hashOf(token))) return;
      throw new ConflictException(
        `the name ${name} is already in use: choose another name, or rotate that token`,
      );
    });
    return { ...viewOf(row, row.createdAt), token };
  }

  /**
   * @throws NotFoundException; ForbiddenException if the caller lacks a scope or row that the token has or gets;
   * BadRequestException as `add`; ConflictException if the name is taken, or another user has changed it since `version`
   * or at the same time
   */
  async change(
    id: string,
    { version, ...given }: ChangeApiTokenDto,
    own: ReadonlySet<Scope>,
    caller: LimitedCaller,
  ): Promise<ApiTokenDto> {
    const found = await this.find(id, caller.rows);
    const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    if (Object.keys(changes).length === 0) {
      throw new BadRequestException(
        'the body must contain name, scopes, networks, expiresAt, departments or locations',
      );
    }
    assertSeenVersion('API token', found.generation, version);
    const row: ApiTokenRow = { ...found, ...changes };
    assertMayGrant([...found.scopes, ...row.scopes], own);
    assertMayGrantRows(row, caller.rows);
    this.assertFuture(given.expiresAt ?? undefined);
    await this.act('tokenChanged', row, caller, async (tokens) => {
      await tokens.lockNames();
      if (row.name !== found.name && (await tokens.isNamed(row.name))) {
        throw new ConflictException(`the name ${row.name} is already in use: choose another name`);
      }
      if (!(await tokens.change(row))) throw changedMeanwhile();
    });
    return this.get(id, caller.rows);
  }

  /**
   * Another secret; the present one stays valid for the overlap, unless it has expired.
   * @throws NotFoundException; ForbiddenException and BadRequestException as `add`, and if it has expired and gets no other
   * expiry; ConflictException if another user has changed it at the same time
   */
  async rotate(
    id: string,
    { overlapSeconds, expiresAt }: RotateApiTokenDto,
    own: ReadonlySet<Scope>,
    caller: LimitedCaller,
  ): Promise<ApiTokenWithSecretDto> {
    const found = await this.find(id, caller.rows);
    assertMayGrant(found.scopes, own);
    this.assertFuture(expiresAt);
    const token = newApiToken();
    const now = this.now();
    const hasExpired = found.expiresAt !== null && found.expiresAt <= now;
    if (hasExpired && expiresAt === undefined) {
      throw new BadRequestException(
        'the API token has expired: give it another end (expiresAt), which must be in the future',
      );
    }
    const previousUntil = overlapSeconds === 0 || hasExpired ? null : now + overlapSeconds * 1_000;
    const row = { ...found, previousUntil, expiresAt: expiresAt ?? found.expiresAt };
    await this.act('tokenRotated', row, caller, async (tokens) => {
      if (!(await tokens.rotate(row, hashOf(token)))) throw changedMeanwhile();
    });
    return { ...(await this.get(id, caller.rows)), token };
  }

  /** @throws NotFoundException */
  async revoke(id: string, caller: LimitedCaller): Promise<ApiTokenDto> {
    const row = await this.find(id, caller.rows);
    await this.act('tokenRevoked', row, caller, async (tokens) => {
      if (!(await tokens.delete(id))) throw notFound(id);
    });
    return viewOf(row, this.now());
  }

  private async find(id: string, visible: RowLimits): Promise<ApiTokenRow> {
    const row = await this.tokens.find(id, visible);
    if (!row) throw notFound(id);
    return row;
  }

  private assertFuture(expiresAt: number | undefined): void {
    if (expiresAt === undefined) return;
    const now = this.now();
    if (expiresAt <= now || expiresAt > now + LIFETIME_MS_MAX) {
      throw new BadRequestException('expiresAt must be in the future, at most ten years ahead');
    }
  }

  private async act(
    act: CredentialChanged['act'],
    { id: credentialId, name: username, ...row }: ApiTokenRow,
    caller: LimitedCaller,
    work: (tokens: ApiTokensRepository) => Promise<void>,
  ): Promise<void> {
    const role = withUse(withLimits(row.scopes.join(' '), row), row);
    const payload: CredentialChanged = { type: 'CredentialChanged', act, credentialId, username, role };
    // A program that rotates or changes its own token must get the answer.
    if (credentialId === caller.credentialId) caller.access.close();
    await this.db.transaction().execute(async (trx) => {
      await work(new ApiTokensRepository(trx));
      await this.acts.append([{ entityKey: ORGANIZATION_KEY, payload }], caller);
    });
    await this.known.refresh();
  }
}

const changedMeanwhile = () =>
  new StaleException('another user has changed the API token: read it again and repeat the request');

const notFound = (id: string) => new NotFoundException(`no API token has the id ${id}`);

/** For the audit trail. */
function withUse(rights: string, { networks, expiresAt }: Omit<ApiTokenRow, 'id' | 'name'>): string {
  const parts = [
    ...(networks.length > 0 ? [`networks ${networks.join(' ')}`] : []),
    ...(expiresAt === null ? [] : [`until ${isoTime(expiresAt)}`]),
  ];
  return [rights, ...parts].join('; ');
}

const viewOf = (
  { generation: version, createdAt, expiresAt, previousUntil, lastUsedAt, ...row }: ApiTokenRow,
  now: number,
): ApiTokenDto => ({
  ...row,
  ...rowLimitsView(row),
  createdAt: isoTime(createdAt),
  expiresAt: isoTimeOrNull(expiresAt),
  previousUntil: isoTimeOrNull(previousUntil !== null && previousUntil > now ? previousUntil : null),
  lastUsedAt: isoTimeOrNull(lastUsedAt),
  version,
});
