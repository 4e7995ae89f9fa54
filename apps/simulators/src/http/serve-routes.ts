import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerWithFault, LastRequests } from '../faults/answer-with-fault.ts';
import type { FaultAct } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import type { Answer, ReceivedRequest } from './answer.ts';
import type { RequestLog } from './request-log.ts';
import type { Route } from './route.ts';
import { sendAnswer } from './send-answer.ts';

/** Registers the endpoints of the vendors: each request may meet a fault, and is logged. */
export function serveRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  { faults, log, nowMs }: { faults: Faults; log: RequestLog; nowMs: () => number },
): void {
  const last = new LastRequests();
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      handler: async (request, reply) => {
        const asked = requestOf(request);
        const act = faults.take(asked.method, asked.path);
        const answer = answerWithFault(route, asked, act, last, nowMs());
        log.add(route.path, asked, { status: statusSent(answer, act), fault: act?.kind ?? null });
        const headers = { date: new Date(nowMs()).toUTCString(), ...answer.headers };
        await sendAnswer(reply, { ...answer, headers }, act);
        return reply;
      },
    });
  }
}

function statusSent({ status }: Answer, act: FaultAct | undefined): number | null {
  if (act?.kind === 'cut') return null;
  return act?.kind === 'garbage' ? 200 : status;
}

function requestOf(request: FastifyRequest): ReceivedRequest {
  const { pathname, searchParams } = new URL(request.url, 'http://simulators');
  return {
    method: request.method,
    path: pathname,
    query: searchParams,
    headers: request.headers as ReceivedRequest['headers'],
    body: request.body ?? null,
    parts: request.params as Record<string, string>,
    address: request.ip,
  };
}
