import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Logger } from '#libs/config';
import { answeredWithin, DATABASE_POOL, type DatabaseConnection, type DatabasePool } from '#libs/database';
import { NO_ROWS, type RowLimits } from '#libs/tables';
import { UnavailableException } from '../http/http-errors.ts';
import { Periodic } from '../periodic.ts';
import { LOGGER } from '../tokens.ts';
import {
  type ApiTokenPrincipal,
  type CredentialPrincipal,
  isOfApiToken,
  isOfSession,
  type Principal,
  type SessionPrincipal,
} from './access-tokens.ts';
import { type KnownSession, type KnownSessionRow, SESSIONS, sessionsByHash } from './known-sessions.ts';
import { isRole, isScope, ROLES, type Scope } from './scopes.ts';

const LOOK_INTERVAL_MS = 500;
/** A connection that answers later is given up for another one. */
const ANSWER_MS_MAX = 2_000;
/** Unknown API tokens wait for a reading that they share: every client can send one. */
const UNKNOWN_INTERVAL_MS = 100;

/** An API token under one of its hashes. */
export interface KnownApiToken {
  id: string;
  name: string;
  scopes: ReadonlySet<Scope>;
  /** Empty: any. */
  networks: readonly string[];
  rows: RowLimits;
  /** Epoch milliseconds: when this secret of the token ends; infinite if it does not. */
  expiresAt: number;
}

/** A credential, as every process knows it. */
export interface KnownCredential extends RowLimits {
  id: string;
  generation: number;
  isBreakGlass: boolean;
  hasSecondFactor: boolean;
  /** Until when it may sign in without a required second factor, in epoch milliseconds; null: not decided yet. */
  secondFactorDueAt: number | null;
}

interface ApiTokenRow extends RowLimits {
  id: string;
  name: string;
  secret_hash: string | null;
  previous_hash: string | null;
  previous_until: number | null;
  scopes: Scope[];
  networks: string[];
  expires_at: number | null;
}

const NO_SCOPES: ReadonlySet<Scope> = new Set();

const CREDENTIALS = `
  select c.id, c.generation, c.departments, c.locations, c.is_break_glass as "isBreakGlass",
         c.second_factor_due_at as "secondFactorDueAt",
         exists (select from second_factors f where f.credential_id = c.id and f.confirmed_at is not null) as "hasSecondFactor"
    from credentials c`;
const CUSTOM_ROLES = 'select name, scopes from roles';
const API_TOKENS = `
  select id, name, encode(secret_hash, 'hex') as secret_hash, encode(previous_hash, 'hex') as previous_hash, previous_until,
         scopes, networks, expires_at, departments, locations
    from api_tokens`;

/**
 * The existing credentials, API tokens, sessions and roles, as of half a second ago: deleting or rotating one ends its access in every
 * process. They are read over a separate connection, which waits for no other statement. While the database is
 * unavailable the known ones stay valid.
 */
@Injectable()
export class KnownCredentials implements OnModuleInit, OnApplicationShutdown {
  private credentials: Map<string, KnownCredential> | undefined;
  /** By the hexadecimal digits of their hashes. */
  private apiTokens: Map<string, KnownApiToken> | undefined;
  /** Scopes of the custom roles. */
  private roles = new Map<string, ReadonlySet<Scope>>();
  /** By the hexadecimal digits of their hashes. */
  private sessions: Map<string, KnownSession> | undefined;
  private readingOfUnknown: Promise<void> | undefined;
  private connection: DatabaseConnection | undefined;
  private reading: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private readonly looking: Periodic;
  private hasStopped = false;

  constructor(
    @Inject(DATABASE_POOL) private readonly pool: DatabasePool,
    @Inject(LOGGER) logger: Logger,
  ) {
    const refresh = () => this.refresh();
    this.looking = new Periodic(LOOK_INTERVAL_MS, refresh, 'reading the credentials failed', logger);
  }

  onModuleInit(): Promise<void> {
    return this.looking.start();
  }

  /** After the last request has ended: until then its access can be revoked. */
  async onApplicationShutdown(): Promise<void> {
    this.hasStopped = true;
    await this.looking.stop();
    await this.readingOfUnknown;
    await this.reading;
    this.connection?.release();
    this.connection = undefined;
  }

  /**
   * Whether the credential is still there, with the password that the principal proved.
   * @throws UnavailableException (503) if the database has been unavailable since the start
   */
  async isCurrent(principal: CredentialPrincipal): Promise<boolean> {
    if (this.holds(principal)) return true;
    // Another process may have made or rotated it just now.
    await this.looking.round();
    if (!this.credentials) throw new UnavailableException('the database is unavailable: retry later');
    return this.holds(principal);
  }

  /** Whether the credential is known, also with another password. */
  exists({ credentialId }: CredentialPrincipal): boolean {
    return this.credentials?.has(credentialId) ?? false;
  }

  /**
   * The credential that the principal proved; null if it is gone or was rotated.
   * @throws UnavailableException as `isCurrent`
   */
  async credentialOf(principal: CredentialPrincipal): Promise<KnownCredential | null> {
    return (await this.isCurrent(principal)) ? this.credentials!.get(principal.credentialId)! : null;
  }

  /**
   * The API token of a hash, also one that has expired; null if there is none.
   * @throws UnavailableException (503) if the database has been unavailable since the start
   */
  async apiToken(hash: string): Promise<KnownApiToken | null> {
    const known = this.apiTokens?.get(hash);
    if (known) return known;
    await this.readUnknown();
    return this.apiTokens!.get(hash) ?? null;
  }

  /** The API token of a request as it is now; null if it is not known. */
  currentApiToken({ hash }: ApiTokenPrincipal): KnownApiToken | null {
    return this.apiTokens?.get(hash) ?? null;
  }

  /** The session of a hash, also one that has expired; as `apiToken`. */
  async session(hash: string): Promise<KnownSession | null> {
    const known = this.sessions?.get(hash);
    if (known) return known;
    await this.readUnknown();
    return this.sessions!.get(hash) ?? null;
  }

  /** When a session ends unless it is used; epoch milliseconds. */
  endOfSession({ hash }: SessionPrincipal): number {
    return this.sessions?.get(hash)?.expiresAt ?? Number.POSITIVE_INFINITY;
  }

  /** The present scopes of a caller; none if its role no longer exists. */
  scopesOf(principal: Principal): ReadonlySet<Scope> {
    if (isOfSession(principal)) return this.scopesOfGrants(this.sessions?.get(principal.hash)?.grants ?? []);
    if (!isOfApiToken(principal)) return this.scopesOfRole(principal.role);
    return this.currentApiToken(principal)?.scopes ?? principal.scopes;
  }

  /** The scopes of a list of roles and scopes. */
  scopesOfGrants(grants: readonly string[]): ReadonlySet<Scope> {
    return new Set(grants.flatMap((one) => (isScope(one) ? [one] : [...this.scopesOfRole(one)])));
  }

  /** Whether a name is that of a scope or a role. */
  isGrant(name: string): boolean {
    return isScope(name) || this.hasRole(name);
  }

  /** Whether a name is that of a built-in or a custom role. */
  hasRole(name: string): boolean {
    return isRole(name) || this.roles.has(name);
  }

  private async readUnknown(): Promise<void> {
    // Another process may have made it just now.
    this.readingOfUnknown ??= setTimeout(UNKNOWN_INTERVAL_MS).then(() => {
      this.readingOfUnknown = undefined;
      return this.looking.round();
    });
    await this.readingOfUnknown;
    if (!this.apiTokens) throw new UnavailableException('the database is unavailable: retry later');
  }

  /** The limits of a caller; no rows if its credential or token is not known. */
  rowsOf(principal: Principal): RowLimits {
    if (isOfSession(principal)) return this.sessions?.get(principal.hash)?.rows ?? NO_ROWS;
    if (isOfApiToken(principal)) return this.currentApiToken(principal)?.rows ?? NO_ROWS;
    const known = this.credentials?.get(principal.credentialId);
    return known ? { departments: known.departments, locations: known.locations } : NO_ROWS;
  }

  private scopesOfRole(role: string): ReadonlySet<Scope> {
    return isRole(role) ? ROLES[role] : (this.roles.get(role) ?? NO_SCOPES);
  }

  /** Whether a credential, API token or session that was current is known to be so no longer. */
  isRevoked(principal: Principal): boolean {
    if (isOfSession(principal)) return this.sessions !== undefined && !this.sessions.has(principal.hash);
    return 'role' in principal
      ? this.credentials !== undefined && !this.holds(principal)
      : this.apiTokens !== undefined && !this.apiTokens.has(principal.hash);
  }

  /** Reads them again, as of now at the earliest; concurrent callers share the result. */
  refresh(): Promise<void> {
    // The read in progress may have begun before the caller's change.
    this.next ??= this.reading.then(() => {
      this.next = undefined;
      const read = this.read();
      this.reading = read.catch(() => undefined);
      return read;
    });
    return this.next;
  }

  private holds({ credentialId, generation }: CredentialPrincipal): boolean {
    return this.credentials?.get(credentialId)?.generation === generation;
  }

  private async read(): Promise<void> {
    // After an act whose request has ended: a new connection would never be released.
    if (this.hasStopped) return;
    this.connection ??= await this.pool.connect();
    try {
      const credentials = await this.query<KnownCredential>(CREDENTIALS);
      const apiTokens = await this.query<ApiTokenRow>(API_TOKENS);
      const sessions = await this.query<KnownSessionRow>(SESSIONS);
      const roles = await this.query<{ name: string; scopes: Scope[] }>(CUSTOM_ROLES);
      this.roles = new Map(roles.map(({ name, scopes }) => [name, new Set(scopes)]));
      this.credentials = new Map(credentials.map((row) => [row.id, row]));
      this.sessions = sessionsByHash(sessions);
      this.apiTokens = new Map(apiTokens.flatMap(knownByHash));
    } catch (error) {
      this.connection.release(true);
      this.connection = undefined;
      throw error;
    }
  }

  private async query<Row extends object>(text: string): Promise<Row[]> {
    return (await this.connection!.query<Row>(answeredWithin(ANSWER_MS_MAX, text))).rows;
  }
}

/** The secret of the last rotation, and the one before it while both are valid. */
function knownByHash({
  id,
  name,
  secret_hash,
  previous_hash,
  previous_until,
  scopes,
  networks,
  expires_at,
  departments,
  locations,
}: ApiTokenRow): [string, KnownApiToken][] {
  const expiresAt = expires_at ?? Number.POSITIVE_INFINITY;
  const rows = { departments, locations };
  const token = { id, name, scopes: new Set(scopes), networks, rows, expiresAt };
  return [
    ...(secret_hash === null ? [] : [[secret_hash, token] as [string, KnownApiToken]]),
    ...(previous_hash === null
      ? []
      : [
          [previous_hash, { ...token, expiresAt: Math.min(previous_until!, expiresAt) }] as [
            string,
            KnownApiToken,
          ],
        ]),
  ];
}
