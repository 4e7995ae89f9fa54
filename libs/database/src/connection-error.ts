/** SQLSTATE classes and codes that say "not now": 08 connection, 57P01–57P03 shutdown or start, 53300 too many. */
const SQLSTATES = /^(08...|57P0[1-5]|53300|25P03)$/;
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
/** What pg itself throws has no code. */
const PG_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout)/;

/**
 * Whether an error says that the database was not reachable or broke off: the same may succeed later, and whether the
 * statement took effect is not known. A statement that ran too long or was refused is no such error.
 */
export function isConnectionError(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return SQLSTATES.test(code) || SYSTEM_CODES.has(code);
  return typeof message === 'string' && PG_MESSAGES.test(message);
}
