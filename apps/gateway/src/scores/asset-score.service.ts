import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { catalogueName, readCatalogues } from '#libs/catalogue-store';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import {
  type Asset,
  type ContributionRange,
  HUNDREDTHS,
  isoTime,
  posture2,
  type ScoringChoice,
  scoreAsset,
} from '#libs/domain';
import { cvesOf, type ReadingInstant, subjectsOf } from '#libs/scores';
import type { RowLimits } from '#libs/tables';
import { AssetsRepository } from '../assets/assets.repository.ts';
import { AssetsAsOfRepository } from '../assets/assets-as-of.repository.ts';
import { pastInstant } from '../paging/as-of.ts';
import { assertHistoryKept } from '../paging/kept-history.ts';
import { decodeKeys, pageFrom } from '../paging/page.ts';
import { ActiveFindingsRepository } from './active-findings.repository.ts';
import type { AssetScoreDto, AssetScoreQuery } from './asset-score.dto.ts';
import { likelihoodView } from './risk-view.ts';
import { ScoreSlots } from './score-slots.ts';
import { ScoringChoices } from './scoring-choices.ts';

/** Findings of an asset whose score needs no slot: about 0.2 s. */
const FINDINGS_WITHOUT_SLOT = 2_000;

/** Scores an asset from its findings on request, with the catalogues of that time: exact at every instant. */
@Injectable()
export class AssetScores {
  constructor(
    private readonly assets: AssetsRepository,
    private readonly assetsAsOf: AssetsAsOfRepository,
    private readonly findings: ActiveFindingsRepository,
    private readonly choices: ScoringChoices,
    private readonly slots: ScoreSlots,
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws NotFoundException; also if there was no such asset yet at `asOf`. BadRequestException if the cursor
   *   belongs to another list. RetryLaterException (429) for a large asset, if too many scores are computed
   */
  async score(id: string, { asOf, limit, cursor }: AssetScoreQuery, rows: RowLimits): Promise<AssetScoreDto> {
    const keys = decodeKeys(cursor, 'rank', 'uuid');
    const range = { after: keys && { share: keys[0], findingId: keys[1] }, limit: limit + 1 };
    const now = this.clock();
    const past = pastInstant(asOf, now);
    const row = past === null ? await this.assets.find(id, rows) : await this.assetsAsOf.find(id, past, rows);
    if (!row) throw new NotFoundException(`no asset ${past === null ? 'has' : 'had'} the id ${id}`);
    const at = past ?? now;
    const choice = await this.choices.at(past);
    const compute = () =>
      choice.model === 'posture-1'
        ? this.byPosture1(row, past, now, range)
        : this.byPosture2(row.assetNo, { at, isPast: past !== null }, choice, range);
    const isLarge = await this.findings.areMoreThan(FINDINGS_WITHOUT_SLOT, row.assetNo);
    const score = await (isLarge ? this.slots.run(compute) : compute());
    if (past !== null) await assertHistoryKept(this.db, past);
    const { items: contributions, nextCursor } = pageFrom(
      score.contributions,
      limit,
      ({ share, findingId }) => [Math.round(share * HUNDREDTHS), findingId],
      (contribution) => contribution,
    );
    const catalogue = await catalogueName(this.db, at);
    return { ...score, contributions, nextCursor, catalogue, at: isoTime(at) };
  }

  private async byPosture1(
    { assetNo, asset }: { assetNo: number; asset: Asset },
    past: number | null,
    now: number,
    range: ContributionRange,
  ) {
    const findings =
      past === null ? await this.findings.present(assetNo, now) : await this.findings.past(asset.id, past);
    const at = past ?? now;
    const catalogues = await readCatalogues(this.db, cvesOf([{ findings }]), at);
    return scoreAsset({ asset, findings }, catalogues.at(at), at, range);
  }

  /** A deleted asset has no score. */
  private async byPosture2(
    assetNo: number,
    instant: ReadingInstant,
    { incidentRates }: ScoringChoice,
    range: ContributionRange,
  ) {
    const { at } = instant;
    const [subject] = await subjectsOf(this.db, [assetNo], {}, instant, { withPast: true });
    if (!subject) return UNSCORED;
    const catalogues = await readCatalogues(this.db, cvesOf([subject]), at);
    const targeting = posture2.targetingOf(incidentRates);
    const { likelihoods, contributions, ...score } = posture2.scoreAsset(
      subject,
      catalogues.at(at),
      at,
      targeting,
      range,
    );
    return {
      ...score,
      likelihood: likelihoodView(likelihoods),
      contributions: contributions.map(({ likelihood: probability, ...one }) => ({ ...one, probability })),
    };
  }
}

const UNSCORED = {
  model: posture2.POSTURE_2,
  score: null,
  band: null,
  breachLikelihood: null,
  likelihood: null,
  contributions: [],
  contributionCount: 0,
  malformedVectors: 0,
};
