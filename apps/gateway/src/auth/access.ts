import { ForbiddenException, UnauthorizedException } from '@nestjs/common';
import type { RowLimits } from '#libs/tables';
import type { Principal } from './access-tokens.ts';
import type { Scope } from './scopes.ts';

/** 401 to a request whose access token is missing or not good; answered with `WWW-Authenticate: Bearer`. */
export class TokenRefusedException extends UnauthorizedException {}

/** 403 to a caller without a scope; also a security event. */
export class ScopeMissingException extends ForbiddenException {}

/** 403 to a caller that is limited to departments or locations; also a security event. */
export class RowsMissingException extends ForbiddenException {}

/**
 * For a scope that depends on the body or on the resource; `RequiresScope` is for all others.
 * @param what what requires it, as the beginning of a sentence: `sharing a view requires`
 * @throws ScopeMissingException
 */
export function assertScope(scopes: ReadonlySet<Scope>, scope: Scope, what: string): void {
  if (!scopes.has(scope)) throw new ScopeMissingException(`${what} the scope ${scope}`);
}

/**
 * Why a principal may no longer read: its credential or API token was deleted or rotated, its token has expired, or it
 * has other scopes, rows or networks, with which it may send the request again.
 */
export type AccessEnd = 'revoked' | 'expired' | 'changed';

export type TokenKind = 'access' | 'api' | 'session';

const SENTENCES: Record<TokenKind, Record<Exclude<AccessEnd, 'changed'>, string>> = {
  access: {
    revoked: 'the credential of this access token was deleted or rotated: sign in at POST /api/v3/auth',
    expired: 'the access token has expired: sign in again at POST /api/v3/auth',
  },
  api: {
    revoked: 'the API token was revoked or rotated: use another one',
    expired: 'the API token has expired: rotate it, or use another one',
  },
  session: {
    revoked: 'the session was ended: sign in again',
    expired: 'the session has expired: sign in again',
  },
};

export const accessEnded = (end: Exclude<AccessEnd, 'changed'>, kind: TokenKind) =>
  new AccessEndedException(end, SENTENCES[kind][end]);

/** The role of the credential, the groups of the user, or the scopes of the API token were changed. */
export const lostScope = () =>
  new AccessEndedException('changed', 'the caller no longer has the scope of this request');

/** The groups of the user, or the limits of the API token were changed. */
export const changedRows = () =>
  new AccessEndedException(
    'changed',
    'the departments or locations of the caller have changed: send the request again',
  );

/** The networks of the API token were changed. */
export const lostNetwork = () =>
  new AccessEndedException('changed', 'the API token is no longer allowed from the address of this request');

/** The token was good once, perhaps still when the request began. */
export class AccessEndedException extends TokenRefusedException {
  constructor(
    readonly end: AccessEnd,
    sentence: string,
    more: { mayHaveTakenEffect?: true } = {},
  ) {
    super({ message: sentence, ...more });
  }

  /** The same, to a request that has begun to act: a client that repeats it could do everything twice. */
  ofActing(): AccessEndedException {
    const sentence = `${this.message}. The request may have taken effect: read before you repeat it`;
    return new AccessEndedException(this.end, sentence, { mayHaveTakenEffect: true });
  }
}

/** The access of a request while it lasts. */
export class Access {
  /** Of a request that may have had an effect. */
  hasActed = false;
  /** Of a stream, which would never send what belongs to wider limits: any change of the rows ends it. */
  isBoundToRows = false;
  private end: AccessEndedException | undefined;
  private controller: AbortController | undefined;
  private listener: ((end: AccessEndedException) => void) | undefined;

  constructor(
    readonly principal: Principal,
    /** At the beginning of the request. */
    readonly scopes: ReadonlySet<Scope>,
    /** At the beginning of the request. */
    readonly rows: RowLimits,
    /** From now on the response is sent in any case. */
    readonly close: () => void,
  ) {}

  /** Aborted within a second of the end, with an `AccessEndedException`. Most requests need none, and one costs 3 µs. */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.end) this.controller.abort(this.end);
    }
    return this.controller.signal;
  }

  /** @throws AccessEndedException if the access has ended */
  assertLasts(): void {
    if (this.end) throw this.end;
  }

  /** To be called before the first effect of the request. @throws AccessEndedException if the access has ended */
  act(): void {
    this.assertLasts();
    this.hasActed = true;
  }

  /** Of the answer: called at the end of the access, at once if it has ended. */
  onEnd(listener: (end: AccessEndedException) => void): void {
    this.listener = listener;
    if (this.end) listener(this.end);
  }

  /** For the watch of accesses. */
  endWith(end: AccessEndedException): void {
    this.end = end;
    this.controller?.abort(end);
    this.listener?.(end);
  }
}
