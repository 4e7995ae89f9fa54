import { Module } from '@nestjs/common';
import { FindingActsModule } from '../finding-acts/finding-acts.module.ts';
import { OrganizationModule } from '../organization/organization.module.ts';
import { PagingModule } from '../paging/paging.module.ts';
import { ScoresModule } from '../scores/scores.module.ts';
import { PlanProgress } from './plan-progress.service.ts';
import { PlannedIds } from './planned-ids.service.ts';
import { PlansController } from './plans.controller.ts';
import { PlansRepository } from './plans.repository.ts';
import { PlansService } from './plans.service.ts';

@Module({
  imports: [FindingActsModule, OrganizationModule, PagingModule, ScoresModule],
  controllers: [PlansController],
  providers: [PlansRepository, PlannedIds, PlansService, PlanProgress],
})
export class PlansModule {}
