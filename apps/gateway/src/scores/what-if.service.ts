import { BadRequestException, Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { applyWhatIf, isoTime, posture2, type ScoringChoice, storedRisk, type WhatIf } from '#libs/domain';
import {
  addScoreSums,
  EMPTY_SCORE_SUMS,
  readSubjects,
  type ScoreSums,
  type Subject,
  type SubjectPage,
  scoreSumsOf,
} from '#libs/scores';
import type { RowLimits } from '#libs/tables';
import { pointsOf } from '#libs/views';
import { groupRiskView } from './risk-view.ts';
import { ScoreSlots } from './score-slots.ts';
import { ScoringChoices } from './scoring-choices.ts';
import { type AssetIfDto, LISTED_MAX, type WhatIfDto, type WhatIfOutcomeDto } from './what-if.dto.ts';
import { WhatIfRepository } from './what-if.repository.ts';

/** Tries what fixing and accepting findings would do to scores; nothing is changed. */
@Injectable()
export class WhatIfs {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly findings: WhatIfRepository,
    private readonly slots: ScoreSlots,
    private readonly choices: ScoringChoices,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws NotFoundException; BadRequestException for nothing to try; RetryLaterException if too many ask */
  async outcome(
    { fixed = [], accepted = [], fixedCves = [] }: WhatIfDto,
    rows: RowLimits,
  ): Promise<WhatIfOutcomeDto> {
    const ids = [...fixed, ...accepted];
    if (ids.length + fixedCves.length === 0) {
      throw new BadRequestException('at least one of fixed, accepted and fixedCves must not be empty');
    }
    return this.slots.run(async () => {
      await this.findings.assertKnown(ids, rows);
      const assetNos = await this.findings.assetsOf(ids, fixedCves, rows);
      const change = { fixed: new Set(fixed), accepted: new Set(accepted), fixedCves: new Set(fixedCves) };
      return this.outcomeOn(assetNos, change, rows);
    });
  }

  private async outcomeOn(assetNos: number[], change: WhatIf, rows: RowLimits): Promise<WhatIfOutcomeDto> {
    const at = this.clock();
    const choice = await this.choices.at(null);
    const tried = new TriedAssets(choice, change, at);
    const withPast = choice.model === 'posture-2';
    for await (const page of readSubjects(this.db, { assetNos }, { at, isPast: false }, { withPast })) {
      for (const subject of page.subjects) tried.add(subject, page);
    }
    const rest = await this.findings.allWithout(assetNos, rows);
    const before = groupRiskView(choice, addScoreSums(rest, tried.before));
    const after = groupRiskView(choice, addScoreSums(rest, tried.after));
    return {
      organization: {
        score: before.score,
        scoreAfter: after.score,
        breachLikelihood: before.breachLikelihood,
        breachLikelihoodAfter: after.breachLikelihood,
        ...(choice.model === 'posture-2' && {
          likelihood: before.likelihood ?? null,
          likelihoodAfter: after.likelihood ?? null,
          expectedCompromised: before.expectedCompromised ?? null,
          expectedCompromisedAfter: after.expectedCompromised ?? null,
        }),
      },
      assets: tried.listed(),
      otherAssets: Math.max(0, tried.before.assets - LISTED_MAX),
      at: isoTime(at),
      model: choice.model,
    };
  }
}

/** Sums of the affected assets before and after the change, and the assets whose scores fall most. */
class TriedAssets {
  before: ScoreSums = EMPTY_SCORE_SUMS;
  after: ScoreSums = EMPTY_SCORE_SUMS;
  private best: AssetIfDto[] = [];

  constructor(
    private readonly choice: ScoringChoice,
    private readonly change: WhatIf,
    private readonly at: number,
  ) {}

  add(subject: Subject, { catalogues }: SubjectPage): void {
    const catalogue = catalogues.at(this.at);
    const risk = storedRisk(this.choice, subject, catalogue, this.at);
    const riskAfter = storedRisk(this.choice, this.changed(subject, catalogue), catalogue, this.at);
    this.before = addScoreSums(this.before, scoreSumsOf(risk));
    this.after = addScoreSums(this.after, scoreSumsOf(riskAfter));
    const { id: assetId, name } = subject.asset;
    this.best.push({ assetId, name, score: pointsOf(risk.score), scoreAfter: pointsOf(riskAfter.score) });
    if (this.best.length >= 2 * LISTED_MAX) this.best = this.listed();
  }

  private changed(subject: Subject, catalogue: posture2.ThreatCatalogue): posture2.ThreatenedSubject {
    return this.choice.model === 'posture-1'
      ? applyWhatIf(subject, this.change, catalogue)
      : posture2.applyWhatIf(subject, this.change, catalogue, this.at);
  }

  listed(): AssetIfDto[] {
    return this.best.sort(byFall).slice(0, LISTED_MAX);
  }
}

const fallOf = ({ score, scoreAfter }: AssetIfDto) => (score ?? 0) - (scoreAfter ?? 0);

const byFall = (a: AssetIfDto, b: AssetIfDto) =>
  fallOf(b) - fallOf(a) || (a.assetId < b.assetId ? -1 : Number(a.assetId > b.assetId));
