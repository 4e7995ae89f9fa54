import multipart from '@fastify/multipart';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Config, type Logger, listOf } from '#libs/config';
import { TextOpener } from '#libs/sealing';
import { AccessInterceptor } from '../auth/access.interceptor.ts';
import { AuthGuard } from '../auth/auth.guard.ts';
import { setupConsole } from '../console/setup-console.ts';
import { setupDocs } from '../docs/setup-docs.ts';
import { refusedUploadOf } from '../refused-uploads/refused-upload.ts';
import { RefusedUploads } from '../refused-uploads/refused-uploads.service.ts';
import { LOGGER } from '../tokens.ts';
import { logAccess } from './access-log.ts';
import { BodyInterceptor } from './body.interceptor.ts';
import { boundConnections } from './bound-connections.ts';
import { drainBody } from './drain-body.ts';
import { ErrorFilter } from './error.filter.ts';
import { measureRequest } from './measure-request.ts';
import { noQueryInterceptor } from './no-query.interceptor.ts';
import { openTexts } from './open-texts.ts';
import { refuseDuplicateHost } from './refuse-duplicate-host.ts';
import { refuseSealMarks } from './refuse-seal-marks.ts';
import { securityHeaders } from './security-headers.ts';
import { traceRequests } from './trace-requests.ts';
import { validationPipe } from './validation-pipe.ts';

/** How long a browser need not ask again. */
const PREFLIGHT_SECONDS = 600;
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/**
 * The setup of every route, in the order of processing. Call it before `listen`, on an application
 * created on `gatewayAdapter()` with `bodyParser: false`.
 */
export async function configureGateway(
  app: NestFastifyApplication,
  { corsOrigins }: Pick<Config, 'corsOrigins'> = {},
): Promise<void> {
  const logger = app.get<Logger>(LOGGER);
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  traceRequests(fastify);
  fastify.addHook('onRequest', beginRequest);
  fastify.addHook('onRequest', refuseDuplicateHost);
  fastify.addHook('onRequest', refuseSealMarks);
  boundConnections(fastify, logger);
  if (corsOrigins !== undefined) allowOrigins(app, listOf(corsOrigins));
  await leaveBodiesUnread(fastify);
  app.useGlobalGuards(app.get(AuthGuard));
  app.useGlobalInterceptors(app.get(AccessInterceptor), app.get(BodyInterceptor), noQueryInterceptor);
  app.useGlobalPipes(validationPipe);
  const refusedUploads = app.get(RefusedUploads);
  app.useGlobalFilters(
    new ErrorFilter(logger, (request, error, status) => {
      const refused = refusedUploadOf(request, error, status);
      if (refused !== null) refusedUploads.note(refused);
    }),
  );
  openTexts(fastify, app.get(TextOpener));
  fastify.addHook('onSend', drainBeforeAnswer);
  fastify.addHook('onResponse', (request, reply, done) => {
    logAccess(logger, request, reply);
    measureRequest(request, reply);
    done();
  });
  setupDocs(app);
  await setupConsole(fastify);
}

/** Pages of these origins may ask with a token; no cookie or password of a browser is sent, with any setting. */
function allowOrigins(app: NestFastifyApplication, origins: string[]): void {
  app.enableCors({
    origin: origins,
    credentials: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['content-disposition', 'location', 'retry-after', 'x-request-id'],
    maxAge: PREFLIGHT_SECONDS,
  });
}

/** An invalid content type would be a 415 before any route sees it; it counts as absent (R-HTTP-3). */
function beginRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.headers({ 'x-request-id': request.id, ...securityHeaders(request) });
  const contentType = request.raw.headers['content-type'];
  if (contentType !== undefined && !MEDIA_TYPE.test(contentType)) delete request.raw.headers['content-type'];
  done();
}

/** Bodies wait until the guards have let the request in: the BodyInterceptor or the route reads them. */
async function leaveBodiesUnread(fastify: FastifyInstance): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _body, done) => done(null));
  await fastify.register(multipart, { throwFileSizeLimit: false });
}

/** Reads the rest of the body before the answer goes out (R-HTTP-4). */
function drainBeforeAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  drainBody(request.raw, (ended) => {
    if (!ended) reply.header('connection', 'close');
    done(null, payload);
  });
}
