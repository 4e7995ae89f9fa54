import { type DynamicModule, Module } from '@nestjs/common';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { CLOCK, type Clock, type Config, type Logger } from '#libs/config';
import { DATABASE, DATABASE_POOL, type Database, READ_DATABASE } from '#libs/database';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { openSecretKeys } from '#libs/key-wrapping';
import type { ConsumerServers } from '#libs/program';
import { SCHEMA_REGISTRY, schemaRegistryOf } from '#libs/schema-registry';
import { EventSealer, TextOpener } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import { Vault } from '#libs/vault';
import { OrganizationModule } from './organization/organization.module.ts';
import { OrganizationStore } from './organization/organization-store.ts';
import type { SettingsSource } from './organization/settings-source.ts';
import { CONFIG, CONSUMER_SERVERS, LOGGER, SECRET_KEYS, SETTINGS } from './tokens.ts';

/** Resources that the program of the gateway opens before it, and closes after it. */
export interface GatewayParts {
  config: Config;
  logger: Logger;
  clock: Clock;
  trustedClock: TrustedClock;
  log: EventLog;
  database: Pick<Database, 'db' | 'pool'>;
  /** For reading, a replica; omitted: `database`. */
  reads?: Database['db'];
  /** Deliver topics to this process; omitted: it follows none. */
  consumers?: ConsumerServers;
  /** Default: the settings of the organization. */
  settings?: SettingsSource;
}

/** Everything that comes from outside, for all modules of the program: features inject it without an import. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a dynamic module of Nest is one
export class ResourcesModule {
  static forRoot(parts: GatewayParts): DynamicModule {
    return {
      module: ResourcesModule,
      global: true,
      imports: [OrganizationModule],
      providers: [
        { provide: CONFIG, useValue: parts.config },
        { provide: LOGGER, useValue: parts.logger },
        { provide: CLOCK, useValue: parts.clock },
        { provide: TRUSTED_CLOCK, useValue: parts.trustedClock },
        { provide: EVENT_LOG, useValue: parts.log },
        { provide: DATABASE, useValue: parts.database.db },
        { provide: READ_DATABASE, useValue: parts.reads ?? parts.database.db },
        { provide: DATABASE_POOL, useValue: parts.database.pool },
        { provide: CONSUMER_SERVERS, useValue: parts.consumers ?? {} },
        {
          provide: SETTINGS,
          inject: [OrganizationStore],
          useFactory: (store: OrganizationStore) => parts.settings ?? (() => store.current.settings),
        },
        { provide: SCHEMA_REGISTRY, useFactory: () => schemaRegistryOf(parts.config) },
        { provide: SECRET_KEYS, useFactory: () => openSecretKeys(parts.config) },
        {
          provide: SubjectKeys,
          inject: [SECRET_KEYS],
          useFactory: (secrets: Buffer[]) => new SubjectKeys(parts.database.db, new Vault(secrets)),
        },
        {
          provide: EventSealer,
          inject: [SubjectKeys],
          useFactory: (keys: SubjectKeys) =>
            new EventSealer(parts.config.sealPersonalTexts ? keys : null, parts.config.sealMachines),
        },
        {
          provide: TextOpener,
          inject: [SubjectKeys],
          useFactory: (keys: SubjectKeys) =>
            new TextOpener(keys, (error, subjects) =>
              parts.logger.warn({ err: error, subjects }, 'personal texts cannot be decrypted'),
            ),
        },
      ],
      exports: [
        CONFIG,
        LOGGER,
        CLOCK,
        TRUSTED_CLOCK,
        EVENT_LOG,
        DATABASE,
        READ_DATABASE,
        DATABASE_POOL,
        CONSUMER_SERVERS,
        SETTINGS,
        SCHEMA_REGISTRY,
        SECRET_KEYS,
        SubjectKeys,
        EventSealer,
        TextOpener,
      ],
    };
  }
}
