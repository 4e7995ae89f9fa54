import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { OrganizationModule } from '../organization/organization.module.ts';
import { ScoresModule } from '../scores/scores.module.ts';
import { OwnedCountsRepository } from './owned-counts.repository.ts';
import { OwnerRulesController } from './owner-rules.controller.ts';
import { OwnerRules } from './owner-rules.service.ts';

@Module({
  imports: [ActsModule, OrganizationModule, ScoresModule],
  controllers: [OwnerRulesController],
  providers: [OwnedCountsRepository, OwnerRules],
})
export class OwnerRulesModule {}
