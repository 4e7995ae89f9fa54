import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '#libs/config';
import type { SignedInRequest } from '../auth/auth.guard.ts';
import { traceIdOf } from './trace-requests.ts';

/** One line a request. It contains the route instead of the path: ids and queries may contain data that a log should not have. */
export function logAccess(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  logger.info(
    {
      method: request.method,
      route: request.is404 ? undefined : request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      requestId: request.id,
      traceId: traceIdOf(request),
      user: (request as Partial<SignedInRequest>).loggedUser,
    },
    'request',
  );
}
