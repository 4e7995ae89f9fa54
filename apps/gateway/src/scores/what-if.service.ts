import { BadRequestException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import {
  addRiskSums,
  applyWhatIf,
  EMPTY_RISK_SUM,
  groupScore,
  type RiskSum,
  riskOf,
  riskSumOf,
  SCORING_MODEL,
  type WhatIf,
} from '#libs/domain';
import { readSubjects, type Subject, type SubjectPage } from '#libs/scores';
import { isoTime } from '#libs/views';
import { ScoreSlots } from './score-slots.ts';
import { type AssetIfDto, LISTED_MAX, type WhatIfDto, type WhatIfOutcomeDto } from './what-if.dto.ts';
import { WhatIfRepository } from './what-if.repository.ts';

const UNKNOWN_NAMED_MAX = 10;

/** Tries what fixing and accepting findings would do to scores; nothing is changed. */
@Injectable()
export class WhatIfs {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly findings: WhatIfRepository,
    private readonly slots: ScoreSlots,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws NotFoundException; BadRequestException for nothing to try; RetryLaterException where too many ask */
  async outcome({ fixed = [], accepted = [], fixedCves = [] }: WhatIfDto): Promise<WhatIfOutcomeDto> {
    const ids = [...fixed, ...accepted];
    if (ids.length + fixedCves.length === 0) {
      throw new BadRequestException('at least one of fixed, accepted and fixedCves must name something');
    }
    return this.slots.run(async () => {
      await this.assertKnown(ids);
      const assetNos = await this.findings.assetsOf(ids, fixedCves);
      const change = { fixed: new Set(fixed), accepted: new Set(accepted), fixedCves: new Set(fixedCves) };
      return this.outcomeOn(assetNos, change);
    });
  }

  private async assertKnown(ids: string[]): Promise<void> {
    const unknown = await this.findings.unknown([...new Set(ids)]);
    if (unknown.length === 0) return;
    const named = unknown.slice(0, UNKNOWN_NAMED_MAX).join(', ');
    const more = unknown.length > UNKNOWN_NAMED_MAX ? `, and ${unknown.length - UNKNOWN_NAMED_MAX} more` : '';
    throw new NotFoundException(`no finding has the id ${named}${more}`);
  }

  private async outcomeOn(assetNos: number[], change: WhatIf): Promise<WhatIfOutcomeDto> {
    const at = this.clock();
    const tried = new TriedAssets();
    for await (const page of readSubjects(this.db, { assetNos }, { at, isPast: false })) {
      for (const subject of page.subjects) tried.add(subject, page, change, at);
    }
    const rest = await this.findings.organizationWithout(assetNos);
    const before = groupScore(addRiskSums(rest, tried.before));
    const after = groupScore(addRiskSums(rest, tried.after));
    return {
      organization: {
        score: before.score,
        scoreAfter: after.score,
        breachLikelihood: before.breachLikelihood,
        breachLikelihoodAfter: after.breachLikelihood,
      },
      assets: tried.listed(),
      otherAssets: Math.max(0, tried.before.assets - LISTED_MAX),
      at: isoTime(at),
      model: SCORING_MODEL,
    };
  }
}

/** The assets that are touched: their sums on both sides, and those that fall most. */
class TriedAssets {
  before: RiskSum = EMPTY_RISK_SUM;
  after: RiskSum = EMPTY_RISK_SUM;
  private best: AssetIfDto[] = [];

  add(subject: Subject, { catalogues }: SubjectPage, change: WhatIf, at: number): void {
    const catalogue = catalogues.at(at);
    const score = riskOf(subject, catalogue, at);
    const scoreAfter = riskOf(applyWhatIf(subject, change, catalogue), catalogue, at);
    this.before = addRiskSums(this.before, riskSumOf(score));
    this.after = addRiskSums(this.after, riskSumOf(scoreAfter));
    const { id: assetId, name } = subject.asset;
    this.best.push({ assetId, name, score: score.score, scoreAfter: scoreAfter.score });
    if (this.best.length >= 2 * LISTED_MAX) this.best = this.listed();
  }

  listed(): AssetIfDto[] {
    return this.best.sort(byFall).slice(0, LISTED_MAX);
  }
}

const fallOf = ({ score, scoreAfter }: AssetIfDto) => (score ?? 0) - (scoreAfter ?? 0);

const byFall = (a: AssetIfDto, b: AssetIfDto) =>
  fallOf(b) - fallOf(a) || (a.assetId < b.assetId ? -1 : Number(a.assetId > b.assetId));
