import { Module } from '@nestjs/common';
import { AssetsModule } from '../assets/assets.module.ts';
import { FindingsModule } from '../findings/findings.module.ts';
import { ReportPagesModule } from '../report-pages/report-pages.module.ts';
import { TechnicalReportController } from './technical-report.controller.ts';
import { TechnicalReports } from './technical-report.service.ts';

@Module({
  imports: [AssetsModule, FindingsModule, ReportPagesModule],
  controllers: [TechnicalReportController],
  providers: [TechnicalReports],
  exports: [TechnicalReports],
})
export class TechnicalReportModule {}
