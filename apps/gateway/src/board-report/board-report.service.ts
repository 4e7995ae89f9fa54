import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { isoTime } from '#libs/domain';
import { TextOpener } from '#libs/sealing';
import { ALL_ROWS } from '#libs/tables';
import { type FindingFilterQuery, type FindingItemDto, FindingsQuery } from '../findings/finding.dto.ts';
import { FindingCounts } from '../findings/finding-counts.service.ts';
import { FindingsService } from '../findings/findings.service.ts';
import { Slots } from '../http/slots.ts';
import { type AsOfQuery, pastInstant } from '../paging/as-of.ts';
import { Explanations } from '../scores/explain.service.ts';
import { FixesQuery } from '../scores/fixes.dto.ts';
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

/** Composes the board report from the queries of the interface: as of an instant, from what the log says of it. */
@Injectable()
export class BoardReports {
  /** Each reads the history of many findings. */
  private readonly slots = new Slots({ max: 2, retrySeconds: 10, reason: 'score_queue' });

  constructor(
    @Inject(CLOCK) private readonly now: Clock,
    private readonly scores: Scores,
    private readonly history: ScoreHistory,
    private readonly explanations: Explanations,
    private readonly fixes: Fixes,
    private readonly findings: FindingsService,
    private readonly counts: FindingCounts,
    private readonly opener: TextOpener,
  ) {}

  /**
   * Sealed texts are opened.
   * @throws RetryLaterException if two reports are in progress; GoneException if the history of the instant was removed
   */
  report(query: AsOfQuery): Promise<BoardReportDto> {
    return this.slots.run(async () => this.opener.value(await this.compose(query)));
  }

  private async compose({ asOf }: AsOfQuery): Promise<BoardReportDto> {
    const now = this.now();
    const past = pastInstant(asOf, now);
    const at = past ?? now;
    const instant = past === null ? {} : { asOf: past };
    const from = Math.max(at - PERIOD_MS, 0);
    const { items: trend } = await this.history.organization({ from, to: at }, ALL_ROWS);
    return {
      at: isoTime(at),
      from: isoTime(from),
      score: await this.scores.organization(instant),
      trend,
      movers: await this.explanations.group({ from, to: at, limit: LISTED_MAX }),
      fixes: past === null ? await this.fixes.best(new FixesQuery(), ALL_ROWS) : null,
      overdue: await this.reported({ overdue: 'true' }, 'due', past),
      endingAcceptances: await this.reported({ acceptedUntilBefore: at + PERIOD_MS }, '-severity', past),
      groups: {
        departments: await this.groups('department', instant),
        locations: await this.groups('location', instant),
        assetTypes: await this.groups('type', instant),
        attackSurfaces: await this.groups('attackSurface', instant),
      },
    };
  }

  /** @param sort only for the present, because sorting of the past is bounded by the number of findings */
  private async reported(
    filter: FindingFilterQuery,
    sort: string,
    past: number | null,
  ): Promise<ReportedFindingsDto> {
    const page = Object.assign(new FindingsQuery(), filter, { limit: LISTED_MAX });
    const query = past === null ? { ...page, sort } : { ...page, asOf: past };
    const { total } = await this.counts.count({ ...filter, ...(past !== null && { asOf: past }) }, ALL_ROWS);
    if (total === 0) return { total, findings: [] };
    const { items } = await this.findings.list(query, ALL_ROWS);
    return { total, findings: items.map(reportedFinding) };
  }

  private async groups(kind: Parameters<Scores['groups']>[0], instant: AsOfQuery) {
    const query = Object.assign(new GroupScoresQuery(), instant, { limit: LISTED_MAX });
    return (await this.scores.groups(kind, query, ALL_ROWS)).items;
  }
}

const reportedFinding = (finding: FindingItemDto): ReportedFindingDto => {
  const { id, assetId, assetName, type, name, state, severity, cves, accepted, assignee, due } = finding;
  return { id, assetId, assetName, type, name, state, severity, cves, accepted, assignee, due };
};
