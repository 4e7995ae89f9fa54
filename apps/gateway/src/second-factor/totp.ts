import { Secret, TOTP } from 'otpauth';

const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
const DIGITS = 6;
/** A code of the step before or after is accepted too: clocks differ, and people type. */
const TOLERANCE_STEPS = 1;
const ISSUER = 'Risk Posture Service';

/** What authenticator apps support (RFC 6238). */
const totpOf = (secret: Secret, label = ''): TOTP =>
  new TOTP({ issuer: ISSUER, label, secret, algorithm: 'SHA1', digits: DIGITS, period: STEP_SECONDS });

/** 160 random bits in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The address that an authenticator app reads from a QR code. */
export const totpUri = (secret: string, username: string): string =>
  totpOf(Secret.fromBase32(secret), username).toString();

/** The time step whose code it is; null if it is not a code of now. @param now epoch milliseconds */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const totp = totpOf(Secret.fromBase32(secret));
  const delta = totp.validate({ token: code, timestamp: now, window: TOLERANCE_STEPS });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}
