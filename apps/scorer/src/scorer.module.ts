import { Module } from '@nestjs/common';
import { ChangeCodecs, RegisteredSchemas } from '#libs/schema-registry';
import { ChangesConsumer } from './changes.consumer.ts';
import { ScorePublishers } from './publish/score-publishers.ts';
import { Scorer } from './scorer.service.ts';

/** Needs CLOCK, TRUSTED_CLOCK, DATABASE, EVENT_LOG and SCHEMA_REGISTRY from a global module of the program that runs it. */
@Module({
  controllers: [ChangesConsumer],
  providers: [Scorer, ScorePublishers, ChangeCodecs, RegisteredSchemas],
})
export class ScorerModule {}
