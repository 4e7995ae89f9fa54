import { errors } from 'jose';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { storableText } from '#libs/contracts';
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

const ISSUER_CHARACTERS_MAX = 200;

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

/** The discovery of a provider has failed. The message says why, in words for an admin. */
export const discoveryFailureOf = (issuer: string, error: unknown): OidcFailure =>
  new OidcFailure('providerUnavailable', discoveryMessageOf(issuer, error), { cause: error });

/** @param found the issuer that the discovery document names */
export const otherIssuer = (issuer: string, found: string): string =>
  `the discovery document of ${issuer} is that of the issuer ${storableText(found.slice(0, ISSUER_CHARACTERS_MAX))}`;

function discoveryMessageOf(issuer: string, error: unknown): string {
  const causes = causesOf(error);
  const egress = causes.find((cause) => cause instanceof EgressError);
  if (egress) return egress.message;
  const found = causes.map(issuerIn).find((one) => one !== null);
  if (found) return otherIssuer(issuer, found);
  const answer = causes.find((cause) => cause instanceof Response);
  return answer
    ? `${issuer} has no discovery document: its response has the status ${answer.status} and the type ${answer.headers.get('content-type')}`
    : `the discovery document of ${issuer} is not valid: ${(error as Error).message}`;
}

/** Of a document that the library has compared with the issuer. */
function issuerIn(cause: unknown): string | null {
  const { attribute, body } = (cause ?? {}) as { attribute?: unknown; body?: { issuer?: unknown } };
  return attribute === 'issuer' && typeof body?.issuer === 'string' ? body.issuer : null;
}

function reasonOf(error: unknown): RefusedReason | null {
  if (error instanceof AuthorizationResponseError) return 'providerRefused';
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError)
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
export const isTemporary = (status: number): boolean => status === 429 || status >= 500;

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
