import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Clock, type Config, createLogger, type Logger, NestLogger } from '#libs/config';
import {
  CLUSTER_FOLDER,
  type Database,
  type EmbeddedPostgres,
  migrate,
  openDatabase,
  startEmbeddedPostgres,
} from '#libs/database';
import { BatchServer, type EventLog, PostgresEventLog } from '#libs/event-log';
import { openLog } from '#libs/intake';
import { configureGateway, firstAdmin, GatewayModule, gatewayAdapter } from '../../gateway/src/index.ts';
import { ProjectorModule } from '../../projector/src/index.ts';

const DATABASE_CONNECTIONS_MAX = 20;

/** The consumer group that folds the intake log. */
const PROJECTOR_GROUP = 'projector';

export interface Standalone {
  /** Where it answers. */
  url: string;
  /** The first admin, the one time it is made (D25). */
  credentials: { username: string; password: string } | null;
  /** Resolves with a sentence when the embedded database has ended by itself: nothing works without it. */
  ended: Promise<string>;
  /** Stops everything in order: no new requests, batches at hand finished, the database last. */
  stop(): Promise<void>;
}

/** Closes in the reverse order of opening, also where a later step fails. */
class Resources {
  private readonly closers: (() => Promise<unknown>)[] = [];

  add<T>(resource: T, close: (resource: T) => Promise<unknown>): T {
    this.closers.push(() => close(resource));
    return resource;
  }

  async close(): Promise<void> {
    for (let closer = this.closers.pop(); closer; closer = this.closers.pop()) await closer();
  }
}

/**
 * All programs in one process, on the embedded PostgreSQL unless DATABASE_URL names another.
 * @throws Error with a sentence where the start must stop; nothing is left running
 */
export async function startStandalone(config: Config, clock: Clock = Date.now): Promise<Standalone> {
  const logger = createLogger(config.logLevel);
  const resources = new Resources();
  try {
    const embedded = config.databaseUrl ? null : await startDatabase(config, logger, resources);
    const url = embedded?.url ?? config.databaseUrl!;
    const database = resources.add(openDatabase(url, { max: DATABASE_CONNECTIONS_MAX }), (opened) =>
      opened.close(),
    );
    await migrate(database.pool);
    const log = resources.add(openEventLog(url, config, logger), (opened) => opened.close());
    await openLog(database.db, log, clock());
    const credentials = await firstAdmin({ config, db: database.db, clock });
    const app = await startApp({ config, clock, logger, log, database }, resources);
    return {
      url: await app.getUrl(),
      credentials,
      ended: embedded
        ? embedded.ended.then(() => 'PostgreSQL has ended: start again')
        : new Promise(() => {}),
      stop: () => resources.close(),
    };
  } catch (error) {
    await resources.close();
    throw error;
  }
}

const openEventLog = (url: string, { logPartitions }: Config, logger: Logger): EventLog =>
  new PostgresEventLog({
    url,
    partitions: logPartitions,
    onTrouble: (error) => logger.warn({ err: error }, 'the log lost a connection and joins again'),
  });

function startDatabase({ dataDir }: Config, logger: Logger, resources: Resources): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    directory: join(dataDir, CLUSTER_FOLDER),
    log: (line) => logger.debug({ context: 'PostgreSQL' }, line),
  }).then((postgres) => resources.add(postgres, (started) => started.stop()));
}

interface Parts {
  config: Config;
  clock: Clock;
  logger: Logger;
  log: EventLog;
  database: Database;
}

async function startApp(parts: Parts, resources: Resources): Promise<NestFastifyApplication> {
  const { config, logger, log } = parts;

  @Module({ imports: [GatewayModule.forRoot(parts), ProjectorModule] })
  class StandaloneModule {}

  const app = resources.add(
    await NestFactory.create<NestFastifyApplication>(StandaloneModule, gatewayAdapter(), {
      bodyParser: false,
      logger: new NestLogger(logger),
      abortOnError: false,
    }),
    (created) => created.close(),
  );
  app.connectMicroservice({
    strategy: new BatchServer(log, {
      group: PROJECTOR_GROUP,
      onPartitionFailed: (topic, partition, error) =>
        logger.fatal(
          { topic, partition, err: error },
          'a partition stopped: nothing of it is folded until it is mended',
        ),
    }),
  });
  await configureGateway(app);
  await app.startAllMicroservices();
  await app.listen(config.port, config.host);
  return app;
}
