import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '#libs/config';
import { clientErrorHandler } from './client-errors.ts';
import { Connections } from './connections.ts';
import { errorBodyOf } from './error-body.ts';
import { UnavailableException } from './http-errors.ts';
import { CONNECTIONS_MAX } from './http-limits.ts';

const RETRY_SECONDS = 1;

/** Bounds the connections of the server, answers what is no request, and refuses what there is no place for. */
export function boundConnections(fastify: FastifyInstance, logger: Logger): void {
  const connections = new Connections(fastify.server, logger);
  // In place of Fastify's own, whose words are for its developers.
  fastify.server.removeAllListeners('clientError');
  fastify.server.on(
    'clientError',
    clientErrorHandler((socket) => connections.isAnswered(socket)),
  );
  fastify.addHook('preClose', async () => connections.closeUnused());
  fastify.addHook('onRequest', (request, reply, done) => {
    if (connections.isExcess(request.raw.socket) && !isHealth(request)) refuse(request, reply);
    else done();
  });
}

/** Whoever asks for the health of the service must not take a busy one for a dead one. */
const isHealth = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.url?.startsWith('/health/') ?? false;

function refuse(request: FastifyRequest, reply: FastifyReply): void {
  const error = new UnavailableException(
    `all ${CONNECTIONS_MAX} connections are at work: try again`,
    RETRY_SECONDS,
  );
  const body = errorBodyOf(error, request.id);
  reply.headers({ connection: 'close', 'retry-after': String(RETRY_SECONDS) });
  void reply.status(body.statusCode).send(body);
}
