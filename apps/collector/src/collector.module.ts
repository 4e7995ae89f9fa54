import { type DynamicModule, Module } from '@nestjs/common';
import { loadSecretKeys } from '#libs/config';
import type { Program } from '#libs/program';
import { Vault } from '#libs/vault';
import { Collector } from './collector.service.ts';
import { openConnectors } from './open-connector.ts';
import { Schedule } from './schedule/schedule.service.ts';
import { CONNECTORS, SyncRunner } from './sync/sync-runner.service.ts';
import { SyncsRepository } from './sync/syncs.repository.ts';

@Module({ providers: [Collector, Schedule, SyncRunner, SyncsRepository] })
class CollectorModule {}

/** Needs CLOCK, DATABASE and EVENT_LOG from a global module of the program that runs it. */
export const collectorModule = ({ config, database }: Program): DynamicModule => ({
  module: CollectorModule,
  providers: [
    {
      provide: CONNECTORS,
      useFactory: async () =>
        openConnectors(database.db, new Vault(await loadSecretKeys(config)), config.egressProxy),
    },
  ],
});
