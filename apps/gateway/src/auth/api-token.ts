import { createHash, randomBytes } from 'node:crypto';

/** Scanners for leaked secrets find tokens by it. */
const PREFIX = 'posture_';
const SECRET_BYTES = 32;
const TOKEN = /^posture_[A-Za-z0-9_-]{43}$/;

/** A new API token: 256 random bits, so that a plain hash reveals nothing about it. */
export const newApiToken = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;

export const isApiToken = (token: string): boolean => TOKEN.test(token);

/** What is stored of a token: its SHA-256. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Distinguishes tokens of any kind without containing the secret. @param hash in hexadecimal digits */
export const fingerprintIn = (hash: string): string => hash.slice(0, 12);
export const fingerprintOf = (token: string): string => fingerprintIn(hashOf(token).toString('hex'));
