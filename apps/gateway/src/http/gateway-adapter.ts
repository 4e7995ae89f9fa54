import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBodyOf } from './error-body.ts';

/** A whole request must arrive within this time: a 5 MB upload at 42 KB/s does. */
const REQUEST_MS_MAX = 120_000;
const HEADERS_MS_MAX = 15_000;
/** Longer than the longest `Prefer: wait` (D17), during which a connection is silent. */
const SILENCE_MS_MAX = 90_000;
const KEEP_ALIVE_MS = 65_000;
const HEADER_BYTES_MAX = 16_384;
const PATH_PARAMETER_CHARACTERS_MAX = 200;

/**
 * The HTTP server's own bounds against slow and over-long requests, and its leniency: doubled slashes (D21) and a
 * last slash (spec §Endpoints) mean nothing.
 */
export const gatewayAdapter = (): FastifyAdapter =>
  new FastifyAdapter({
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: PATH_PARAMETER_CHARACTERS_MAX,
    },
    requestIdHeader: false,
    genReqId: requestIdOf,
    frameworkErrors: answerUnrouted,
    requestTimeout: REQUEST_MS_MAX,
    connectionTimeout: SILENCE_MS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { headersTimeout: HEADERS_MS_MAX, maxHeaderSize: HEADER_BYTES_MAX },
  });

/** A URL that no route can be looked up for never reaches the error filter. */
function answerUnrouted(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const body = errorBodyOf(error, request.id);
  void reply.status(body.statusCode).header('x-request-id', request.id).send(body);
}

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** The caller's `X-Request-Id` where it is at most 128 visible ASCII characters, a new UUID otherwise. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
