import { randomBytes } from 'node:crypto';

/** No API token begins so: the part after `posture_` would be too long. */
const PREFIX = 'posture_session_';
const SECRET_BYTES = 32;
const TOKEN = /^posture_session_[A-Za-z0-9_-]{43}$/;

/** A new token of a session: 256 random bits, stored as the SHA-256 of `api-token.ts`. */
export const newSessionToken = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;

export const isSessionToken = (token: string): boolean => TOKEN.test(token);
