export const EVENT_KINDS = ['signIn', 'token', 'logout', 'recoveryCode', 'breakGlass'] as const;
export const EVENT_OUTCOMES = ['success', 'refused'] as const;
export const REFUSED_REASONS = [
  'wrongPassword',
  'unknownUser',
  'limited',
  'busy',
  'secondFactorRequired',
  'secondFactorWrong',
  'secondFactorNotEnrolled',
  'localSignInOff',
  'sessionsFull',
  'revoked',
  'invalid',
  'network',
  'scope',
  'rows',
  'signInState',
  'providerChanged',
  'providerRefused',
  'providerUnavailable',
  'tokenSignature',
  'tokenIssuer',
  'tokenAudience',
  'tokenExpired',
  'tokenNonce',
  'tokenClaims',
  'noRole',
  'userDisabled',
  'usersFull',
] as const;

export type RefusedReason = (typeof REFUSED_REASONS)[number];

/**
 * A sign-in, a rejected use of an access token, or the end of sessions by an identity provider or by another user. A sign-in with a recovery code,
 * or as the credential for emergencies, is also an event of its own.
 */
export interface SecurityEvent {
  kind: (typeof EVENT_KINDS)[number];
  outcome: (typeof EVENT_OUTCOMES)[number];
  /** Null for a success. */
  reason: RefusedReason | null;
  /** As given, of a sign-in; that of a session which another user ends; null for a token that names none. */
  user: string | null;
  /** Beginning of the SHA-256 of an access token; null if there is none, or it is not of this service. */
  token: string | null;
  address: string;
  requestId: string;
}
