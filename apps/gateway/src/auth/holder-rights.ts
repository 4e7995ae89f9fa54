import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { CLOCK, type Clock, type Config, readOidcProviders } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { tokenUser } from '#libs/sealing';
import type { RowLimits } from '#libs/tables';
import { CONFIG } from '../tokens.ts';
import { KnownCredentials } from './known-credentials.ts';
import type { Scope } from './scopes.ts';
import { SecondFactorRoles } from './second-factor-roles.ts';

/** What a credential, an API token or a user may do now, without a request of it. */
export interface HolderRights {
  scopes: ReadonlySet<Scope>;
  rows: RowLimits;
}

/** A person with its rights. */
export interface HoldingPerson extends HolderRights {
  id: string;
  name: string;
}

interface HolderRow extends RowLimits {
  id: string;
  name: string;
  kind: 'credential' | 'token' | 'user';
  grants: string[];
  /** Whether it can sign in, or send requests. */
  is_active: boolean;
  is_break_glass: boolean;
  has_second_factor: boolean;
  /** Until when a credential may sign in without a required second factor; null: not decided yet. */
  second_factor_due_at: number | null;
  expires_at: number | null;
}

/**
 * Rights of those who let the service act for them while they are away. Rights of a user of an identity provider are those
 * of the last sign-in, check or provisioning, by the present mapping of groups.
 */
@Injectable()
export class Holders {
  private readonly isLocalOff: boolean;
  private readonly secondFactorRoles: SecondFactorRoles;
  /** Identity providers of the settings of the deployment. */
  private readonly configured: string[];

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly now: Clock,
    private readonly known: KnownCredentials,
    @Inject(CONFIG) config: Config,
  ) {
    this.isLocalOff = config.localSignIn === 'off';
    this.secondFactorRoles = new SecondFactorRoles(config);
    this.configured = readOidcProviders(config.oidcProviders).map(({ id }) => id);
  }

  /** Null: it was removed, disabled, revoked or has expired, or cannot sign in: its provider was removed, for example. */
  async rightsOf(id: string): Promise<HolderRights | null> {
    const [row] = await this.rows([id]);
    return row ? this.rightsOfRow(row) : null;
  }

  /** People who can sign in, credentials and users of identity providers, by these ids or these user names. */
  async people({
    ids,
    names,
  }: {
    ids: readonly string[];
    names: readonly string[];
  }): Promise<HoldingPerson[]> {
    const rows = (await this.rows(ids, names)).filter(({ kind }) => kind !== 'token');
    return rows.flatMap((row) => {
      const rights = this.rightsOfRow(row);
      return rights === null ? [] : [{ id: row.id, name: row.name, ...rights }];
    });
  }

  /** User names by id; those of removed holders are missing. */
  async namesOf(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.rows(ids);
    return new Map(rows.map(({ id, name, kind }) => [id, kind === 'token' ? tokenUser(name) : name]));
  }

  private rightsOfRow(row: HolderRow): HolderRights | null {
    if (!row.is_active || (row.expires_at !== null && row.expires_at <= this.now())) return null;
    if (row.kind === 'credential' && !this.canSignIn(row)) return null;
    const { departments, locations } = row;
    return { scopes: this.known.scopesOfGrants(row.grants), rows: { departments, locations } };
  }

  /** As `SignInPolicy` admits a right password. */
  private canSignIn({ grants, is_break_glass, has_second_factor, second_factor_due_at }: HolderRow): boolean {
    if (this.isLocalOff && !is_break_glass) return false;
    const isMissing = !has_second_factor && this.secondFactorRoles.require(grants[0]!, is_break_glass);
    return !isMissing || second_factor_due_at === null || second_factor_due_at > this.now();
  }

  /** @param names of credentials and users */
  private async rows(ids: readonly string[], names: readonly string[] = []): Promise<HolderRow[]> {
    if (ids.length + names.length === 0) return [];
    const { rows } = await sql<HolderRow>`
      select id, username as name, 'credential' as kind, array[role] as grants, departments, locations,
             password_hash <> '' as is_active, is_break_glass, null::timestamptz as expires_at, second_factor_due_at,
             exists (select from second_factors f
                      where f.credential_id = credentials.id and f.confirmed_at is not null) as has_second_factor
        from credentials where id = any(${[...ids]}::uuid[]) or username = any(${[...names]}::text[])
      union all
      select id, name, 'user', grants, departments, locations,
             is_active and (provider = any(${this.configured}::text[]) or exists (
               select from identity_providers p
                where p.id = users.provider and p.removed_at is null and p.client_secret is not null)),
             false, null, null, false
        from users where id = any(${[...ids]}::uuid[]) or name = any(${[...names]}::text[])
      union all
      select id, name, 'token', scopes, departments, locations, secret_hash is not null, false, expires_at, null, false
        from api_tokens where id = any(${[...ids]}::uuid[])`.execute(this.db);
    return rows;
  }
}
