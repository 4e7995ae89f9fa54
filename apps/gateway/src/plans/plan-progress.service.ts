import { ConflictException, Injectable } from '@nestjs/common';
import { HUNDREDTHS, isoTime } from '#libs/domain';
import type { LimitedCaller } from '../auth/caller.ts';
import type { AsOfQuery } from '../paging/as-of.ts';
import { Explanations } from '../scores/explain.service.ts';
import { burnDown, burnDownInstants } from './burn-down.ts';
import type { BurnDownDto, PlanOutcomeDto } from './plan.dto.ts';
import { PlansRepository } from './plans.repository.ts';
import { PlansService } from './plans.service.ts';

/** How far a plan is, and what it brought; both from the history. */
@Injectable()
export class PlanProgress {
  constructor(
    private readonly plans: PlansService,
    private readonly repository: PlansRepository,
    private readonly explanations: Explanations,
  ) {}

  /** @throws GoneException; NotFoundException; also if there was no such plan yet at `asOf` */
  async burnDown(id: string, { asOf }: AsOfQuery, caller: LimitedCaller): Promise<BurnDownDto> {
    const { past, now } = await this.plans.instantOf(asOf);
    const { findingIds, createdAt, finishedAt } = await this.plans.stored(id, past, caller);
    const begin = Date.parse(createdAt);
    const end = finishedAt === null ? (past ?? now) : Date.parse(finishedAt);
    const keptFrom = await this.repository.keptFrom();
    // The clock of the gateway that has added the plan can be ahead.
    const until = Math.max(begin, end);
    const from = Math.max(begin, keptFrom ?? begin);
    if (from > until) return { points: [], keptFrom: isoTime(from) };
    const findings = await this.repository.history(findingIds, caller.rows, { from, until });
    return {
      points: burnDown(findings, burnDownInstants(from, until)).map(({ at, ...counts }) => ({
        at: isoTime(at),
        ...counts,
      })),
      keptFrom: from > begin ? isoTime(from) : null,
    };
  }

  /**
   * If the whole time of the plan cannot be explained, the score at its start is the promised one.
   * @throws GoneException; NotFoundException; ConflictException if the plan has not begun; as `Explanations.group`
   */
  async outcome(id: string, { asOf }: AsOfQuery, caller: LimitedCaller): Promise<PlanOutcomeDto> {
    const { past, now } = await this.plans.instantOf(asOf);
    const { findingIds, startedAt, finishedAt, promise } = await this.plans.stored(id, past, caller);
    if (startedAt === null || promise === null) {
      throw new ConflictException('the plan has not begun: set its state to active first');
    }
    const from = Date.parse(startedAt);
    const to = finishedAt === null ? (past ?? now) : Date.parse(finishedAt);
    if (to <= from) {
      const side = { at: startedAt, score: promise.score };
      return {
        promise,
        from: side,
        to: side,
        difference: 0,
        byPlan: 0,
        byPlanFrom: startedAt,
        model: promise.model,
      };
    }
    const explainedFrom = await this.explanations.explainableFrom({ from, to });
    const { explanation, together } = await this.explanations.groupWith(
      { from: explainedFrom, to, limit: 1 },
      new Set(findingIds),
    );
    const atStart = explainedFrom === from ? explanation.from.score : promise.score;
    return {
      promise,
      from: { at: startedAt, score: atStart },
      to: { at: explanation.to.at, score: explanation.to.score },
      difference: Math.round(((explanation.to.score ?? 0) - (atStart ?? 0)) * HUNDREDTHS) / HUNDREDTHS,
      byPlan: together,
      byPlanFrom: isoTime(explainedFrom),
      model: explanation.model,
    };
  }
}
