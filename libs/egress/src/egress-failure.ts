import { type buildConnector, errors } from 'undici';
import { EgressError, type EgressFailure } from './egress.ts';

const TLS =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$)/;
const UNKNOWN_AUTHORITY = /^(SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/;
const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EHOSTDOWN',
  'ENETDOWN',
  // A firewall of this machine.
  'EACCES',
  'EPERM',
]);
const NOT_IN_TIME = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);
const BROKEN_OFF = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_INFO',
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);
const UNSENDABLE =
  'received no request: a header contains characters that HTTP does not allow. Enter the key or secret again';
const CLOSED = new Set(['UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

/**
 * The cause of a connection error, in a sentence without secrets; null for other errors. The
 * error itself is dropped: some contain the request or response.
 * @param who as it is in the sentence: the host and port, or the proxy's
 */
export function failureOf(error: unknown, who: string): EgressError | null {
  if (error instanceof EgressError) return error;
  // Its message contains a part of the response; not all of them have a code.
  if (error instanceof errors.HTTPParserError) {
    return new EgressError('network', `${who} did not respond with HTTP`);
  }
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string') return null;
  if (code === 'UND_ERR_INVALID_ARG' && /\bheader\b/.test(String(message))) {
    return new EgressError('refused', `${who} ${UNSENDABLE}`);
  }
  const [failure, what] = meaningOf(code) ?? [];
  if (!failure) return null;
  // Those of the system and of TLS can be looked up.
  return new EgressError(failure, `${who} ${what}${code.startsWith('UND_ERR_') ? '' : ` (${code})`}`);
}

function meaningOf(code: string): [EgressFailure, string] | null {
  if (TLS.test(code)) return ['tls', tlsMeaningOf(code)];
  if (NOT_REACHED.has(code)) return ['network', 'cannot be reached: check the address and the firewall'];
  if (NOT_IN_TIME.has(code)) return ['timeout', 'did not accept the connection in time'];
  if (code === 'UND_ERR_BODY_TIMEOUT') return ['timeout', 'stopped sending during its response'];
  if (BROKEN_OFF.has(code)) return ['network', 'closed the connection'];
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return ['tooLarge', 'returned headers that exceed the limit'];
  }
  if (code === 'UND_ERR_MAX_ORIGINS_REACHED')
    return ['network', 'received no request: there are too many concurrent requests'];
  if (CLOSED.has(code)) return ['aborted', 'received no request: the service is stopping'];
  return null;
}

function tlsMeaningOf(code: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'has a certificate for a different name';
  if (code === 'CERT_HAS_EXPIRED') return 'has an expired certificate';
  if (code === 'CERT_NOT_YET_VALID') return 'has a certificate that is not valid yet';
  if (!UNKNOWN_AUTHORITY.test(code)) return 'failed the TLS handshake: check the port and the protocol';
  return 'has a certificate of an unknown authority: set NODE_EXTRA_CA_CERTS to add your own authority';
}

/** The host as messages name it, with its port if that is none of the usual ones. */
export const whoOf = ({ host, hostname }: buildConnector.Options): string => host ?? hostname;
