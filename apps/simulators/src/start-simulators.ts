import fastify, { type FastifyInstance } from 'fastify';
import { AxoniusPlatform } from './axonius/axonius-platform.ts';
import { deviceRoutes } from './axonius/device-routes.ts';
import { systemRoutes } from './axonius/system-routes.ts';
import { Clock } from './clock.ts';
import { Control } from './control/control.ts';
import { controlRoutes } from './control/control-routes.ts';
import { type EstateSize, estateOf } from './estate.ts';
import { alertRoutes } from './falcon/alert-routes.ts';
import { detectRoutes } from './falcon/detect-routes.ts';
import { envelope } from './falcon/envelope.ts';
import { FalconPlatform } from './falcon/falcon-platform.ts';
import { cidOf } from './falcon/host.ts';
import { hostRoutes } from './falcon/host-routes.ts';
import { tokenRoutes } from './falcon/token-routes.ts';
import { Faults } from './faults/faults.ts';
import { Refusal } from './http/answer.ts';
import { readBodies } from './http/read-bodies.ts';
import { RequestLog } from './http/request-log.ts';
import { serveRoutes } from './http/serve-routes.ts';
import { FoundRecords } from './query/found-records.ts';
import type { Collection, Fields } from './records/collection.ts';
import { exportRoutes } from './tenable/export-routes.ts';
import { TenablePlatform } from './tenable/tenable-platform.ts';

const BODY_BYTES_MAX = 8 * 1024 * 1024;

export interface SimulatorOptions extends Partial<EstateSize> {
  /** 0 takes any free one. */
  port?: number;
  /** The address to listen on: only that of this machine if omitted. */
  address?: string;
  /** Of the EDR platform, a minute. */
  requestsPerMinute?: number;
  /** The instant that the seeded records lead up to, in milliseconds since 1970; now if omitted. */
  epochMs?: number;
}

/** Default options. */
export const DEFAULTS = {
  hosts: 200,
  alerts: 500,
  devices: 200,
  assets: 200,
  vulnerabilities: 800,
  seed: 1,
  port: 0,
  address: '127.0.0.1',
  requestsPerMinute: 6_000,
} as const;

export interface Simulators {
  /** The base URL of all platforms, without a slash at its end. */
  url: string;
  control: Control;
  /** Closes requests in progress. */
  close(): Promise<void>;
}

/**
 * Starts the EDR platform, the inventory platform and the vulnerability scanner on one port.
 * @throws RangeError if there would be no host or no asset; Error if the port is taken
 */
export async function startSimulators(options: SimulatorOptions = {}): Promise<Simulators> {
  const settings = { ...DEFAULTS, ...options };
  if (!(settings.hosts >= 1)) throw new RangeError('hosts: 1 or more are needed');
  if (!(settings.assets >= 1)) throw new RangeError('assets: 1 or more are needed');
  const clock = new Clock();
  const estate = estateOf(settings, settings.epochMs ?? clock.now(), clock);
  const nowMs = () => clock.now();
  const faults = new Faults();
  const log = new RequestLog(nowMs);
  const falcon = new FalconPlatform(clock, settings);
  const axonius = new AxoniusPlatform();
  const control = new Control(estate, clock, faults, log, falcon);
  const alerts = { ...findable(estate.alerts), nowMs, cid: cidOf(settings.seed) };

  const app = fastify({ bodyLimit: BODY_BYTES_MAX, forceCloseConnections: true, logger: false });
  readBodies(app);
  answerErrors(app);
  const routes = [
    ...tokenRoutes(falcon),
    ...hostRoutes(falcon, { ...findable(estate.hosts), nowMs }),
    ...alertRoutes(falcon, alerts),
    ...detectRoutes(falcon, alerts),
    ...systemRoutes(axonius, estate.devices),
    ...deviceRoutes(axonius, findable(estate.devices)),
    ...exportRoutes(new TenablePlatform(), { ...estate, nowMs }),
  ];
  serveRoutes(app, routes, { faults, log, nowMs });
  controlRoutes(app, control);
  const url = await app.listen({ port: settings.port, host: settings.address });
  return { url, control, close: () => app.close() };
}

const findable = <T extends Fields>(collection: Collection<T>) => ({
  collection,
  found: new FoundRecords(collection),
});

/** Errors outside of the vendors' endpoints (the control, bodies that are none), in the envelope of the EDR platform. */
function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, _, reply) => {
    const status = statusOf(error);
    const message = error instanceof Error ? error.message : 'The request failed.';
    return reply.status(status).send(errorOf(status, message));
  });
  app.setNotFoundHandler((_, reply) => reply.status(404).send(errorOf(404, 'There is no such endpoint.')));
}

const errorOf = (code: number, message: string) => envelope(code, { errors: [{ code, message }] }).body;

function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status;
  if (error instanceof RangeError) return 400;
  return (error as { statusCode?: number }).statusCode ?? 500;
}
