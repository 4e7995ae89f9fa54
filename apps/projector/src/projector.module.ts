import { Module } from '@nestjs/common';
import { ChangeCodecs, RegisteredSchemas } from '#libs/schema-registry';
import { IntakeConsumer } from './intake.consumer.ts';
import { ProjectorService } from './projector.service.ts';
import { ChangePublishers } from './publish/change-publishers.ts';

/** Needs DATABASE, EVENT_LOG and SCHEMA_REGISTRY from a global module of the program that runs it. */
@Module({
  controllers: [IntakeConsumer],
  providers: [ProjectorService, ChangePublishers, ChangeCodecs, RegisteredSchemas],
})
export class ProjectorModule {}
