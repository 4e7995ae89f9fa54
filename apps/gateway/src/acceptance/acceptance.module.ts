import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { FindingActsModule } from '../finding-acts/finding-acts.module.ts';
import { FindingsModule } from '../findings/findings.module.ts';
import { AcceptanceController } from './acceptance.controller.ts';
import { AcceptanceService } from './acceptance.service.ts';

@Module({
  imports: [ActsModule, FindingActsModule, FindingsModule],
  controllers: [AcceptanceController],
  providers: [AcceptanceService],
  exports: [AcceptanceService],
})
export class AcceptanceModule {}
