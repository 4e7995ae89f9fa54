import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpRequestSeconds } from '#libs/telemetry';

/** One observation a request. The label is the route instead of the path, whose ids would create a series each. */
export function measureRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { url: route = 'none' } = request.is404 ? {} : request.routeOptions;
  httpRequestSeconds.observe(
    { method: request.method, route, status: reply.statusCode },
    reply.elapsedTime / 1000,
  );
}
