import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { FindingsModule } from '../findings/findings.module.ts';
import { ActedOnRepository } from './acted-on.repository.ts';
import { ActedOnFindings } from './acted-on-findings.ts';
import { FindingActs } from './finding-acts.service.ts';

@Module({
  imports: [ActsModule, FindingsModule],
  providers: [ActedOnRepository, ActedOnFindings, FindingActs],
  exports: [ActedOnRepository, ActedOnFindings, FindingActs],
})
export class FindingActsModule {}
