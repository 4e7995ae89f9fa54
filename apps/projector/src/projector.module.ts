import { Module } from '@nestjs/common';
import { IntakeConsumer } from './intake.consumer.ts';
import { ProjectorService } from './projector.service.ts';

/** Needs DATABASE from a global module of the program that runs it. */
@Module({ controllers: [IntakeConsumer], providers: [ProjectorService] })
export class ProjectorModule {}
