import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { areWithin, type RowLimits } from '#libs/tables';
import {
  Access,
  type AccessEndedException,
  accessEnded,
  changedRows,
  lostNetwork,
  lostScope,
  type TokenKind,
} from './access.ts';
import { isOfApiToken, isOfSession, type Principal, type VerifiedToken } from './access-tokens.ts';
import { KnownCredentials } from './known-credentials.ts';
import { isAllowedFrom } from './networks.ts';
import type { Scope } from './scopes.ts';

const LOOK_INTERVAL_MS = 100;

interface OpenAccess {
  access: Access;
  /** Of the token, in epoch milliseconds. */
  expiresAt: number;
  /** Which the request requires, if it had them all when it began. */
  required: readonly Scope[];
  /** Of the client. */
  address: string;
}

/**
 * Ends requests in progress when their credential, API token or session is ended, loses the scope, rows or the network of
 * the request, or gets other rows than a stream has, in any process, or expires.
 */
@Injectable()
export class AccessWatch implements OnModuleInit, OnApplicationShutdown {
  private readonly open = new Set<OpenAccess>();
  private looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly known: KnownCredentials,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  onModuleInit(): void {
    this.looking = setInterval(() => this.look(), LOOK_INTERVAL_MS).unref();
  }

  /** After the last request has ended. */
  onApplicationShutdown(): void {
    clearInterval(this.looking);
  }

  /** Watched until it is closed. @param required the scopes of the route */
  begin(token: VerifiedToken, required: readonly Scope[], address: string): Access {
    const scopes = this.known.scopesOf(token.principal);
    const had = required.every((scope) => scopes.has(scope)) ? required : [];
    const rows = this.known.rowsOf(token.principal);
    const access = new Access(token.principal, scopes, rows, () => void this.open.delete(opened));
    const opened = { access, expiresAt: token.expiresAt, required: had, address };
    this.open.add(opened);
    return access;
  }

  private look(): void {
    const now = this.now();
    for (const opened of this.open) {
      const end = this.endOf(opened, now);
      if (end === null) continue;
      this.open.delete(opened);
      opened.access.endWith(end);
    }
  }

  private endOf(opened: OpenAccess, now: number): AccessEndedException | null {
    const { access, required, address } = opened;
    const { principal } = access;
    const kind = kindOf(principal);
    if (this.known.isRevoked(principal)) return accessEnded('revoked', kind);
    const scopes = this.known.scopesOf(principal);
    if (!required.every((scope) => scopes.has(scope))) return lostScope();
    // Credentials keep their rows for life.
    if (kind !== 'access' && !mayStay(access, this.known.rowsOf(principal))) return changedRows();
    const token = isOfApiToken(principal) ? this.known.currentApiToken(principal) : null;
    if (token && !isAllowedFrom(address, token.networks)) return lostNetwork();
    const end = isOfSession(principal)
      ? this.known.endOfSession(principal)
      : (token?.expiresAt ?? opened.expiresAt);
    return end <= now ? accessEnded('expired', kind) : null;
  }
}

const mayStay = ({ rows, isBoundToRows }: Access, now: RowLimits): boolean =>
  areWithin(now, rows) && (!isBoundToRows || areWithin(rows, now));

function kindOf(principal: Principal): TokenKind {
  if (isOfSession(principal)) return 'session';
  return isOfApiToken(principal) ? 'api' : 'access';
}
