import type { Socket } from 'node:net';
import { answerAndClose, answerAndLinger, type SocketAnswer } from './answer-socket.ts';
import { HEADER_BYTES_MAX, HEADERS_MS_MAX, REQUEST_MS_MAX } from './http-limits.ts';

const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Errors of Node's HTTP parser before there is a request, and their responses. */
const ANSWERS: Record<string, SocketAnswer> = {
  [TIMED_OUT]: {
    status: 408,
    message:
      `the request timed out: send its headers within ${HEADERS_MS_MAX / 1_000} seconds and ` +
      `the complete request within ${REQUEST_MS_MAX / 1_000} seconds`,
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: `the URL and headers exceed ${HEADER_BYTES_MAX / 1_024} KB`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    message: 'the chunk extensions of the body are too large',
  },
};
const NO_REQUEST: SocketAnswer = { status: 400, message: 'the request is not a valid HTTP/1.1 request' };

/**
 * Answers requests that Node's HTTP parser rejects, with an error message.
 * @param isAnswered whether an answer has begun on the connection, so that a second answer would corrupt it
 */
export const clientErrorHandler =
  (isAnswered: (socket: Socket) => boolean) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    // The parser reports it again for all later data.
    if (socket.writableEnded) return;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered(socket)) {
      socket.destroy();
      return;
    }
    const answer = ANSWERS[error.code ?? ''] ?? NO_REQUEST;
    if (error.code === TIMED_OUT) answerAndClose(socket, answer);
    else answerAndLinger(socket, answer);
  };
