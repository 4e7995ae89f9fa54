import { BadRequestException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { bestFixes, isoTime, posture2, type ScoringChoice } from '#libs/domain';
import { EMPTY_SCORE_SUMS, PageCatalogue, type ReadingInstant, readSubjects } from '#libs/scores';
import type { RowLimits } from '#libs/tables';
import { withAssetNames } from './asset-names.ts';
import type { BestFixesDto, FixesQuery } from './fixes.dto.ts';
import { type FixableAssets, FixesRepository } from './fixes.repository.ts';
import { groupOf } from './score-history.dto.ts';
import { ScoreSlots } from './score-slots.ts';
import { ScoringChoices } from './scoring-choices.ts';

/** Looks for the fixes that lower a score most. */
@Injectable()
export class Fixes {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly assets: FixesRepository,
    private readonly slots: ScoreSlots,
    private readonly choices: ScoringChoices,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws NotFoundException; BadRequestException for several groups; RetryLaterException if too many ask */
  async best(query: FixesQuery, rows: RowLimits): Promise<BestFixesDto> {
    const group = groupOf(query);
    if (query.assetId === undefined) {
      return this.slots.run(async () =>
        this.bestOf(await this.assets.fixable(group, rows, this.clock()), this.present(), query.limit),
      );
    }
    if (group) throw new BadRequestException(`assetId cannot be combined with ${group.kind}`);
    const assetNo = await this.assets.assetNo(query.assetId, rows);
    if (assetNo === undefined) throw new NotFoundException(`no live asset has the id ${query.assetId}`);
    const asset = { assetNos: [assetNo], others: EMPTY_SCORE_SUMS };
    return this.slots.run(() => this.bestOf(asset, this.present(), query.limit));
  }

  /** Of the organization at an instant. @throws RetryLaterException if too many ask */
  bestAt(instant: ReadingInstant, limit: number): Promise<BestFixesDto> {
    return this.slots.run(async () => this.bestOf(await this.assets.fixableAt(instant.at), instant, limit));
  }

  private readonly present = (): ReadingInstant => ({ at: this.clock(), isPast: false });

  private async bestOf(
    { assetNos, others }: FixableAssets,
    instant: ReadingInstant,
    limit: number,
  ): Promise<BestFixesDto> {
    const { at, isPast } = instant;
    const choice = await this.choices.at(isPast ? at : null);
    const catalogue = new PageCatalogue(at);
    const withPast = choice.model === 'posture-2';
    const subjects = this.subjects(assetNos, instant, withPast, catalogue);
    const { score, findings, cves } = await bestBy(choice, subjects, catalogue, at, {
      unchanged: others,
      limit,
    });
    return {
      score,
      findings: await withAssetNames(this.db, findings, at),
      cves: await withAssetNames(this.db, cves, at),
      at: isoTime(at),
      model: choice.model,
    };
  }

  private async *subjects(
    assetNos: number[],
    instant: ReadingInstant,
    withPast: boolean,
    catalogue: PageCatalogue,
  ): AsyncGenerator<posture2.ThreatenedSubject> {
    for await (const page of readSubjects(this.db, { assetNos }, instant, { withPast })) {
      catalogue.turnTo(page.catalogues);
      yield* page.subjects;
    }
  }
}

/** By the model in force, in the words of both. */
async function bestBy(
  { model, incidentRates }: ScoringChoice,
  subjects: AsyncIterable<posture2.ThreatenedSubject>,
  catalogue: PageCatalogue,
  at: number,
  options: { unchanged: FixableAssets['others']; limit: number },
) {
  if (model === 'posture-1') return bestFixes(subjects, catalogue, at, options);
  const targeting = posture2.targetingOf(incidentRates);
  const { before, findings, cves } = await posture2.bestFixes(subjects, catalogue, at, {
    ...options,
    targeting,
  });
  const fixOf = ({ after, ...fix }: posture2.Fix) => ({ ...fix, scoreAfter: after.score ?? 0 });
  return { score: before.score, findings: findings.map(fixOf), cves: cves.map(fixOf) };
}
