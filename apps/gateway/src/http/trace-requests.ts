import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isTracing, type OpenSpan, openSpan } from '#libs/telemetry';

/** Asked every few seconds by machines. */
const UNTRACED = /^\/(health\/|metrics)/;

const spans = new WeakMap<FastifyRequest, OpenSpan>();

/** A span a request, within the caller's `traceparent` if one is sent; nothing if nothing is traced. */
export function traceRequests(fastify: FastifyInstance): void {
  if (!isTracing()) return;
  fastify.addHook('onRequest', (request, reply, done) => {
    const span = begin(request);
    if (!span) return done();
    spans.set(request, span);
    // It comes at last, whether all was answered or the client has left.
    reply.raw.once('close', () => end(span, reply));
    span.run(done);
  });
}

export const traceIdOf = (request: FastifyRequest): string | undefined => spans.get(request)?.traceId;

/** Neither path nor query: they may contain data that a trace should not have. */
function begin(request: FastifyRequest): OpenSpan | undefined {
  const { url: route = 'none' } = request.is404 ? {} : request.routeOptions;
  if (UNTRACED.test(route)) return undefined;
  const { traceparent } = request.headers;
  return openSpan(`${request.method} ${route}`, {
    kind: 'server',
    isRoot: true,
    parent: typeof traceparent === 'string' ? traceparent : '',
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'posture.request_id': request.id,
    },
  });
}

function end(span: OpenSpan, { statusCode, raw }: FastifyReply): void {
  span.set({ 'http.response.status_code': statusCode });
  if (!raw.writableFinished) span.end('aborted');
  else if (statusCode >= 500) span.end(String(statusCode));
  else span.end();
}
