import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestLogger } from '#libs/config';
import { DATABASE } from '#libs/database';
import { EVENT_LOG } from '#libs/event-log';
import { commonChecks, HealthController, type Program, READINESS, type Readiness } from '#libs/program';
import { ProjectorModule } from './projector.module.ts';
import { projectorServer } from './projector-server.ts';

/**
 * The projector as a process of its own: it follows the intake log, and answers `/health/*` alone.
 * @returns where it answers
 */
export async function startProjector(program: Program): Promise<string> {
  const { config, database, log, logger, resources } = program;
  const stopped = new Set<number>();
  const readiness: Readiness = {
    needed: ['log', 'database', 'partitions'],
    checks: { ...commonChecks(log, database.db), partitions: async () => assertNone(stopped) },
  };

  @Global()
  @Module({
    imports: [ProjectorModule],
    controllers: [HealthController],
    providers: [
      { provide: DATABASE, useValue: database.db },
      { provide: EVENT_LOG, useValue: log },
      { provide: READINESS, useValue: readiness },
    ],
    exports: [DATABASE, EVENT_LOG],
  })
  class ProgramModule {}

  const app = resources.add(
    await NestFactory.create<NestFastifyApplication>(ProgramModule, new FastifyAdapter(), {
      logger: new NestLogger(logger),
      abortOnError: false,
    }),
    (created) => created.close(),
  );
  app.connectMicroservice({ strategy: projectorServer(program, (partition) => stopped.add(partition)) });
  await app.startAllMicroservices();
  await app.listen(config.port, config.host);
  return app.getUrl();
}

function assertNone(stopped: ReadonlySet<number>): void {
  if (stopped.size > 0) throw new Error(`partitions ${[...stopped].join(', ')} stand still`);
}
