import { Global, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { CLOCK, NestLogger } from '#libs/config';
import { DATABASE } from '#libs/database';
import { EVENT_LOG } from '#libs/event-log';
import { SCHEMA_REGISTRY, schemaRegistryOf } from '#libs/schema-registry';
import type { ConsumerGroup } from './consumer-groups.ts';
import { consumerServer } from './consumer-server.ts';
import { HealthController } from './health/health.controller.ts';
import { commonChecks, READINESS, type Readiness } from './health/readiness.ts';
import type { Program } from './open-program.ts';

/**
 * A program of its own that follows the log by the controllers of `module`, and answers `/health/*` alone.
 * @param group whose members share the partitions
 * @returns where it answers
 */
export async function startConsumer(program: Program, module: Type, group: ConsumerGroup): Promise<string> {
  const { clock, config, database, log, logger, resources } = program;
  const stopped = new Set<string>();
  const readiness: Readiness = {
    needed: ['log', 'database', 'partitions'],
    checks: { ...commonChecks(log, database.db), partitions: async () => assertNone(stopped) },
  };

  @Global()
  @Module({
    imports: [module],
    controllers: [HealthController],
    providers: [
      { provide: CLOCK, useValue: clock },
      { provide: DATABASE, useValue: database.db },
      { provide: EVENT_LOG, useValue: log },
      { provide: SCHEMA_REGISTRY, useFactory: () => schemaRegistryOf(config) },
      { provide: READINESS, useValue: readiness },
    ],
    exports: [CLOCK, DATABASE, EVENT_LOG, SCHEMA_REGISTRY],
  })
  class ProgramModule {}

  const app = resources.add(
    await NestFactory.create<NestFastifyApplication>(ProgramModule, new FastifyAdapter(), {
      logger: new NestLogger(logger),
      abortOnError: false,
    }),
    (created) => created.close(),
  );
  app.connectMicroservice({
    strategy: consumerServer(program, group, (partition) => stopped.add(partition)),
  });
  await app.startAllMicroservices();
  await app.listen(config.port, config.host);
  return app.getUrl();
}

function assertNone(stopped: ReadonlySet<string>): void {
  if (stopped.size > 0) throw new Error(`partitions ${[...stopped].join(', ')} stand still`);
}
