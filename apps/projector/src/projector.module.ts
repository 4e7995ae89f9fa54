import { Module } from '@nestjs/common';
import { Projection } from '#libs/projection';
import { ChangeCodecs, RegisteredSchemas } from '#libs/schema-registry';
import { IntakeConsumer } from './intake.consumer.ts';
import { ChangePublishers } from './publish/change-publishers.ts';
import { FoldBacklog } from './publish/fold-backlog.ts';
import { Sweeper } from './sweep/sweeper.ts';
import { Sweeps } from './sweep/sweeps.ts';
import { TotalsCounts } from './totals/totals-counts.ts';

/** Needs CLOCK, TRUSTED_CLOCK, DATABASE, EVENT_LOG and SCHEMA_REGISTRY from a global module of the program that runs it. */
@Module({
  controllers: [IntakeConsumer],
  providers: [
    Projection,
    ChangePublishers,
    FoldBacklog,
    Sweeper,
    Sweeps,
    TotalsCounts,
    ChangeCodecs,
    RegisteredSchemas,
  ],
})
export class ProjectorModule {}
