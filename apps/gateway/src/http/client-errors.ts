import type { Socket } from 'node:net';
import { answerAndClose, answerAndLinger, type SocketAnswer } from './answer-socket.ts';
import { HEADER_BYTES_MAX, HEADERS_MS_MAX, REQUEST_MS_MAX } from './http-limits.ts';

const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/** What Node's HTTP parser refuses before there is a request, and what it is answered with. */
const ANSWERS: Record<string, SocketAnswer> = {
  [TIMED_OUT]: {
    status: 408,
    message:
      `the request did not come in time: its headers within ${HEADERS_MS_MAX / 1_000} seconds, ` +
      `the whole of it within ${REQUEST_MS_MAX / 1_000}`,
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: `the URL and the headers are larger than ${HEADER_BYTES_MAX / 1_024} KB`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    message: 'the extensions of a chunk of the body are too large',
  },
};
const NO_REQUEST: SocketAnswer = { status: 400, message: 'this is not a request of HTTP/1.1' };

/**
 * Answers what Node's HTTP parser refuses, in words.
 * @param isAnswered whether an answer has begun on the connection, which another one would garble
 */
export const clientErrorHandler =
  (isAnswered: (socket: Socket) => boolean) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    // The parser says it again of whatever comes after.
    if (socket.writableEnded) return;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered(socket)) {
      socket.destroy();
      return;
    }
    const answer = ANSWERS[error.code ?? ''] ?? NO_REQUEST;
    if (error.code === TIMED_OUT) answerAndClose(socket, answer);
    else answerAndLinger(socket, answer);
  };
