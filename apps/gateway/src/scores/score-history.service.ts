import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { groupScore, SCORING_MODEL } from '#libs/domain';
import { isoTime, likelihoodOf, pointsOf } from '#libs/views';
import { AssetsRepository } from '../assets/assets.repository.ts';
import { type AsOfPageQuery, pastInstant } from '../paging/as-of.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { historyPoints } from './history-points.ts';
import {
  groupOf,
  type ScoreHistoryDto,
  type ScoreHistoryQuery,
  type ScorePeriodDto,
} from './score-history.dto.ts';
import { ScoreHistoryRepository, type ScorePeriod } from './score-history.repository.ts';

/** What scores were over time. */
@Injectable()
export class ScoreHistory {
  constructor(
    private readonly history: ScoreHistoryRepository,
    private readonly assets: AssetsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws BadRequestException for a time without points or with too many, and for more than one group */
  async organization(query: ScoreHistoryQuery): Promise<ScoreHistoryDto> {
    const group = groupOf(query);
    const points = historyPoints(query, this.clock());
    const sums = await this.history.sumsAt(points, group);
    return {
      items: points.map((at, i) => ({ at: isoTime(at), ...groupScore(sums[i]!) })),
      nextCursor: null,
      model: SCORING_MODEL,
    };
  }

  /** @throws NotFoundException; BadRequestException where the cursor is none of this list's */
  async asset(id: string, { asOf, limit, cursor }: AsOfPageQuery): Promise<Page<ScorePeriodDto>> {
    const now = this.clock();
    const until = pastInstant(asOf, now) ?? now;
    const before = decodeKeys(cursor, 'time')?.[0] ?? null;
    const row = await this.assets.find(id);
    if (!row) throw new NotFoundException(`no asset has the id ${id}`);
    const rows = await this.history.ofAsset(row.assetNo, until, before, limit + 1);
    return pageFrom(
      rows,
      limit,
      ({ from }) => [from],
      (period) => periodView(period, until),
    );
  }
}

/** As it was at an instant: what had not ended by then lasted. */
const periodView = (
  { from, to, score, likelihood, ...groups }: ScorePeriod,
  until: number,
): ScorePeriodDto => ({
  from: isoTime(from),
  to: to > until ? null : isoTime(to),
  score: pointsOf(score),
  breachLikelihood: likelihoodOf(likelihood),
  ...groups,
});
