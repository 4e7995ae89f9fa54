import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '#libs/config';
import { clientErrorHandler } from './client-errors.ts';
import { Connections } from './connections.ts';
import { errorBodyOf } from './error-body.ts';
import { UnavailableException } from './http-errors.ts';
import { CONNECTIONS_MAX, STOP_MS_MAX } from './http-limits.ts';

const RETRY_SECONDS = 1;

/**
 * Limits the connections of the server, responds to invalid requests, and rejects connections above the limit. A stop
 * completes the requests in progress, for `stopMs` at most: Node no longer ends slow requests of a server that closes.
 */
export function boundConnections(
  fastify: FastifyInstance,
  logger: Logger,
  { stopMs = STOP_MS_MAX }: { stopMs?: number } = {},
): void {
  const connections = new Connections(fastify.server, logger);
  // In place of Fastify's own, whose words are for its developers.
  fastify.server.removeAllListeners('clientError');
  fastify.server.on(
    'clientError',
    clientErrorHandler((socket) => connections.isAnswered(socket)),
  );
  let isStopping = false;
  fastify.addHook('preClose', async () => {
    isStopping = true;
    connections.closeUnused();
    const closing = setTimeout(() => fastify.server.closeAllConnections(), stopMs).unref();
    fastify.server.once('close', () => clearTimeout(closing));
  });
  // Node would keep the connection of a request in progress open after its answer, and the stop would wait for its end.
  fastify.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close');
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    if (connections.isExcess(request.raw.socket) && !isHealth(request)) refuse(request, reply);
    else done();
  });
}

/** A health check must not mistake a busy service for a dead one. */
const isHealth = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.url?.startsWith('/health/') ?? false;

function refuse(request: FastifyRequest, reply: FastifyReply): void {
  const error = new UnavailableException(
    `all ${CONNECTIONS_MAX} connections are in use: retry later`,
    RETRY_SECONDS,
  );
  const body = errorBodyOf(error, request.id);
  reply.headers({ connection: 'close', 'retry-after': String(RETRY_SECONDS) });
  void reply.status(body.statusCode).send(body);
}
