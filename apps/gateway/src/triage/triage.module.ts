import { Module } from '@nestjs/common';
import { FindingActsModule } from '../finding-acts/finding-acts.module.ts';
import { FindingsModule } from '../findings/findings.module.ts';
import { CommentsRepository } from './comments.repository.ts';
import { TriageController } from './triage.controller.ts';
import { TriageService } from './triage.service.ts';

@Module({
  imports: [FindingActsModule, FindingsModule],
  controllers: [TriageController],
  providers: [CommentsRepository, TriageService],
  exports: [TriageService],
})
export class TriageModule {}
