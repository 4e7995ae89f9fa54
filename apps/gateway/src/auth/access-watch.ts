import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { areWithin, type RowLimits } from '#libs/tables';
import {
  type Access,
  AccessEndedException,
  lostNetwork,
  lostRows,
  lostScope,
  type TokenKind,
} from './access.ts';
import { isApiToken, isSession, type Principal, type VerifiedToken } from './access-tokens.ts';
import { KnownCredentials } from './known-credentials.ts';
import { isAllowedFrom } from './networks.ts';
import type { Scope } from './scopes.ts';

const LOOK_INTERVAL_MS = 100;

interface OpenAccess extends VerifiedToken {
  ended: AbortController;
  /** Which the request requires, if it had them all when it began. */
  required: readonly Scope[];
  /** Which it saw when it began. */
  rows: RowLimits;
  /** Of the client. */
  address: string;
}

/**
 * Ends requests in progress when their credential, API token or session is ended, loses the scope, rows or the network of
 * the request, in any process, or expires.
 */
@Injectable()
export class AccessWatch implements OnModuleInit, OnModuleDestroy {
  private readonly open = new Set<OpenAccess>();
  private looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly known: KnownCredentials,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  onModuleInit(): void {
    this.looking = setInterval(() => this.look(), LOOK_INTERVAL_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.looking);
  }

  /** Watched until it is closed. @param required the scopes of the route */
  begin(token: VerifiedToken, required: readonly Scope[], address: string): Access {
    const scopes = this.known.scopesOf(token.principal);
    const had = required.every((scope) => scopes.has(scope)) ? required : [];
    const rows = this.known.rowsOf(token.principal);
    const opened = { ...token, ended: new AbortController(), required: had, rows, address };
    this.open.add(opened);
    const { signal } = opened.ended;
    const access: Access = {
      principal: token.principal,
      scopes,
      rows,
      signal,
      hasActed: false,
      act: () => {
        signal.throwIfAborted();
        access.hasActed = true;
      },
      close: () => void this.open.delete(opened),
    };
    return access;
  }

  private look(): void {
    const now = this.now();
    for (const access of this.open) {
      const end = this.endOf(access, now);
      if (end === null) continue;
      this.open.delete(access);
      access.ended.abort(end);
    }
  }

  private endOf(access: OpenAccess, now: number): AccessEndedException | null {
    const { principal, required, rows, address } = access;
    const kind = kindOf(principal);
    if (this.known.isRevoked(principal)) return new AccessEndedException('revoked', kind);
    const scopes = this.known.scopesOf(principal);
    if (!required.every((scope) => scopes.has(scope))) return lostScope(kind);
    // Credentials keep their rows for life.
    if (kind !== 'access' && !areWithin(this.known.rowsOf(principal), rows)) return lostRows(kind);
    const token = isApiToken(principal) ? this.known.currentApiToken(principal) : null;
    if (token && !isAllowedFrom(address, token.networks)) return lostNetwork();
    const end = isSession(principal)
      ? this.known.endOfSession(principal)
      : (token?.expiresAt ?? access.expiresAt);
    return end <= now ? new AccessEndedException('expired', kind) : null;
  }
}

function kindOf(principal: Principal): TokenKind {
  if (isSession(principal)) return 'session';
  return isApiToken(principal) ? 'api' : 'access';
}
