import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { isoTimeOrNull } from '#libs/domain';
import type { RowLimits } from '#libs/tables';
import { breachLikelihoodOf, pointsOf } from '#libs/views';
import { pastInstant } from '../paging/as-of.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { type RankedAsset, RankedAssetsRepository } from './ranked-assets.repository.ts';
import { storedLikelihoodView } from './risk-view.ts';
import { type ScoredAt, ScoredInstants } from './scored-at.ts';
import type { AssetScoreItemDto, AssetScoresQuery } from './scores.dto.ts';
import { ScoringChoices } from './scoring-choices.ts';

/** Assets in the order of their scores, now or at an instant. */
@Injectable()
export class AssetRanking {
  constructor(
    private readonly assets: RankedAssetsRepository,
    private readonly instants: ScoredInstants,
    private readonly choices: ScoringChoices,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws BadRequestException if the cursor belongs to another list */
  async list(
    { asOf, limit, cursor, ...given }: AssetScoresQuery,
    visible: RowLimits,
  ): Promise<Page<AssetScoreItemDto>> {
    const filter = { ...given, rows: visible };
    const past = pastInstant(asOf, this.clock());
    const keys = decodeKeys(cursor, 'rank', 'number');
    const after = keys && { rank: keys[0], assetNo: keys[1] };
    const rows =
      past === null
        ? await this.assets.present(filter, after, limit + 1)
        : await this.assets.past(filter, past, after, limit + 1);
    const scoredAt = await this.instants.scoredAt(past, await this.choices.at(past), visible);
    return pageFrom(
      rows,
      limit,
      ({ score, assetNo }) => [score ?? -1, assetNo],
      (row) => itemOf(row, scoredAt),
    );
  }
}

function itemOf({ assetNo: _, id, ...row }: RankedAsset, scoredAt: ScoredAt): AssetScoreItemDto {
  const { score, likelihood, likelihoodLow, likelihoodBest, likelihoodHigh, model, since, ...facts } = row;
  const by = model ?? scoredAt.model;
  return {
    assetId: id,
    ...facts,
    score: pointsOf(score),
    breachLikelihood: breachLikelihoodOf(likelihood, likelihoodBest),
    ...storedLikelihoodView(by, { likelihoodLow, likelihoodBest, likelihoodHigh }),
    since: isoTimeOrNull(since),
    ...scoredAt,
    model: by,
  };
}
