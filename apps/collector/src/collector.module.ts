import { type DynamicModule, Module } from '@nestjs/common';
import { CursorSeal } from '#libs/changes';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { openEgress } from '#libs/egress';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { openSecretKeys } from '#libs/key-wrapping';
import type { Program } from '#libs/program';
import { EventSealer } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import { Vault } from '#libs/vault';
import { WebhookSecrets } from '#libs/webhooks';
import { Collector } from './collector.service.ts';
import { openConnectors } from './open-connector.ts';
import { Schedule } from './schedule/schedule.service.ts';
import { SYNC_BUDGET } from './sync/sync-interrupted.ts';
import { SyncOutcomes } from './sync/sync-outcomes.service.ts';
import { CONNECTORS, SYNC_BUDGETS, SyncRunner } from './sync/sync-runner.service.ts';
import { SyncRunsRepository } from './sync/sync-runs.repository.ts';
import { Deliverer, WEBHOOK_PARTS, type WebhookParts } from './webhooks/deliverer.service.ts';
import { ticketLinks } from './webhooks/ticket-links.ts';

/** Injects the secrets that keys are derived from (`Buffer[]`). */
const SECRET_KEYS = Symbol('SECRET_KEYS');
/** Injects what opens stored secrets (`Vault`). */
const VAULT = Symbol('VAULT');

@Module({ providers: [Collector, Deliverer, Schedule, SyncOutcomes, SyncRunner, SyncRunsRepository] })
class CollectorModule {}

/** Needs CLOCK, TRUSTED_CLOCK, DATABASE and EVENT_LOG from a global module of the program that runs it. */
export const collectorModule = ({ config, database }: Program): DynamicModule => ({
  module: CollectorModule,
  providers: [
    { provide: SECRET_KEYS, useFactory: () => openSecretKeys(config) },
    { provide: VAULT, inject: [SECRET_KEYS], useFactory: (keys: Buffer[]) => new Vault(keys) },
    {
      provide: CONNECTORS,
      inject: [VAULT, EventSealer],
      useFactory: (vault: Vault, sealer: EventSealer) =>
        openConnectors(database.db, vault, sealer, config.egressProxy),
    },
    { provide: SYNC_BUDGETS, useValue: SYNC_BUDGET },
    {
      provide: EventSealer,
      inject: [VAULT],
      useFactory: (vault: Vault) =>
        new EventSealer(
          config.sealPersonalTexts ? new SubjectKeys(database.db, vault) : null,
          config.sealMachines,
        ),
    },
    {
      provide: WEBHOOK_PARTS,
      inject: [VAULT, SECRET_KEYS, EVENT_LOG, TRUSTED_CLOCK],
      useFactory: (
        vault: Vault,
        keys: Buffer[],
        log: EventLog,
        trustedClock: TrustedClock,
      ): WebhookParts => ({
        secrets: new WebhookSecrets(database.db, vault),
        seal: new CursorSeal(keys),
        link: ticketLinks(database.db, log, trustedClock),
        publicUrl: config.publicUrl ?? null,
        openEgress: (options) =>
          openEgress({ ...(config.egressProxy && { proxy: config.egressProxy }), ...options }),
      }),
    },
  ],
});
