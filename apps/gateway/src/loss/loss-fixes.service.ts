import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { posture2 } from '#libs/domain';
import { PageCatalogue, readSubjects } from '#libs/scores';
import { ALL_ROWS, type RowLimits } from '#libs/tables';
import { withAssetNames } from '../scores/asset-names.ts';
import { groupOf } from '../scores/score-history.dto.ts';
import { WhatIfRepository } from '../scores/what-if.repository.ts';
import type { LossFixDto, LossFixesDto, LossFixesQuery } from './loss.dto.ts';
import { type HazardousAsset, type LossBasis, LossRepository } from './loss.repository.ts';
import { amountOf, basisView, reasonOf, scopeOf, yearsKeyOf } from './loss.service.ts';
import { LossSlot, type Simulate } from './loss-slot.ts';

/** Looks for the fixes that avoid most loss. */
@Injectable()
export class LossFixes {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly repository: LossRepository,
    private readonly touched: WhatIfRepository,
    private readonly slot: LossSlot,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws BadRequestException for several groups; RetryLaterException if too many ask */
  async best(query: LossFixesQuery, rows: RowLimits): Promise<LossFixesDto> {
    const group = groupOf(query);
    const scope = scopeOf(group);
    const now = await this.repository.basis(rows);
    if (reasonOf(now)) return { ...basisView(now, scope), fixes: null };
    const keyOf = ({ version }: LossBasis) => `fixes ${query.limit} ${version} ${scope}`;
    const known = this.slot.known<LossFixesDto>(keyOf(now));
    if (known) return known;
    return this.slot.run(async (simulate) => {
      const { basis, assets } = await this.repository.assets(group, rows);
      if (reasonOf(basis)) return { ...basisView(basis, scope), fixes: null };
      const result = this.slot.known<LossFixesDto>(keyOf(basis));
      if (result) return result;
      const fixes = await this.fixesOf(assets, basis, scope, query.limit, simulate);
      return this.slot.keep(keyOf(basis), { ...basisView(basis, scope), fixes });
    });
  }

  private async fixesOf(
    hazardous: readonly HazardousAsset[],
    basis: LossBasis,
    scope: string,
    limit: number,
    simulate: Simulate,
  ): Promise<LossFixDto[]> {
    const targeting = posture2.targetingOf(basis.choice.incidentRates);
    const assets = hazardous.map(({ id, hazards, range }) => ({ id, hazard: hazards.best, range }));
    const known = new Map(assets.map((one) => [one.id, one]));
    const whole = assets.map(posture2.lossSumsOf).reduce(posture2.addLossSums, posture2.NO_LOSS_SUMS);
    const all = hazardous.map(({ assetNo }) => assetNo);
    const likely = await posture2.likelyFixes(this.effects(all, known, targeting), whole, limit);
    const after = await this.hazardsAfter(likely, known, targeting);
    const years = posture2.yearsOf(assets);
    const seed = posture2.seedOf(basis.position, scope);
    const simulated = (what: string, of: readonly posture2.LossAsset[]) =>
      simulate(yearsKeyOf(basis, scope, what), of, seed, years);
    const before = await simulated('best', assets);
    const fixes: Omit<LossFixDto, 'assetName'>[] = [];
    for (const fix of likely) {
      const name = `${fix.kind} ${fix.id}`;
      const fixed = after.get(name);
      if (!fixed) continue;
      const without = assets.map((one) => ({ ...one, hazard: fixed.get(one.id) ?? one.hazard }));
      const avoided = posture2.avoidedLoss(before, await simulated(name, without));
      fixes.push({
        ...fix,
        avoidedLoss: avoided.isDifferent ? Math.max(0, amountOf(avoided.mean)) : 0,
        standardError: amountOf(avoided.standardError),
      });
    }
    fixes.sort((a, b) => b.avoidedLoss - a.avoidedLoss || (a.id < b.id ? -1 : 1));
    return withAssetNames(this.db, fixes, this.clock());
  }

  /** The hazard of each asset that a fix changes. */
  private async hazardsAfter(
    fixes: readonly posture2.LossFix[],
    known: ReadonlyMap<string, posture2.LossAsset>,
    targeting: posture2.Targeting,
  ): Promise<Map<string, Map<string, number>>> {
    const idsOf = (wanted: string) => fixes.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    const assetNos = await this.touched.assetsOf(idsOf('finding'), idsOf('cve'), ALL_ROWS);
    const after = new Map(fixes.map(({ kind, id }) => [`${kind} ${id}`, new Map<string, number>()]));
    for await (const { assetId, fixes: possible } of this.effects(assetNos, known, targeting)) {
      for (const { kind, id, hazard } of possible) after.get(`${kind} ${id}`)?.set(assetId, hazard);
    }
    return after;
  }

  /** Of assets whose stored score is the present one: others wait to be scored. */
  private async *effects(
    assetNos: number[],
    known: ReadonlyMap<string, posture2.LossAsset>,
    targeting: posture2.Targeting,
  ): AsyncGenerator<posture2.LossEffects> {
    const at = this.clock();
    const pages = readSubjects(this.db, { assetNos }, { at, isPast: false }, { withPast: true });
    for await (const { subjects, catalogues } of pages) {
      const catalogue = new PageCatalogue(at);
      catalogue.turnTo(catalogues);
      for (const subject of subjects) {
        const stored = known.get(subject.asset.id);
        if (!stored) continue;
        const effects = posture2.lossEffects(subject, stored.range, catalogue, at, targeting);
        if (effects.hazard === stored.hazard) yield effects;
      }
    }
  }
}
