import { isConnectionError, messageOf } from '#libs/database';

/** What Node says of an address that a program cannot listen on. */
interface ListenError extends Error {
  code?: string;
  syscall?: string;
  address?: string;
  port?: number;
}

/** Why a program does not start, as a sentence with what to do; a bug with its stack trace. */
export function startFailure(error: ListenError): string {
  if (error instanceof TypeError || error instanceof ReferenceError) return error.stack ?? error.message;
  const { syscall, code, address, port } = error;
  if (isConnectionError(error)) {
    return `the database is unreachable (${messageOf(error)}): start PostgreSQL, or check DATABASE_URL`;
  }
  if (syscall !== 'listen') return messageOf(error);
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${address} is in use by another program: stop it, or set PORT to a free port`;
    case 'EACCES':
      return `port ${port} of ${address} needs more rights than this user has: set PORT to 1024 or above`;
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this machine: set HOST to one, such as 127.0.0.1 or 0.0.0.0`;
    default:
      return `cannot listen on port ${port} of ${address} (${error.message}): check HOST and PORT`;
  }
}
