import { Module } from '@nestjs/common';
import { FindingsModule } from '../findings/findings.module.ts';
import { ReportPagesModule } from '../report-pages/report-pages.module.ts';
import { ScoresModule } from '../scores/scores.module.ts';
import { BoardReportController } from './board-report.controller.ts';
import { BoardReports } from './board-report.service.ts';

@Module({
  imports: [FindingsModule, ReportPagesModule, ScoresModule],
  controllers: [BoardReportController],
  providers: [BoardReports],
  exports: [BoardReports],
})
export class BoardReportModule {}
