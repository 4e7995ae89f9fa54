import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { choiceAt, isoTime, modelChanges } from '#libs/domain';
import { type RowLimits, seesAllRows } from '#libs/tables';
import { breachLikelihoodOf, pointsOf } from '#libs/views';
import { AssetsRepository } from '../assets/assets.repository.ts';
import { AssetsAsOfRepository } from '../assets/assets-as-of.repository.ts';
import { type AsOfPageQuery, pastInstant } from '../paging/as-of.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { historyPoints } from './history-points.ts';
import { groupRiskView, storedLikelihoodView } from './risk-view.ts';
import {
  groupOf,
  type ScoreHistoryDto,
  type ScoreHistoryQuery,
  type ScorePeriodDto,
} from './score-history.dto.ts';
import { ScoreHistoryRepository, type ScorePeriod } from './score-history.repository.ts';
import { ScoringChoices } from './scoring-choices.ts';
import { assertSeesGroup } from './visible-groups.ts';

/** Scores over time. */
@Injectable()
export class ScoreHistory {
  constructor(
    private readonly history: ScoreHistoryRepository,
    private readonly assets: AssetsRepository,
    private readonly assetsAsOf: AssetsAsOfRepository,
    private readonly choices: ScoringChoices,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws BadRequestException for a time without points or with too many, and for more than one group */
  async organization(query: ScoreHistoryQuery, rows: RowLimits): Promise<ScoreHistoryDto> {
    const group = groupOf(query);
    assertSeesGroup(rows, group);
    const now = this.clock();
    const points = historyPoints(query, now);
    const sums = await this.history.sumsAt(points, group);
    const choices = await this.choices.timeline();
    const items = points.map((at, i) => {
      const choice = choiceAt(choices, at);
      return { at: isoTime(at), ...groupRiskView(choice, sums[i]!), model: choice.model };
    });
    const changes = modelChanges(choices, points[0]!, Math.min(query.to ?? now, now));
    return {
      items,
      nextCursor: null,
      model: items.at(-1)!.model,
      modelChanges: changes.map(({ from, value }) => ({ at: isoTime(from), model: value })),
    };
  }

  /** @throws NotFoundException; BadRequestException if the cursor belongs to another list */
  async asset(
    id: string,
    { asOf, limit, cursor }: AsOfPageQuery,
    rowLimits: RowLimits,
  ): Promise<Page<ScorePeriodDto>> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const until = past ?? now;
    const before = decodeKeys(cursor, 'time')?.[0] ?? null;
    const row =
      past === null || seesAllRows(rowLimits)
        ? await this.assets.find(id, rowLimits)
        : await this.assetsAsOf.find(id, past, rowLimits);
    if (!row) throw new NotFoundException(`no asset has the id ${id}`);
    const rows = await this.history.ofAsset(row.assetNo, rowLimits, until, before, limit + 1);
    return pageFrom(
      rows,
      limit,
      ({ from }) => [from],
      (period) => periodView(period, until),
    );
  }
}

/** As of an instant: rows that had not ended by that time have no end. */
function periodView(period: ScorePeriod, until: number): ScorePeriodDto {
  const { from, to, score, likelihood, likelihoodLow, likelihoodBest, likelihoodHigh, ...facts } = period;
  return {
    from: isoTime(from),
    to: to > until ? null : isoTime(to),
    score: pointsOf(score),
    breachLikelihood: breachLikelihoodOf(likelihood, likelihoodBest),
    ...storedLikelihoodView(facts.model, { likelihoodLow, likelihoodBest, likelihoodHigh }),
    ...facts,
  };
}
