import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { TRUSTED_CLOCK } from '#libs/clock';
import { CLOCK, NestLogger } from '#libs/config';
import { DATABASE } from '#libs/database';
import { EVENT_LOG } from '#libs/event-log';
import { SCHEMA_REGISTRY, schemaRegistryOf } from '#libs/schema-registry';
import { HealthController } from './health/health.controller.ts';
import { commonChecks, READINESS, type Readiness } from './health/readiness.ts';
import { METRICS_TOKEN, MetricsController } from './metrics/metrics.controller.ts';
import type { Program } from './open-program.ts';

/**
 * A separate background program that serves only `/health/*` and `/metrics`.
 * @returns its address
 */
export async function startWorker(program: Program, module: Type | DynamicModule): Promise<string> {
  const { log, database, trustedClock, config } = program;
  const app = await createWorker(program, module, {
    needed: ['log', 'database', 'clock'],
    checks: commonChecks(log, database.db, trustedClock),
  });
  await app.listen(config.port, config.host);
  return app.getUrl();
}

/** Its application, which does not listen yet; the program closes it. */
export async function createWorker(
  { clock, trustedClock, config, database, log, logger, resources }: Program,
  module: Type | DynamicModule,
  readiness: Readiness,
): Promise<NestFastifyApplication> {
  @Global()
  @Module({
    imports: [module],
    controllers: [HealthController, MetricsController],
    providers: [
      { provide: CLOCK, useValue: clock },
      { provide: TRUSTED_CLOCK, useValue: trustedClock },
      { provide: DATABASE, useValue: database.db },
      { provide: EVENT_LOG, useValue: log },
      { provide: SCHEMA_REGISTRY, useFactory: () => schemaRegistryOf(config) },
      { provide: READINESS, useValue: readiness },
      { provide: METRICS_TOKEN, useValue: config.metricsToken ?? null },
    ],
    exports: [CLOCK, TRUSTED_CLOCK, DATABASE, EVENT_LOG, SCHEMA_REGISTRY],
  })
  class ProgramModule {}

  return resources.add(
    await NestFactory.create<NestFastifyApplication>(ProgramModule, new FastifyAdapter(), {
      logger: new NestLogger(logger),
      abortOnError: false,
    }),
    (created) => created.close(),
  );
}
