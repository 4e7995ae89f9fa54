import { Injectable } from '@nestjs/common';
import type { RowLimits } from '#libs/tables';
import { BoardReports } from '../board-report/board-report.service.ts';
import { boardReportPage, modelChangesOf, overdueTitleOf } from '../board-report/board-report-page.ts';
import { consoleForm } from '../query-terms/address-query.ts';
import { dayOf, timeOf } from '../report-pages/report-page.ts';
import { TechnicalReports } from '../technical-report/technical-report.service.ts';
import { limitsOf, technicalReportPage } from '../technical-report/technical-report-page.ts';
import { readReportQuery } from './report-query.ts';
import type { ReportKind } from './report-schedule.ts';

/** A report in the forms in which it is sent. */
export interface MadeReport {
  title: string;
  /** As the route returns it. */
  report: object;
  /** HTML. */
  page: string;
  fileName: string;
  /** Sentences about it. */
  summary: string[];
  /** In the console: path and query after its address. */
  link: string;
}

/** Makes reports as their routes do. */
@Injectable()
export class ReportMakers {
  constructor(
    private readonly boards: BoardReports,
    private readonly technicals: TechnicalReports,
  ) {}

  /**
   * @param query of a technical report
   * @param at epoch ms
   * @param signal ends it, with its reason
   * @throws as `BoardReports.report` and `TechnicalReports.report`
   */
  make(
    kind: ReportKind,
    query: string,
    at: number,
    rows: RowLimits,
    signal: AbortSignal,
  ): Promise<MadeReport> {
    return kind === 'board' ? this.board(at, signal) : this.technical(query, at, rows, signal);
  }

  private async board(at: number, signal: AbortSignal): Promise<MadeReport> {
    const report = await this.boards.report({ asOf: at }, signal);
    const { score } = report.score;
    const before = report.trend[0]?.score ?? null;
    const changes = modelChangesOf(report);
    return {
      ...headOf('Board report', 'board-report', report.at),
      report,
      page: boardReportPage(report),
      summary: [
        `Board report as of ${timeOf(report.at)}.`,
        score === null ? 'There is no risk score.' : `Risk score: ${score.toFixed(2)} of 100.`,
        ...changes,
        ...(before === null || changes.length > 0
          ? []
          : [`At the beginning of the period: ${before.toFixed(2)}.`]),
        `${overdueTitleOf(report)}: ${report.overdue.total}.`,
      ],
      link: 'app/',
    };
  }

  private async technical(
    query: string,
    at: number,
    rows: RowLimits,
    signal: AbortSignal,
  ): Promise<MadeReport> {
    const asked = { ...(await readReportQuery(query)), asOf: at };
    const report = await this.technicals.report(asked, rows, signal);
    const [total, listed] = [report.totals.total, report.findings.length];
    return {
      ...headOf('Technical report', 'technical-report', report.at),
      report,
      page: technicalReportPage(report),
      summary: [
        `Technical report as of ${timeOf(report.at)}.`,
        ...limitsOf(report).map(([name, value]) => `${name}: ${value}.`),
        `Findings: ${total}${listed < total ? `, of which the report has the ${listed} most severe` : ''}.`,
      ],
      link: `app/findings?${consoleForm(query)}`,
    };
  }
}

const headOf = (name: string, file: string, at: string) => ({
  title: `${name} ${dayOf(at)}`,
  fileName: `${file}-${dayOf(at)}.html`,
});
