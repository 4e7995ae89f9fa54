import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { AssetsModule } from '../assets/assets.module.ts';
import { FindingsModule } from '../findings/findings.module.ts';
import { AcceptanceController } from './acceptance.controller.ts';
import { AcceptanceService } from './acceptance.service.ts';
import { ActedOnFindings } from './acted-on-findings.ts';

@Module({
  imports: [ActsModule, AssetsModule, FindingsModule],
  controllers: [AcceptanceController],
  providers: [AcceptanceService, ActedOnFindings],
})
export class AcceptanceModule {}
