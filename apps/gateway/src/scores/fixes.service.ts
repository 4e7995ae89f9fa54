import { BadRequestException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { bestFixes, EMPTY_RISK_SUM, SCORING_MODEL, type ScoringSubject } from '#libs/domain';
import { PageCatalogue, readSubjects } from '#libs/scores';
import { isoTime } from '#libs/views';
import { withAssetNames } from './asset-names.ts';
import type { BestFixesDto, FixesQuery } from './fixes.dto.ts';
import { type FixableAssets, FixesRepository } from './fixes.repository.ts';
import { groupOf } from './score-history.dto.ts';
import { ScoreSlots } from './score-slots.ts';

/** Looks for the fixes that lower a score most. */
@Injectable()
export class Fixes {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly assets: FixesRepository,
    private readonly slots: ScoreSlots,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws NotFoundException; BadRequestException for several groups; RetryLaterException where too many ask */
  async best(query: FixesQuery): Promise<BestFixesDto> {
    const group = groupOf(query);
    if (query.assetId === undefined) {
      return this.slots.run(async () =>
        this.bestOf(await this.assets.fixable(group, this.clock()), query.limit),
      );
    }
    if (group) throw new BadRequestException(`assetId: not together with ${group.kind}`);
    const assetNo = await this.assets.assetNo(query.assetId);
    if (assetNo === undefined) throw new NotFoundException(`no live asset has the id ${query.assetId}`);
    return this.bestOf({ assetNos: [assetNo], others: EMPTY_RISK_SUM }, query.limit);
  }

  private async bestOf({ assetNos, others }: FixableAssets, limit: number): Promise<BestFixesDto> {
    const at = this.clock();
    const catalogue = new PageCatalogue(at);
    const subjects = this.subjects(assetNos, at, catalogue);
    const { score, findings, cves } = await bestFixes(subjects, catalogue, at, { unchanged: others, limit });
    return {
      score,
      findings: await withAssetNames(this.db, findings),
      cves: await withAssetNames(this.db, cves),
      at: isoTime(at),
      model: SCORING_MODEL,
    };
  }

  private async *subjects(
    assetNos: number[],
    at: number,
    catalogue: PageCatalogue,
  ): AsyncGenerator<ScoringSubject> {
    for await (const page of readSubjects(this.db, { assetNos }, { at, isPast: false })) {
      catalogue.turnTo(page.catalogues);
      yield* page.subjects;
    }
  }
}
