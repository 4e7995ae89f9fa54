import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessTokens, ExpiredTokenError, InvalidTokenError, type Principal } from './access-tokens.ts';
import { KnownCredentials } from './known-credentials.ts';
import { PUBLIC, ROLES, type Role } from './roles.ts';

/** A request that the guard let in. */
export type SignedInRequest = FastifyRequest & { principal: Principal };

const SIGN_IN = 'sign in at POST /api/v3/auth';

/**
 * Lets a request to a route in by its bearer token (spec §Authentication 3, 4) and its role (D25).
 * 401: no token, an expired or an invalid one; 403: the role may not.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: AccessTokens,
    private readonly credentials: KnownCredentials,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, targets)) return true;
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    request.principal = await this.principalOf(request, reply);
    const roles = this.reflector.getAllAndOverride<Role[] | undefined>(ROLES, targets);
    if (roles && !roles.includes(request.principal.role)) {
      throw new ForbiddenException(
        `the role ${request.principal.role} may not do this: it takes ${roles.join(' or ')}`,
      );
    }
    return true;
  }

  private async principalOf(request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
    const token = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!token)
      throw refused(reply, `no access token: ${SIGN_IN}, then send Authorization: Bearer <accessToken>`);
    const principal = await this.verify(token, reply);
    if (await this.credentials.isCurrent(principal)) return principal;
    throw refused(reply, `the credential of this access token was deleted or rotated: ${SIGN_IN}`);
  }

  private async verify(token: string, reply: FastifyReply): Promise<Principal> {
    try {
      return await this.tokens.verify(token);
    } catch (error) {
      if (error instanceof ExpiredTokenError) {
        throw refused(reply, 'access token expired: sign in again at POST /api/v3/auth');
      }
      if (error instanceof InvalidTokenError) throw refused(reply, `access token is invalid: ${SIGN_IN}`);
      throw error;
    }
  }
}

function refused(reply: FastifyReply, message: string): UnauthorizedException {
  reply.header('www-authenticate', 'Bearer');
  return new UnauthorizedException(message);
}
