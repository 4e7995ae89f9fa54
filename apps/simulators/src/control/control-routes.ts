import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Scope } from '../falcon/falcon-client.ts';
import { Refusal } from '../http/answer.ts';
import type { Collection, Fields } from '../records/collection.ts';
import type { Control } from './control.ts';
import { faultOf } from './fault-of.ts';

const SCOPES: readonly string[] = ['hosts:read', 'alerts:read'];
const KINDS = ['hosts', 'alerts', 'devices', 'assets', 'vulnerabilities'] as const;

/** The control of the simulators over HTTP. An answer of 204 says that it is done. */
export function controlRoutes(app: FastifyInstance, control: Control): void {
  app.get('/simulator/state', () => ({
    now: new Date(control.now()).toISOString(),
    hosts: control.hosts.size,
    alerts: control.alerts.size,
    devices: control.devices.size,
    assets: control.assets.size,
    vulnerabilities: control.vulnerabilities.size,
  }));
  app.post('/simulator/time', (request, reply) => {
    const { advanceMs } = objectIn(request);
    if (typeof advanceMs !== 'number' || !(advanceMs >= 0))
      throw new Refusal(400, 'advanceMs: a number from 0');
    control.advance(advanceMs);
    return reply.status(204).send();
  });
  app.put('/simulator/clients/:id/scopes', (request, reply) => {
    const { scopes } = objectIn(request);
    if (!Array.isArray(scopes) || !scopes.every((scope) => SCOPES.includes(scope))) {
      throw new Refusal(400, `scopes: a list of ${SCOPES.join(' and ')}`);
    }
    control.setScopes((request.params as { id: string }).id, scopes as Scope[]);
    return reply.status(204).send();
  });
  recordRoutes(app, control);
  faultRoutes(app, control);
  requestRoutes(app, control);
}

function recordRoutes(app: FastifyInstance, control: Control): void {
  for (const kind of KINDS) {
    const records: Collection<Fields> = control[kind];
    app.get(`/simulator/${kind}/:number`, (request) => recordAt(records, numberIn(request)));
    app.post(`/simulator/${kind}`, (request, reply) => {
      const { host, ...fields } = objectIn(request);
      const isOfHost = kind === 'alerts' && host !== undefined;
      const number = isOfHost ? control.addAlert(Number(host), fields) : records.add(fields);
      return reply.status(201).send({ number, record: records.at(number) });
    });
    app.patch(`/simulator/${kind}/:number`, (request) => {
      const number = numberIn(request);
      records.change(number, objectIn(request));
      return recordAt(records, number);
    });
    app.delete(`/simulator/${kind}/:number`, (request, reply) => {
      records.remove(numberIn(request));
      return reply.status(204).send();
    });
  }
}

function faultRoutes(app: FastifyInstance, control: Control): void {
  app.get('/simulator/faults', () => control.waitingFaults);
  app.post('/simulator/faults', (request, reply) => {
    control.fault(faultOf(objectIn(request)));
    return reply.status(204).send();
  });
  app.delete('/simulator/faults', (_, reply) => {
    control.clearFaults();
    return reply.status(204).send();
  });
}

function requestRoutes(app: FastifyInstance, control: Control): void {
  app.get('/simulator/requests', () => ({ counts: control.requestCounts, requests: control.requests }));
  app.delete('/simulator/requests', (_, reply) => {
    control.clearRequests();
    return reply.status(204).send();
  });
}

function recordAt(records: Collection<Fields>, number: number): Fields {
  const record = records.at(number);
  if (record === undefined) throw new Refusal(404, `There is no record ${number}.`);
  return record;
}

const numberIn = ({ params }: FastifyRequest): number => Number((params as { number: string }).number);

function objectIn({ body }: FastifyRequest): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal(400, 'A JSON object is needed.');
  }
  return body as Fields;
}
