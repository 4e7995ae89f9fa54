import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { type Access, type AccessEnd, AccessEndedException } from './access.ts';
import type { VerifiedToken } from './access-tokens.ts';
import { KnownCredentials } from './known-credentials.ts';

const LOOK_INTERVAL_MS = 100;

interface OpenAccess extends VerifiedToken {
  ended: AbortController;
}

/** Ends requests in progress when their credential or API token is deleted or rotated, in any process, or their token expires. */
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

  /** Watched until it is closed. */
  begin(token: VerifiedToken): Access {
    const opened = { ...token, ended: new AbortController() };
    this.open.add(opened);
    return {
      principal: token.principal,
      signal: opened.ended.signal,
      close: () => void this.open.delete(opened),
    };
  }

  private look(): void {
    const now = this.now();
    for (const access of this.open) {
      const end = this.endOf(access, now);
      if (end === null) continue;
      this.open.delete(access);
      access.ended.abort(new AccessEndedException(end, 'role' in access.principal ? 'access' : 'api'));
    }
  }

  private endOf({ principal, expiresAt }: VerifiedToken, now: number): AccessEnd | null {
    if (this.known.isRevoked(principal)) return 'revoked';
    return expiresAt <= now ? 'expired' : null;
  }
}
