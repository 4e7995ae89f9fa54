import { errors } from 'jose';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { EgressError } from '#libs/egress';
import type { RefusedReason } from '../security-events/security-event.ts';

/** A sign-in or logout of an identity provider is not valid. The message names what is wrong, for the log. */
export class OidcFailure extends Error {
  override name = 'OidcFailure';

  constructor(
    readonly reason: RefusedReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const NO_RIGHTS_SENTENCE = 'no group of the user gives a role, or none a department or location';

const OF_CLAIM: Record<string, RefusedReason> = {
  iss: 'tokenIssuer',
  aud: 'tokenAudience',
  azp: 'tokenAudience',
  exp: 'tokenExpired',
  iat: 'tokenExpired',
  nbf: 'tokenExpired',
  nonce: 'tokenNonce',
};

const UNREADABLE = new Set(['OAUTH_INVALID_RESPONSE', 'OAUTH_PARSE_ERROR']);

const SIGNATURE_ERRORS = [
  errors.JWSSignatureVerificationFailed,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSEAlgNotAllowed,
  errors.JWSInvalid,
];

/** Why a library refuses what a provider sent; other errors are defects of the service, and stay as they are. */
export function oidcFailureOf(error: unknown): unknown {
  if (error instanceof OidcFailure) return error;
  const reason = reasonOf(error);
  return reason === null ? error : new OidcFailure(reason, messageOf(error as Error), { cause: error });
}

function reasonOf(error: unknown): RefusedReason | null {
  if (error instanceof AuthorizationResponseError) return 'providerRefused';
  if (error instanceof ResponseBodyError)
    return isTemporary(error.status) ? 'providerUnavailable' : 'providerRefused';
  if (causesOf(error).some((cause) => cause instanceof Response && isTemporary(cause.status))) {
    return 'providerUnavailable';
  }
  if (causesOf(error).some((cause) => cause instanceof EgressError)) return 'providerUnavailable';
  if (error instanceof errors.JWTClaimValidationFailed) return OF_CLAIM[error.claim] ?? 'tokenClaims';
  if (error instanceof errors.JWTExpired) return 'tokenExpired';
  if (error instanceof errors.JWKSTimeout) return 'providerUnavailable';
  if (SIGNATURE_ERRORS.some((kind) => error instanceof kind)) return 'tokenSignature';
  if (error instanceof errors.JOSEError) return 'tokenClaims';
  return error instanceof ClientError ? reasonOfClient(error) : null;
}

/** Of a provider that is overloaded, or starts behind its proxy: no refusal. */
const isTemporary = (status: number): boolean => status === 429 || status >= 500;

function reasonOfClient(error: ClientError): RefusedReason {
  const details = causesOf(error).find(
    (cause) => typeof cause === 'object' && cause !== null && 'claim' in cause,
  );
  if (details) return OF_CLAIM[String((details as { claim: unknown }).claim)] ?? 'tokenClaims';
  if (causesOf(error).some((cause) => typeof cause === 'object' && cause !== null && 'header' in cause)) {
    return 'tokenSignature';
  }
  // RFC 9207; the library names the parameter only in its message.
  if (causesOf(error).some((cause) => cause instanceof Error && cause.message.includes('"iss"')))
    return 'tokenIssuer';
  if (UNREADABLE.has(error.code ?? '')) return 'tokenClaims';
  return error.code === 'OAUTH_UNSUPPORTED_OPERATION' ? 'tokenSignature' : 'providerRefused';
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let one = error; one !== undefined && causes.length < 5; one = (one as { cause?: unknown })?.cause) {
    causes.push(one);
  }
  return causes;
}

/** `error` of OAuth, which says more than the message. */
function messageOf(error: Error): string {
  const isAnswer = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError;
  return isAnswer ? `${error.message}: ${error.error}` : error.message;
}
