import { Injectable } from '@nestjs/common';
import { posture2 } from '#libs/domain';
import type { RowLimits } from '#libs/tables';
import { groupOf } from '../scores/score-history.dto.ts';
import type { LossDto, LossFiguresDto, LossQuery, LossReason } from './loss.dto.ts';
import { type HazardousAsset, type LossBasis, LossRepository } from './loss.repository.ts';
import { LossSlot, type Simulate } from './loss-slot.ts';

/** Simulated losses of the organization or a group, at present. */
@Injectable()
export class Losses {
  constructor(
    private readonly repository: LossRepository,
    private readonly slot: LossSlot,
  ) {}

  /** @throws BadRequestException for several groups; RetryLaterException if too many ask */
  async of(query: LossQuery, rows: RowLimits): Promise<LossDto> {
    const group = groupOf(query);
    const scope = scopeOf(group);
    const now = await this.repository.basis(rows);
    if (reasonOf(now)) return { ...basisView(now, scope), loss: null };
    const known = this.slot.known<LossDto>(keyOf(now, scope));
    if (known) return known;
    return this.slot.run(async (simulate) => {
      const { basis, assets } = await this.repository.assets(group, rows);
      if (reasonOf(basis)) return { ...basisView(basis, scope), loss: null };
      const key = keyOf(basis, scope);
      const known = this.slot.known<LossDto>(key);
      if (known) return known;
      const loss = await figuresOf(assets, basis, scope, simulate);
      return this.slot.keep(key, { ...basisView(basis, scope), loss });
    });
  }
}

const keyOf = ({ version }: LossBasis, scope: string) => `loss ${version} ${scope}`;

/** Of the years of a scope. @param what which hazards the assets have */
export const yearsKeyOf = ({ version }: LossBasis, scope: string, what: string) =>
  `${what} ${version} ${scope}`;

/** As the seed has it. */
export const scopeOf = (group: ReturnType<typeof groupOf>): string =>
  group ? `${group.kind}:${group.name}` : 'organization';

export function reasonOf({ ranges, choice, isBeingScored }: LossBasis): LossReason | null {
  if (!ranges) return 'noRanges';
  if (choice.model !== 'posture-2') return 'otherModel';
  return isBeingScored ? 'beingScored' : null;
}

export const basisView = (basis: LossBasis, scope: string) => ({
  reason: reasonOf(basis),
  currency: basis.ranges?.currency ?? null,
  scope,
  position: basis.position,
});

async function figuresOf(
  assets: readonly HazardousAsset[],
  basis: LossBasis,
  scope: string,
  simulate: Simulate,
): Promise<LossFiguresDto> {
  const seed = posture2.seedOf(basis.position, scope);
  const of = async (value: keyof posture2.Interval) => {
    const given = assets.map(({ id, hazards, range }) => ({ id, hazard: hazards[value], range }));
    const years = await simulate(yearsKeyOf(basis, scope, value), given, seed, posture2.yearsOf(given));
    return { ...posture2.lossFigures(years), years: years.length };
  };
  const simulated = { low: await of('low'), best: await of('best'), high: await of('high') };
  type Figures = (typeof simulated)['best'];
  const each = (pick: (figures: Figures) => number) => posture2.mapInterval(simulated, pick);
  return {
    annualLossExpectancy: each(({ mean }) => amountOf(mean)),
    standardError: each(({ standardError }) => amountOf(standardError)),
    lossProbability: each(({ lossShare }) => lossShare),
    exceedance: posture2.EXCEEDANCES.map((probability, place) => ({
      probability,
      loss: each(({ exceedance }) => amountOf(exceedance[place]!.loss)),
    })),
    years: each(({ years }) => years),
    assets: assets.length,
    assetsWithoutRange: assets.filter(({ range }) => range === null).length,
  };
}

export const amountOf = (amount: number): number => Math.round(amount * 100) / 100;
