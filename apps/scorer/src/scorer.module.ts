import { Module } from '@nestjs/common';
import { ChangesConsumer } from './changes.consumer.ts';
import { ScorerService } from './scorer.service.ts';
import { ScorerPositions } from './scorer-positions.repository.ts';

/** Needs DATABASE and EVENT_LOG from a global module of the program that runs it. */
@Module({ controllers: [ChangesConsumer], providers: [ScorerService, ScorerPositions] })
export class ScorerModule {}
