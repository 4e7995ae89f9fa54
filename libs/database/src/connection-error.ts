/**
 * SQLSTATE classes and codes that say "not now": 08 connection, 57P01–57P03 shutdown or start, 53300 too many, 28P01 a
 * password that was replaced before its file was.
 */
const SQLSTATES = /^(08...|57P0[1-5]|53300|25P03|28P01)$/;
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** Of TLS: the server, its certificate authority, or this client had its certificate replaced before the other's files were. */
const TLS_CODES = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_OSSL_X509_KEY_VALUES_MISMATCH',
]);
/** What Citus reports as an internal error: a worker was lost within a transaction, which is rolled back. */
const INTERNAL_ERROR = 'XX000';
const CITUS_MESSAGES = /^failure on connection marked as essential/;
/** What pg itself throws has no code. */
const PG_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout)/;

/**
 * Whether an error means that the database was unreachable or that the connection was lost: a retry may succeed, and it
 * is unknown whether the statement took effect. A statement that timed out or was rejected is not such an error.
 */
export function isConnectionError(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const says = (messages: RegExp) => typeof message === 'string' && messages.test(message);
  if (code === INTERNAL_ERROR) return says(CITUS_MESSAGES);
  if (typeof code === 'string') {
    return SQLSTATES.test(code) || SYSTEM_CODES.has(code) || TLS_CODES.has(code);
  }
  return says(PG_MESSAGES);
}

const READ_ONLY = '25006';

/**
 * Whether a connection must not be used again after an error: it was lost, or may have an answer in progress, or its
 * session only reads, which lasts as long as the session, although a new one may write.
 */
export const endsConnection = (error: unknown): boolean =>
  isConnectionError(error) || (error as { code?: unknown } | null)?.code === READ_ONLY;

/** Of a host with several addresses that do not answer, Node's own message is empty: those of each address. */
export const messageOf = ({ message, errors }: Error & { errors?: Error[] }): string =>
  message || (errors ?? []).map(messageOf).join(', ');
