import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BadRequestException, HttpException } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Config, listOf } from '#libs/config';
import { errorBodyOf } from './error-body.ts';
import {
  HEADER_BYTES_MAX,
  HEADERS_MS_MAX,
  KEEP_ALIVE_MS,
  OVERDUE_LOOK_MS,
  PATH_PARAMETER_CHARACTERS_MAX,
  REQUEST_MS_MAX,
  SILENCE_MS_MAX,
} from './http-limits.ts';
import { securityHeaders } from './security-headers.ts';

/**
 * The HTTP server's own bounds against slow and over-long requests, and its leniency: doubled slashes and a
 * trailing slash are ignored (R-HTTP-3).
 */
export const gatewayAdapter = ({ trustedProxies }: Pick<Config, 'trustedProxies'> = {}): FastifyAdapter =>
  new FastifyAdapter({
    // Addresses count failed sign-ins: only a known proxy may say whose request it hands on.
    trustProxy: trustedProxies !== undefined && listOf(trustedProxies),
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
    http: {
      headersTimeout: HEADERS_MS_MAX,
      maxHeaderSize: HEADER_BYTES_MAX,
      connectionsCheckingInterval: OVERDUE_LOOK_MS,
    },
  });

/** A URL that no route can be looked up for never reaches the error filter, and is not repeated. */
function answerUnrouted(error: { code: string }, request: FastifyRequest, reply: FastifyReply): void {
  const exception =
    error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? new HttpException(
          `a value in the path is longer than ${PATH_PARAMETER_CHARACTERS_MAX} characters`,
          414,
        )
      : new BadRequestException('the path contains an invalid percent-encoding');
  const body = errorBodyOf(exception, request.id);
  void reply
    .status(body.statusCode)
    .headers({ 'x-request-id': request.id, ...securityHeaders(request) })
    .send(body);
}

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** The caller's `X-Request-Id` if it is at most 128 visible ASCII characters, a new UUID otherwise. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
