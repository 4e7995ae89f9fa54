import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { bareClock, type TrustedClock } from '#libs/clock';
import { type Clock, createLogger, NestLogger, readConfig } from '#libs/config';
import { decodeIntake } from '#libs/contracts';
import { type Database, openDatabase } from '#libs/database';
import { DEFAULT_SETTINGS, type IntakeEvent, type Settings } from '#libs/domain';
import { type EventLog, PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { Projection } from '#libs/projection';
import { ALL_ROWS } from '#libs/tables';
import { CredentialsRepository } from '../../apps/gateway/src/auth/credentials.repository.ts';
import type { Role } from '../../apps/gateway/src/auth/scopes.ts';
import { GatewayModule } from '../../apps/gateway/src/gateway.module.ts';
import { configureGateway } from '../../apps/gateway/src/http/configure-gateway.ts';
import { gatewayAdapter } from '../../apps/gateway/src/http/gateway-adapter.ts';
import { ApiClient } from './api-client.ts';
import { cheapHash } from './cheap-hash.ts';
import { type TestDatabase, testDatabase } from './database.ts';

const PARTITIONS = 4;
const PASSWORD = 'a-password-for-tests';

export interface GatewayOptions {
  clock?: Clock;
  trustedClock?: TrustedClock;
  /** Stands before the real log. */
  wrapLog?: (log: EventLog) => EventLog;
  /** A database of another address for everything but the log. */
  databaseUrl?: string;
  /** Instead of the built-in ones; with `folds` those of the log. */
  settings?: Partial<Settings>;
  /** Also folds appended records. */
  folds?: boolean;
  /** Another gateway on the same database and log, as a second process. */
  beside?: StartedGateway;
  /** Further variables of its environment. */
  env?: Record<string, string>;
}

/** Only the gateway, on a real log and a real port; its events are folded only on request. */
export class StartedGateway {
  private constructor(
    readonly url: string,
    readonly database: TestDatabase,
    readonly log: EventLog,
    /** Lines of its log. */
    readonly lines: string[],
    private readonly closers: (() => Promise<unknown>)[],
  ) {}

  static async start(options: GatewayOptions = {}): Promise<StartedGateway> {
    const closers: (() => Promise<unknown>)[] = [];
    const database = options.beside?.database ?? (await testDatabase());
    if (!options.beside) closers.unshift(() => database.drop());
    const log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
    closers.unshift(() => log.close());
    const lines: string[] = [];
    const dataDir = await mkdtemp(join(tmpdir(), 'posture-gateway-'));
    closers.unshift(() => rm(dataDir, { recursive: true, force: true }));
    if (!options.beside) await addCredentials(database);
    if (options.folds) closers.unshift(await foldInBackground(log, database));
    const app = await createApp({
      ...options,
      log,
      lines,
      dataDir,
      own: ownDatabase(options, database, closers),
    });
    closers.unshift(() => app.close());
    await app.listen(0, '127.0.0.1');
    return new StartedGateway(await app.getUrl(), database, log, lines, closers);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Credentials of a role, as `username:password`. */
  credentialsOf(role: Role): string {
    return `${role}:${PASSWORD}`;
  }

  client(role: Role = 'admin'): Promise<ApiClient> {
    return ApiClient.signIn(this.url, { username: role, password: PASSWORD });
  }

  /** The events of an upload in the log, partition by partition. */
  async eventsOf(uploadId: string): Promise<IntakeEvent[]> {
    const events: IntakeEvent[] = [];
    for (const [partition, end] of (await this.log.ends(INTAKE_TOPIC)).entries()) {
      for await (const records of this.log.read(INTAKE_TOPIC, partition, 0, end)) {
        events.push(...records.map(({ value }) => decodeIntake(value)));
      }
    }
    return events.filter(({ envelope }) => envelope.cause.uploadId === uploadId);
  }

  /** Number of records in the log. */
  async logSize(): Promise<number> {
    return (await this.log.ends(INTAKE_TOPIC)).reduce((sum, end) => sum + end, 0);
  }

  async stop(): Promise<void> {
    for (const close of this.closers) await close();
  }
}

/** Returns the function that stops it. */
async function foldInBackground(log: EventLog, { db }: TestDatabase): Promise<() => Promise<void>> {
  const projection = new Projection(db);
  const consumer = await log.consume(INTAKE_TOPIC, 'projector', {
    assigned: (partition) => projection.open(partition),
    batch: (records) => projection.project(records),
    revoked: async (partition) => projection.close(partition),
  });
  return () => consumer.stop();
}

async function addCredentials({ db }: TestDatabase): Promise<void> {
  const passwordHash = await cheapHash(PASSWORD);
  const credentials = new CredentialsRepository(db);
  for (const role of ['admin', 'analyst', 'viewer'] as const) {
    await credentials.add({ id: randomUUID(), username: role, passwordHash, role, ...ALL_ROWS }, 0);
  }
}

function ownDatabase(
  { databaseUrl, beside }: GatewayOptions,
  database: TestDatabase,
  closers: (() => Promise<unknown>)[],
): Pick<Database, 'db' | 'pool'> {
  if (!databaseUrl && !beside) return database;
  const other = openDatabase(databaseUrl ?? database.url);
  closers.unshift(() => other.close());
  return other;
}

interface AppParts extends GatewayOptions {
  log: EventLog;
  lines: string[];
  dataDir: string;
  own: Pick<Database, 'db' | 'pool'>;
}

async function createApp({
  clock = Date.now,
  trustedClock = bareClock(clock),
  wrapLog,
  settings,
  folds,
  log,
  lines,
  dataDir,
  own,
  env,
}: AppParts): Promise<NestFastifyApplication> {
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const config = readConfig({ DATA_DIR: dataDir, ...env });
  const module = GatewayModule.forRoot({
    config,
    logger,
    clock,
    trustedClock,
    log: wrapLog?.(log) ?? log,
    database: own,
    ...(!folds && { settings: () => ({ ...DEFAULT_SETTINGS, ...settings }) }),
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, gatewayAdapter(config), {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLogger(logger),
  });
  await configureGateway(app, config);
  return app;
}
