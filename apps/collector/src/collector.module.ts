import { type DynamicModule, Module } from '@nestjs/common';
import { loadSecretKeys } from '#libs/config';
import { openEgress } from '#libs/egress';
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
import { SyncsRepository } from './sync/syncs.repository.ts';
import { Deliverer, WEBHOOK_PARTS, type WebhookParts } from './webhooks/deliverer.service.ts';

@Module({ providers: [Collector, Deliverer, Schedule, SyncOutcomes, SyncRunner, SyncsRepository] })
class CollectorModule {}

/** Needs CLOCK, TRUSTED_CLOCK, DATABASE and EVENT_LOG from a global module of the program that runs it. */
export const collectorModule = ({ config, database }: Program): DynamicModule => ({
  module: CollectorModule,
  providers: [
    {
      provide: CONNECTORS,
      useFactory: async () =>
        openConnectors(database.db, new Vault(await loadSecretKeys(config)), config.egressProxy),
    },
    { provide: SYNC_BUDGETS, useValue: SYNC_BUDGET },
    {
      provide: EventSealer,
      useFactory: async () =>
        new EventSealer(
          config.sealPersonalTexts
            ? new SubjectKeys(database.db, new Vault(await loadSecretKeys(config)))
            : null,
        ),
    },
    {
      provide: WEBHOOK_PARTS,
      useFactory: async (): Promise<WebhookParts> => ({
        secrets: new WebhookSecrets(database.db, new Vault(await loadSecretKeys(config))),
        openEgress: (options) =>
          openEgress({ ...(config.egressProxy && { proxy: config.egressProxy }), ...options }),
      }),
    },
  ],
});
