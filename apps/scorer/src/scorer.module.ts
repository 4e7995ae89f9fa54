import { Module } from '@nestjs/common';
import { ChangeDecoder, RegisteredSchemas } from '#libs/schema-registry';
import { ChangesConsumer } from './changes.consumer.ts';
import { ScorerService } from './scorer.service.ts';
import { ScorerPositions } from './scorer-positions.repository.ts';

/** Needs DATABASE, EVENT_LOG and SCHEMA_REGISTRY from a global module of the program that runs it. */
@Module({
  controllers: [ChangesConsumer],
  providers: [ScorerService, ScorerPositions, ChangeDecoder, RegisteredSchemas],
})
export class ScorerModule {}
