import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { BoardReportModule } from '../board-report/board-report.module.ts';
import { EgressModule } from '../egress/egress.module.ts';
import { TechnicalReportModule } from '../technical-report/technical-report.module.ts';
import { ReportMakers } from './made-report.ts';
import { NextReportLook } from './next-report-look.ts';
import { ReportDeliveriesRepository } from './report-deliveries.repository.ts';
import { ReportSchedulesController } from './report-schedules.controller.ts';
import { ReportSchedulesRepository } from './report-schedules.repository.ts';
import { ReportSchedulesService } from './report-schedules.service.ts';
import { ReportSender } from './report-sender.service.ts';
import { ScheduleContents } from './schedule-contents.ts';

@Module({
  imports: [ActsModule, BoardReportModule, EgressModule, TechnicalReportModule],
  controllers: [ReportSchedulesController],
  providers: [
    NextReportLook,
    ReportDeliveriesRepository,
    ReportMakers,
    ReportSchedulesRepository,
    ReportSchedulesService,
    ReportSender,
    ScheduleContents,
  ],
})
export class ReportSchedulesModule {}
