import { Module, type ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestLogger } from '#libs/config';
import type { BatchServer } from '#libs/event-log';
import { consumerServer, INBOX, type Program } from '#libs/program';
import type { BasicCredentials } from './auth/basic-credentials.ts';
import { firstAdmin } from './auth/first-admin.ts';
import { GatewayModule } from './gateway.module.ts';
import { configureGateway } from './http/configure-gateway.ts';
import { gatewayAdapter } from './http/gateway-adapter.ts';
import { openReads } from './open-reads.ts';

/** A gateway that does not listen yet, and the first admin if one was created. */
export interface CreatedGateway {
  app: NestFastifyApplication;
  credentials: BasicCredentials | null;
}

/**
 * The gateway's application; `imports` are modules that run in the same process, and `partitions` deliver topics to them.
 * The program starts its microservices, of which the inbox may be one, and closes it.
 */
export async function createGateway(
  program: Program,
  imports: NonNullable<ModuleMetadata['imports']> = [],
  partitions: readonly BatchServer[] = [],
): Promise<CreatedGateway> {
  const { config, clock, database, logger, resources } = program;
  const inbox = config.kafkaInbox ? [consumerServer(program, INBOX)] : [];
  const consumers = { ...(inbox.length > 0 && { inbox }), ...(partitions.length > 0 && { partitions }) };
  const reads = openReads(program);

  @Module({ imports: [GatewayModule.forRoot({ ...program, consumers, reads }), ...imports] })
  class ProgramModule {}

  const credentials = await firstAdmin({ config, clock, logger, db: database.db });
  const app = resources.add(
    await NestFactory.create<NestFastifyApplication>(ProgramModule, gatewayAdapter(config), {
      bodyParser: false,
      logger: new NestLogger(logger),
      abortOnError: false,
    }),
    (created) => created.close(),
  );
  await configureGateway(app, config);
  for (const strategy of [...inbox, ...partitions]) app.connectMicroservice({ strategy });
  return { app, credentials };
}
