import { Module } from '@nestjs/common';
import { AcceptanceModule } from '../acceptance/acceptance.module.ts';
import { ActsModule } from '../acts/acts.module.ts';
import { FindingActsModule } from '../finding-acts/finding-acts.module.ts';
import { TriageModule } from '../triage/triage.module.ts';
import { BulkActsController } from './bulk-acts.controller.ts';
import { BulkActs } from './bulk-acts.service.ts';

@Module({
  imports: [AcceptanceModule, ActsModule, FindingActsModule, TriageModule],
  controllers: [BulkActsController],
  providers: [BulkActs],
})
export class BulkActsModule {}
