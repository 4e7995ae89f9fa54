import { createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { errors, jwtVerify, SignJWT } from 'jose';
import { CLOCK, type Clock, deriveKey } from '#libs/config';
import { SECRET_KEYS } from '../tokens.ts';
import { fingerprintOf } from './api-token.ts';
import { ExpiringMap } from './expiring-map.ts';
import type { Scope } from './scopes.ts';

/** Lifetime of a token (R-AUTH-2). */
export const TOKEN_SECONDS = 3_600;
/** A check costs 60 µs, as much as the rest of a small request; a client sends one token a thousand times. */
const CHECKED_MAX = 1_000;
const KEY_ID_BYTES = 6;
const ISSUER = 'risk-posture-service';

/** The owner of an access token. */
export interface CredentialPrincipal {
  credentialId: string;
  name: string;
  role: string;
  /** Of the credential: how often its password was rotated, from 1. */
  generation: number;
}

/** An API token, as the caller of a request. */
export interface ApiTokenPrincipal {
  /** Of the token, which stands for its credential. */
  credentialId: string;
  /** `token:` and the name of the token: no user name contains a colon. */
  name: string;
  /** At the beginning of the request. */
  scopes: ReadonlySet<Scope>;
  /** SHA-256 of the token, in hexadecimal digits. */
  hash: string;
}

/** A session of a person, as the caller of a request. */
export interface SessionPrincipal {
  /** Of the credential, or of the user who signed in with an identity provider. */
  credentialId: string;
  /** Of a user of an identity provider it begins with the id of the provider and a colon. */
  name: string;
  sessionId: string;
  /** SHA-256 of the token, in hexadecimal digits. */
  hash: string;
}

export type Principal = CredentialPrincipal | ApiTokenPrincipal | SessionPrincipal;

export const isOfSession = (principal: Principal): principal is SessionPrincipal => 'sessionId' in principal;

export const isOfApiToken = (principal: Principal): principal is ApiTokenPrincipal =>
  !isOfSession(principal) && !('role' in principal);

/** A token that was checked. */
export interface VerifiedToken<P extends Principal = Principal> {
  principal: P;
  /** Epoch milliseconds; infinite for an API token without an expiry, and for a session, whose end moves. */
  expiresAt: number;
  /** Distinguishes tokens without containing the secret. */
  fingerprint: string;
}

/** The token was good once: sign in again. */
export class ExpiredTokenError extends Error {
  override name = 'ExpiredTokenError';
}

/** Not a token of this service. */
export class InvalidTokenError extends Error {
  override name = 'InvalidTokenError';
}

/**
 * Signs and checks access tokens: JWT, HS256, 60 minutes. The keys come from the secrets, so that tokens outlive a
 * restart, and also the coming of a new secret.
 */
@Injectable()
export class AccessTokens {
  /** By their ids; tokens are signed with the first. */
  private readonly keys: Map<string, KeyObject>;
  private readonly checked: ExpiringMap<VerifiedToken<CredentialPrincipal>>;

  constructor(
    @Inject(SECRET_KEYS) secrets: Buffer[],
    @Inject(CLOCK) private readonly now: Clock,
  ) {
    this.keys = new Map(
      secrets.map((secret) => [
        deriveKey(secret, 'access token key id').toString('base64url', 0, KEY_ID_BYTES),
        createSecretKey(deriveKey(secret, 'access tokens')),
      ]),
    );
    this.checked = new ExpiringMap(CHECKED_MAX, now);
  }

  issue({ credentialId, name, role, generation }: CredentialPrincipal): Promise<string> {
    const [[kid, key]] = [...this.keys] as [[string, KeyObject]];
    const issuedAt = Math.floor(this.now() / 1000);
    return new SignJWT({ name, role, generation })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
      .setIssuer(ISSUER)
      .setSubject(credentialId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_SECONDS)
      .sign(key);
  }

  /**
   * @throws ExpiredTokenError
   * @throws InvalidTokenError
   */
  async verify(token: string): Promise<VerifiedToken<CredentialPrincipal>> {
    const known = this.checked.get(token);
    if (known) return known;
    const verified = await this.check(token);
    this.checked.set(token, verified, verified.expiresAt);
    return verified;
  }

  private keyOf({ kid }: { kid?: string }): KeyObject {
    const key = this.keys.get(kid ?? '');
    if (!key) throw new InvalidTokenError('unknown key');
    return key;
  }

  private async check(token: string): Promise<VerifiedToken<CredentialPrincipal>> {
    try {
      const { payload } = await jwtVerify(token, (header) => this.keyOf(header), {
        algorithms: ['HS256'],
        issuer: ISSUER,
        requiredClaims: ['sub', 'exp', 'name', 'role'],
        currentDate: new Date(this.now()),
      });
      if (typeof payload.role !== 'string') throw new InvalidTokenError('no role');
      const principal: CredentialPrincipal = {
        credentialId: payload.sub!,
        name: String(payload.name),
        role: payload.role,
        generation: Number(payload.generation ?? 1),
      };
      return { principal, expiresAt: payload.exp! * 1000, fingerprint: fingerprintOf(token) };
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new ExpiredTokenError('expired');
      if (error instanceof errors.JOSEError) throw new InvalidTokenError(error.code);
      throw error;
    }
  }
}
