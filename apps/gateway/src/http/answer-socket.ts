import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from './error-body.ts';
import { PRIVATE } from './security-headers.ts';

/** Responses to errors before there is a request. */
export interface SocketAnswer {
  status: number;
  /** One sentence for the user of the client. */
  message: string;
}

/** How long a client can continue sending a body that is not used any more, so that it then reads the response. */
const LINGER_MS = 2_000;

/** Writes an error in the form of all others on a bare connection, as the last answer there. */
function write(socket: Socket, { status, message }: SocketAnswer): void {
  const error = STATUS_CODES[status] ?? 'Error';
  const body: ErrorBody = { statusCode: status, error, message };
  const text = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
    ...PRIVATE,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable) socket.end(`HTTP/1.1 ${status} ${error}\r\n${lines.join('')}\r\n${text}`);
}

/** Answers and closes at once: for clients that are silent. */
export function answerAndClose(socket: Socket, answer: SocketAnswer): void {
  write(socket, answer);
  socket.destroy();
}

/**
 * Answers, and closes when the client does, or after 2 s: one that writes before it reads would not see an answer on a
 * connection that was closed while it wrote (R-HTTP-4).
 */
export function answerAndLinger(socket: Socket, answer: SocketAnswer): void {
  write(socket, answer);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
