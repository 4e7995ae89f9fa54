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
  'was not asked: a header holds characters that HTTP does not carry; enter the key or secret again';
const CLOSED = new Set(['UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

/**
 * What an error of a connection means, in a sentence without secrets; null for one that is none of the network. The
 * error itself is left behind: some hold what was answered, or sent.
 * @param who as it stands in the sentence: the host and port, or the proxy's
 */
export function failureOf(error: unknown, who: string): EgressError | null {
  if (error instanceof EgressError) return error;
  // What it says holds a part of the answer; not all of them have a code.
  if (error instanceof errors.HTTPParserError) {
    return new EgressError('network', `${who} does not answer in HTTP`);
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
  if (NOT_REACHED.has(code))
    return ['network', 'cannot be reached: is the address right, and is the way open?'];
  if (NOT_IN_TIME.has(code)) return ['timeout', 'could not be connected to in time'];
  if (code === 'UND_ERR_BODY_TIMEOUT') return ['timeout', 'fell silent in the middle of its answer'];
  if (BROKEN_OFF.has(code)) return ['network', 'broke the connection off'];
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return ['tooLarge', 'answered with more headers than this service takes'];
  }
  if (code === 'UND_ERR_MAX_ORIGINS_REACHED')
    return ['network', 'has to wait: too many hosts are asked at once'];
  if (CLOSED.has(code)) return ['aborted', 'was not asked: the service is stopping'];
  return null;
}

function tlsMeaningOf(code: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'shows a certificate of another name';
  if (code === 'CERT_HAS_EXPIRED') return 'shows a certificate that has expired';
  if (code === 'CERT_NOT_YET_VALID') return 'shows a certificate that is not valid yet';
  if (!UNKNOWN_AUTHORITY.test(code)) return 'does not agree on TLS: is it the right port, and https?';
  return 'shows a certificate of an unknown authority: NODE_EXTRA_CA_CERTS can name one of your own';
}

/** The host as messages name it, with its port where that is none of the usual ones. */
export const whoOf = ({ host, hostname }: buildConnector.Options): string => host ?? hostname;
