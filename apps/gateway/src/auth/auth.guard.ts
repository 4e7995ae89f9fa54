import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CLOCK, type Clock } from '#libs/config';
import { EventSealer, tokenUser } from '#libs/sealing';
import { seesAllRows } from '#libs/tables';
import { whenClosed } from '../http/when-closed.ts';
import type { SecurityEvent } from '../security-events/security-event.ts';
import { SecurityEvents } from '../security-events/security-events.service.ts';
import { type Access, accessEnded, ScopeMissingException, TokenRefusedException } from './access.ts';
import {
  AccessTokens,
  type CredentialPrincipal,
  ExpiredTokenError,
  InvalidTokenError,
  isOfSession,
  type Principal,
  type VerifiedToken,
} from './access-tokens.ts';
import { AccessWatch } from './access-watch.ts';
import { fingerprintIn, fingerprintOf, hashOf, isApiToken } from './api-token.ts';
import { AuthService } from './auth.service.ts';
import { splitCredentials } from './basic-credentials.ts';
import { KnownCredentials } from './known-credentials.ts';
import { LastUses } from './last-uses.ts';
import { isAllowedFrom } from './networks.ts';
import {
  LIMITED_CALLERS,
  type LimitedCallers,
  PUBLIC,
  REQUIRED_SCOPES,
  type Scope,
  SIGNED_IN,
  TOKEN_SCHEME,
} from './scopes.ts';
import { isSessionToken } from './session-token.ts';

/** A request that the guard let in. */
export type SignedInRequest = FastifyRequest & {
  access: Access;
  loggedUser: string;
  /** Fingerprint of the token. */
  token: string;
};

const SIGN_IN = 'sign in at POST /api/v3/auth';

/**
 * Admits a request to a route by its bearer token and the scopes that the route requires, and binds it to the access that
 * the token gives.
 * 401: no token, an expired or an invalid one; 403: without one of the scopes, or a limited caller at a route that cannot limit its
 * rows.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: AccessTokens,
    private readonly credentials: KnownCredentials,
    private readonly watch: AccessWatch,
    private readonly events: SecurityEvents,
    private readonly auth: AuthService,
    private readonly sealer: EventSealer,
    private readonly lastUses: LastUses,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, targets)) return true;
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const takesTokenScheme = this.reflector.getAllAndOverride<boolean>(TOKEN_SCHEME, targets) ?? false;
    const token = takesTokenScheme ? await this.tokenOfScheme(request) : bearerToken(request);
    const required = this.reflector.getAllAndOverride<Scope[] | undefined>(REQUIRED_SCOPES, targets);
    const verified = await this.verifiedToken(token, request);
    request.access = this.watch.begin(verified, required ?? [], request.ip);
    whenClosed(reply, request.access.close);
    const { principal, scopes, rows } = request.access;
    request.loggedUser = await this.sealer.logName(principal.name);
    request.token = verified.fingerprint;
    const used = { user: principal.name, token: request.token };
    const needsScope = !this.reflector.getAllAndOverride<boolean>(SIGNED_IN, targets);
    const missing = required?.find((scope) => !scopes.has(scope));
    if (needsScope && (required === undefined || missing !== undefined)) {
      this.note(request, { reason: 'scope', ...used });
      throw new ScopeMissingException(
        `this operation requires the scope ${missing}: ${holderOf(principal)} does not have it`,
      );
    }
    const limited = this.reflector.getAllAndOverride<LimitedCallers | undefined>(LIMITED_CALLERS, targets);
    if (limited === undefined && !seesAllRows(rows)) {
      this.note(request, { reason: 'rows', ...used });
      throw new ForbiddenException(NOT_FOR_LIMITED);
    }
    return true;
  }

  /** Clients of DefectDojo have one setting for their token: it may be `username:password`, which signs in. */
  private async tokenOfScheme(request: FastifyRequest): Promise<string | undefined> {
    const given = /^token +(\S.*)/i.exec(request.headers.authorization ?? '')?.[1];
    const credentials = given === undefined ? null : splitCredentials(given);
    if (credentials === null) return given ?? bearerToken(request);
    return this.auth.signIn(credentials, { address: request.ip, requestId: request.id });
  }

  private async verifiedToken(token: string | undefined, request: FastifyRequest): Promise<VerifiedToken> {
    if (!token) {
      throw new TokenRefusedException(
        `the access token is missing: ${SIGN_IN}, then send Authorization: Bearer <accessToken>`,
      );
    }
    if (isApiToken(token)) return this.verifiedApiToken(token, request);
    if (isSessionToken(token)) return this.verifiedSession(token, request);
    const verified = await this.verify(token, request);
    const { principal } = verified;
    if (await this.credentials.isCurrent(principal)) return verified;
    // A name whose credential is gone may be that of an erased person.
    const user = this.credentials.exists(principal) ? principal.name : null;
    this.note(request, { reason: 'revoked', user, token: fingerprintOf(token) });
    throw accessEnded('revoked', 'access');
  }

  private async verifiedApiToken(token: string, request: FastifyRequest): Promise<VerifiedToken> {
    const hash = hashOf(token).toString('hex');
    const known = await this.credentials.apiToken(hash);
    if (!known) {
      this.note(request, { reason: 'invalid', user: null, token: fingerprintOf(token) });
      throw new TokenRefusedException('the API token does not exist: it may have been revoked or rotated');
    }
    const { id, networks, scopes, expiresAt } = known;
    const name = tokenUser(known.name);
    if (expiresAt <= this.now()) throw accessEnded('expired', 'api');
    if (!isAllowedFrom(request.ip, networks)) {
      this.note(request, { reason: 'network', user: name, token: fingerprintOf(token) });
      throw new ForbiddenException(
        `the API token ${known.name} is not allowed from the address ${request.ip}`,
      );
    }
    this.lastUses.note(id);
    const principal = { credentialId: id, name, scopes, hash };
    return { principal, expiresAt, fingerprint: fingerprintIn(hash) };
  }

  private async verifiedSession(token: string, request: FastifyRequest): Promise<VerifiedToken> {
    const hash = hashOf(token).toString('hex');
    const known = await this.credentials.session(hash);
    if (!known) {
      this.note(request, { reason: 'revoked', user: null, token: fingerprintOf(token) });
      throw accessEnded('revoked', 'session');
    }
    if (known.expiresAt <= this.now()) throw accessEnded('expired', 'session');
    const principal = { credentialId: known.ownerId, name: known.name, sessionId: known.id, hash };
    return { principal, expiresAt: Number.POSITIVE_INFINITY, fingerprint: fingerprintIn(hash) };
  }

  private async verify(token: string, request: FastifyRequest): Promise<VerifiedToken<CredentialPrincipal>> {
    try {
      return await this.tokens.verify(token);
    } catch (error) {
      if (error instanceof ExpiredTokenError) throw accessEnded('expired', 'access');
      if (!(error instanceof InvalidTokenError)) throw error;
      this.note(request, { reason: 'invalid', user: null, token: null });
      throw new TokenRefusedException(`the access token is invalid: ${SIGN_IN}`);
    }
  }

  private note(
    { ip: address, id: requestId }: FastifyRequest,
    event: Pick<SecurityEvent, 'reason' | 'user' | 'token'>,
  ): void {
    this.events.note({ kind: 'token', outcome: 'refused', address, requestId, ...event });
  }
}

const NOT_FOR_LIMITED =
  'this operation is not available to a caller that is limited to departments or locations: it concerns all assets';

function holderOf(principal: Principal): string {
  if (isOfSession(principal)) return `the user ${principal.name}`;
  return 'role' in principal ? `the role ${principal.role}` : 'the API token';
}

const bearerToken = ({ headers }: FastifyRequest): string | undefined =>
  /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
