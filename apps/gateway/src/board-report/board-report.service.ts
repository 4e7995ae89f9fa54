import { Injectable } from '@nestjs/common';
import { isoTime, OPEN_STATES, type Sla } from '#libs/domain';
import type { ReadingInstant } from '#libs/scores';
import { TextOpener } from '#libs/sealing';
import { ALL_ROWS } from '#libs/tables';
import type { FindingDto, FindingFilterQuery } from '../findings/finding.dto.ts';
import { FindingCounts } from '../findings/finding-counts.service.ts';
import { FindingsService } from '../findings/findings.service.ts';
import { SettingsAtRepository } from '../findings/settings-at.repository.ts';
import { Slots } from '../http/slots.ts';
import type { AsOfQuery } from '../paging/as-of.ts';
import type { PastReader } from '../paging/past-reads.ts';
import { ReportInstants } from '../report-pages/report-instants.ts';
import { requestOf } from '../report-pages/request-of.ts';
import { Explanations } from '../scores/explain.service.ts';
import { Fixes } from '../scores/fixes.service.ts';
import { ScoreHistory } from '../scores/score-history.service.ts';
import { GroupScoresQuery } from '../scores/scores.dto.ts';
import { Scores } from '../scores/scores.service.ts';
import {
  type BoardReportDto,
  LISTED_MAX,
  PERIOD_DAYS,
  type ReportedFindingDto,
  type ReportedFindingsDto,
} from './board-report.dto.ts';

const PERIOD_MS = PERIOD_DAYS * 86_400_000;

/** Composes the board report from the queries of the interface. */
@Injectable()
export class BoardReports {
  /** Each reads the history of many findings. */
  private readonly slots = new Slots({ max: 2, retrySeconds: 10, reason: 'score_queue' });

  constructor(
    private readonly instants: ReportInstants,
    private readonly scores: Scores,
    private readonly history: ScoreHistory,
    private readonly explanations: Explanations,
    private readonly fixes: Fixes,
    private readonly findings: FindingsService,
    private readonly settings: SettingsAtRepository,
    private readonly counts: FindingCounts,
    private readonly opener: TextOpener,
  ) {}

  /**
   * Sealed texts are opened.
   * @param signal ends the reading of findings before its next step, with its reason
   * @throws RetryLaterException if two reports are in progress; GoneException if the history of the instant was removed;
   * BadRequestException if it would read the history of too many findings
   */
  report({ asOf }: AsOfQuery, signal: AbortSignal): Promise<BoardReportDto> {
    const compose = (instant: ReadingInstant) => this.compose(instant, { credentialId: null, signal });
    return this.slots.run(async () => this.opener.value(await this.instants.compose(asOf, compose)));
  }

  private async compose(instant: ReadingInstant, reader: PastReader): Promise<BoardReportDto> {
    await this.findings.assertReportable({}, instant, 'omit asOf while no signals are processed');
    const { at } = instant;
    const from = Math.max(at - PERIOD_MS, 0);
    const { sla, slaBySeverityOnly } = await this.settings.slaOfReport(instant);
    const read = { instant, reader, sla };
    const { items: trend, modelChanges } = await this.history.organization({ from, to: at }, ALL_ROWS);
    return {
      request: requestOf('/api/v3/reports/board', { asOf: at }),
      at: isoTime(at),
      from: isoTime(from),
      score: await this.scores.organization({ asOf: at }),
      trend,
      modelChanges,
      movers: await this.explanations.group({
        from: await this.explanations.explainableFrom({ from, to: at }),
        to: at,
        limit: LISTED_MAX,
      }),
      fixes: await this.fixes.bestAt(instant, LISTED_MAX),
      slaBySeverityOnly,
      overdue: await this.reported({ state: OPEN_STATES, dueBefore: at }, 'due', read),
      endingAcceptances: await this.reported({ acceptedUntilBefore: at + PERIOD_MS }, '-severity', read),
      groups: {
        departments: await this.groups('department', at),
        locations: await this.groups('location', at),
        assetTypes: await this.groups('type', at),
        attackSurfaces: await this.groups('attackSurface', at),
      },
    };
  }

  private async reported(
    filter: FindingFilterQuery,
    sort: string,
    { instant, reader, sla }: { instant: ReadingInstant; reader: PastReader; sla: Sla | null },
  ): Promise<ReportedFindingsDto> {
    const { total } = await this.counts.countAt(filter, ALL_ROWS, instant, reader, sla);
    if (total === 0) return { total, findings: [] };
    const query = { ...filter, sort, limit: LISTED_MAX };
    return {
      total,
      findings: await this.findings.reported(query, ALL_ROWS, instant, reader, reportedFindings, sla),
    };
  }

  private async groups(kind: Parameters<Scores['groups']>[0], asOf: number) {
    const query = Object.assign(new GroupScoresQuery(), { asOf, limit: LISTED_MAX });
    return (await this.scores.groups(kind, query, ALL_ROWS)).items;
  }
}

const reportedFindings = async (findings: FindingDto[]): Promise<ReportedFindingDto[]> =>
  findings.map(reportedFinding);

const reportedFinding = (finding: FindingDto): ReportedFindingDto => {
  const { id, assetId, assetName, type, name, state, severity, cves, accepted, assignee, due } = finding;
  return { id, assetId, assetName, type, name, state, severity, cves, accepted, assignee, due };
};
