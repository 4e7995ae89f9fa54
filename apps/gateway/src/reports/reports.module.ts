import { Module } from '@nestjs/common';
import { SignalsModule } from '../signals/signals.module.ts';
import { ReportFormats } from './report-formats.ts';
import { ReportWorkers } from './report-workers.ts';
import { ReportsController } from './reports.controller.ts';
import { ReportsService } from './reports.service.ts';

@Module({
  imports: [SignalsModule],
  controllers: [ReportsController],
  providers: [ReportFormats, ReportsService, ReportWorkers],
  exports: [ReportFormats, ReportsService],
})
export class ReportsModule {}
