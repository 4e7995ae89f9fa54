import { randomUUID } from 'node:crypto';
import {
  Inject,
  Injectable,
  NotFoundException,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { CLOCK, type Clock, type Config, type Logger } from '#libs/config';
import { isoTime } from '#libs/domain';
import { ALL_ROWS } from '#libs/tables';
import { type Access, assertScope } from '../auth/access.ts';
import { isOfSession, type SessionPrincipal } from '../auth/access-tokens.ts';
import { hashOf } from '../auth/api-token.ts';
import type { ProvenSignIn } from '../auth/auth.service.ts';
import type { Caller } from '../auth/caller.ts';
import { CredentialsRepository } from '../auth/credentials.repository.ts';
import { rowLimitsView } from '../auth/granted-rows.ts';
import { KnownCredentials } from '../auth/known-credentials.ts';
import { newSessionToken } from '../auth/session-token.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { Periodic } from '../periodic.ts';
import { SecondFactorRefused } from '../second-factor/second-factor-refused.ts';
import { SecurityEvents } from '../security-events/security-events.service.ts';
import { CONFIG, LOGGER } from '../tokens.ts';
import type { NewSessionDto, OwnSessionDto, SessionDto, SessionsQuery } from './session.dto.ts';
import {
  type ProviderSession,
  type SessionOwner,
  type SessionRow,
  SessionsRepository,
} from './sessions.repository.ts';
import { SessionsFull } from './sessions-full.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Every process reads all of them twice a second. */
const SESSIONS_MAX = 10_000;
const SESSIONS_OF_OWNER_MAX = 20;
const USER_AGENT_CHARACTERS_MAX = 200;
const REMOVE_INTERVAL_MS = 60_000;

/** The browser of a sign-in. */
export interface Browser {
  address: string;
  userAgent: string | undefined;
}

/**
 * Sessions of people: rows that every gateway knows. Use extends them, only when a client asks for it: streams and
 * refreshes of an unattended page are no use.
 */
@Injectable()
export class SessionsService implements OnModuleInit, OnModuleDestroy {
  private readonly idleMs: number;
  private readonly lifetimeMs: number;
  private readonly removing: Periodic;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly credentials: CredentialsRepository,
    private readonly known: KnownCredentials,
    private readonly events: SecurityEvents,
    @Inject(CONFIG) { sessionIdleMinutes, sessionHours }: Config,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.idleMs = sessionIdleMinutes * MINUTE_MS;
    this.lifetimeMs = sessionHours * HOUR_MS;
    const remove = () => this.sessions.removeOld(this.now());
    this.removing = new Periodic(REMOVE_INTERVAL_MS, remove, 'removing expired sessions failed', logger);
  }

  onModuleInit(): Promise<void> {
    return this.removing.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.removing.stop();
  }

  /**
   * Begins a session; of more than 20 of one user the oldest end.
   * @param lifetimeMsMax of a session whose provider cannot be asked again
   * @throws SessionsFull
   */
  async begin(
    owner: SessionOwner,
    { address, userAgent = '' }: Browser,
    provider: ProviderSession | null = null,
    lifetimeMsMax = Number.POSITIVE_INFINITY,
  ): Promise<NewSessionDto> {
    if ((await this.sessions.count()) >= SESSIONS_MAX) {
      throw new SessionsFull(SESSIONS_MAX);
    }
    const [id, token, createdAt] = [randomUUID(), newSessionToken(), this.now()];
    const endsAt = createdAt + Math.min(this.lifetimeMs, lifetimeMsMax);
    await this.sessions.add({
      id,
      hash: hashOf(token),
      owner,
      createdAt,
      expiresAt: Math.min(createdAt + this.idleMs, endsAt),
      endsAt,
      address,
      userAgent: userAgent.slice(0, USER_AGENT_CHARACTERS_MAX),
      provider,
    });
    await this.sessions.endOldest(owner.userId ?? owner.credentialId, SESSIONS_OF_OWNER_MAX);
    await this.known.refresh();
    return { ...(await this.viewOf(id, hashOf(token).toString('hex'))), token };
  }

  /**
   * Begins a session of a credential. A second factor that was confirmed before the session was stored did not end it, and
   * a gateway knows of it only after half a second.
   * @throws SecondFactorRefused if there is one that the sign-in has not proven; SessionsFull
   */
  async beginProven(
    { principal: { credentialId, generation }, isSecondFactorProven }: ProvenSignIn,
    browser: Browser,
  ): Promise<NewSessionDto> {
    const session = await this.begin({ userId: null, credentialId, generation }, browser);
    if (isSecondFactorProven) return session;
    const credential = await this.credentials.find(credentialId, ALL_ROWS);
    if (!credential?.hasSecondFactor) return session;
    await this.endUnused(session.id);
    throw new SecondFactorRefused('secondFactorRequired');
  }

  /** @throws NotFoundException if the caller has another kind of token */
  own(access: Access): Promise<OwnSessionDto> {
    const { sessionId, hash } = ownSession(access);
    return this.viewOf(sessionId, hash);
  }

  /** As `own`. */
  async extend(access: Access): Promise<OwnSessionDto> {
    await this.sessions.extend(ownSession(access).sessionId, this.now() + this.idleMs);
    await this.known.refresh();
    return this.own(access);
  }

  /** @throws ScopeMissingException if the caller asks for the sessions of all people without the scope */
  async list({ of, limit, cursor }: SessionsQuery, access: Access): Promise<Page<SessionDto>> {
    const { principal, scopes, rows: visible } = access;
    if (of === 'all') assertScope(scopes, 'credentials:read', 'the sessions of all people require');
    const before = decodeKeys(cursor, 'time', 'uuid');
    const ownId = isOfSession(principal) ? principal.sessionId : null;
    const rows = await this.sessions.list(
      of === 'all' ? null : principal.credentialId,
      visible,
      before,
      limit + 1,
    );
    return pageFrom(
      rows,
      limit,
      ({ createdAt, id }) => [createdAt, id],
      (row) => this.sessionView(row, ownId),
    );
  }

  /**
   * The end of another person's session is a security event.
   * @throws NotFoundException if there is no such session, or it is of another user and the caller lacks the scope
   */
  async end(
    id: string,
    access: Access,
    caller: Pick<Caller, 'address' | 'token' | 'requestId'>,
  ): Promise<SessionDto> {
    const { principal, scopes, rows } = access;
    const row = await this.sessions.find(id, rows);
    const isOfOther = row?.ownerId !== principal.credentialId;
    if (!row || (isOfOther && !scopes.has('credentials:write'))) {
      throw new NotFoundException(`no session has the id ${id}`);
    }
    const isOwn = isOfSession(principal) && principal.sessionId === id;
    // Who ends the own session must get the answer.
    if (isOwn) access.close();
    const ended = await this.sessions.end([id]);
    if (isOfOther && ended > 0) {
      const { address, token, requestId } = caller;
      const event = { kind: 'logout', outcome: 'success', reason: null, user: row.user } as const;
      this.events.note({ ...event, address, token, requestId });
    }
    await this.known.refresh();
    return this.sessionView(row, isOwn ? id : null);
  }

  /** Ends a session that nobody has got. */
  async endUnused(id: string): Promise<void> {
    await this.sessions.end([id]);
    await this.known.refresh();
  }

  /** Ends the other sessions of the caller. */
  async endOthers({ principal }: Access): Promise<number> {
    const ended = await this.sessions.endOf(
      principal.credentialId,
      isOfSession(principal) ? principal.sessionId : null,
    );
    await this.known.refresh();
    return ended;
  }

  private sessionView(
    { ownerId: _, departments: _d, locations: _l, createdAt, expiresAt, endsAt, ...row }: SessionRow,
    ownId: string | null,
  ): SessionDto {
    return {
      ...row,
      createdAt: isoTime(createdAt),
      // An extension sets `expiresAt`, though never beyond `endsAt`.
      lastActiveAt: isoTime(Math.max(createdAt, expiresAt - this.idleMs)),
      expiresAt: isoTime(expiresAt),
      endsAt: isoTime(endsAt),
      isOwn: row.id === ownId,
    };
  }

  private async viewOf(id: string, hash: string): Promise<OwnSessionDto> {
    const row = await this.sessions.find(id, ALL_ROWS);
    const known = await this.known.session(hash);
    if (!row || !known) throw new NotFoundException('the session has ended: sign in again');
    return {
      ...this.sessionView(row, id),
      scopes: [...this.known.scopesOfGrants(known.grants)],
      ...rowLimitsView(known.rows),
      expiresIn: Math.max(0, Math.floor((row.expiresAt - this.now()) / 1000)),
    };
  }
}

function ownSession({ principal }: Access): SessionPrincipal {
  if (isOfSession(principal)) return principal;
  throw new NotFoundException('the token of this request is not the token of a session');
}
