import { Module } from '@nestjs/common';
import { IntakeConsumer } from './intake.consumer.ts';
import { ProjectorService } from './projector.service.ts';
import { ChangePublishers } from './publish/change-publishers.ts';

/** Needs DATABASE and EVENT_LOG from a global module of the program that runs it. */
@Module({ controllers: [IntakeConsumer], providers: [ProjectorService, ChangePublishers] })
export class ProjectorModule {}
