import type { CausePart } from '../../explain/explanation.ts';
import { compare, keyOf } from '../../explain/explanation.ts';
import type { Cause } from '../../explain/moment.ts';
import type { CauseEffect } from './asset-division.ts';
import { rootSlope } from './exact-score.ts';
import { Largest } from './largest.ts';
import { OrderFreeSums } from './order-free-sums.ts';
import { BEGIN, BITS, byParty, END, MIXTURES, ORDER_WEIGHTS, PARTIES, type Party, STEPS } from './parties.ts';

/** Causes of single assets that are distinguished, and assets that leave or join. */
const DISTINGUISHED_MAX = 10_000;

interface Distinguishing {
  distinguished?: number | undefined;
  together?: ReadonlySet<string> | undefined;
}

interface KeptCause extends CauseEffect {
  key: string;
  size: number;
}

/** Many causes as one, of a party. */
interface MergedCauses {
  causes: number;
  effects: OrderFreeSums;
}

interface CommonCause extends MergedCauses {
  cause: Cause;
  party: Party;
}

/** Gathers what the assets of a group add to each step, until the whole group is known in all mixtures. */
export class MovingGroup {
  /** Fourth powers of the assets that are in the group on both sides and have a change, in each mixture. */
  private readonly powers = new OrderFreeSums(MIXTURES.length);
  private readonly common = new Map<string, CommonCause>();
  private readonly rest: Readonly<Record<Party, MergedCauses>>;
  private readonly single: Largest<KeptCause>;
  private readonly leaving: PassingAssets;
  private readonly joining: PassingAssets;
  private readonly together: ReadonlySet<string>;

  /**
   * @param assets on both sides
   * @param unchanged sum of the fourth powers of those without a change
   * @param together ids of causes that are distinguished in any case
   */
  constructor(
    private assets: number,
    private readonly unchanged: number,
    { distinguished = DISTINGUISHED_MAX, together = new Set() }: Distinguishing = {},
  ) {
    this.together = together;
    this.leaving = new PassingAssets(distinguished);
    this.joining = new PassingAssets(distinguished);
    this.rest = byParty(() => ({ causes: 0, effects: new OrderFreeSums(MIXTURES.length) }));
    this.single = new Largest(distinguished, ({ party, effects }) => addTo(this.rest[party], effects));
  }

  /** An asset that is in the group on both sides. @param powers its fourth power in each mixture */
  addStaying(powers: Float64Array, causes: readonly CauseEffect[]): void {
    this.assets++;
    this.powers.addAll(powers);
    for (const one of causes) {
      if (one.cause.assetId === null || this.together.has(one.cause.id)) this.addCommon(one);
      else this.single.add({ ...one, key: keyOf(one.cause), size: sizeOf(one) });
    }
  }

  addLeaving(cause: Cause, power: number): void {
    this.leaving.add(cause, power);
  }

  addJoining(cause: Cause, power: number): void {
    this.joining.add(cause, power);
  }

  /** Parts of the difference in hundredths, before rounding, in the order of the causes; the rest is summed up. */
  parts(): { parts: CausePart[]; rest: { causes: number; part: number } } {
    const weights = byParty((party) => this.stepWeights(party));
    const partOf = (party: Party, effectAt: (from: number) => number) =>
      STEPS[party].reduce((sum, from) => sum + weights[party][from]! * effectAt(from), 0);
    const passed = [
      this.leaving.parts(this.assets, this.mean(BEGIN), -1),
      this.joining.parts(this.assets, this.mean(END), 1),
    ];
    // Gives away what is not kept, before the rest is read.
    const kept = this.single.kept();
    const merged = PARTIES.map((party) => ({
      causes: this.rest[party].causes,
      part: partOf(party, (from) => this.rest[party].effects.at(from)),
    }));
    const parts = [
      ...passed.flatMap((one) => one.parts),
      ...kept.map(({ cause, party, effects }) => ({ cause, part: partOf(party, (from) => effects[from]!) })),
      ...[...this.common.values()].map(({ cause, party, effects }) => ({
        cause,
        part: partOf(party, (from) => effects.at(from)),
      })),
    ];
    const rests = [...passed.map((one) => one.rest), ...merged];
    return {
      parts: parts.sort((a, b) => compare(keyOf(a.cause), keyOf(b.cause))),
      rest: {
        causes: rests.reduce((sum, { causes }) => sum + causes, 0),
        part: rests.reduce((sum, { part }) => sum + part, 0),
      },
    };
  }

  private addCommon({ cause, party, effects }: CauseEffect): void {
    const key = `${party} ${keyOf(cause)}`;
    let known = this.common.get(key);
    if (!known) {
      known = { cause, party, causes: 0, effects: new OrderFreeSums(MIXTURES.length) };
      this.common.set(key, known);
    }
    addTo(known, effects);
  }

  /** Mean of the fourth powers of the assets on both sides. */
  private mean(mixture: number): number {
    return this.assets === 0 ? 0 : Math.max(0, this.unchanged + this.powers.at(mixture)) / this.assets;
  }

  /** Hundredths of the score for a unit of fourth power of one asset, in each step of a party. */
  private stepWeights(party: Party): Float64Array {
    const weights = new Float64Array(MIXTURES.length);
    if (this.assets === 0) return weights;
    for (const from of STEPS[party]) {
      const slope = rootSlope(this.mean(from), this.mean(from | BITS[party]));
      weights[from] = (ORDER_WEIGHTS[from]! * slope) / this.assets;
    }
    return weights;
  }
}

function addTo(merged: MergedCauses, effects: Float64Array): void {
  merged.causes++;
  merged.effects.addAll(effects);
}

const sizeOf = ({ party, effects }: CauseEffect): number =>
  STEPS[party].reduce((sum, from) => sum + ORDER_WEIGHTS[from]! * Math.abs(effects[from]!), 0);

interface PassingAsset {
  key: string;
  /** Its fourth power. */
  size: number;
  cause: Cause;
}

/** The assets that are in the group on one side only. */
class PassingAssets {
  private readonly powers = new OrderFreeSums(1);
  private readonly rest = { assets: 0, powers: new OrderFreeSums(1) };
  private readonly largest: Largest<PassingAsset>;
  private assets = 0;

  constructor(distinguished: number) {
    this.largest = new Largest(distinguished, ({ size }) => {
      this.rest.assets++;
      this.rest.powers.add(0, size);
    });
  }

  add(cause: Cause, power: number): void {
    this.assets++;
    this.powers.add(0, power);
    this.largest.add({ key: keyOf(cause), size: power, cause });
  }

  /** @param staying other assets of the group @param mean of their fourth powers @param sign −1 if they leave */
  parts(
    staying: number,
    mean: number,
    sign: 1 | -1,
  ): { parts: CausePart[]; rest: { causes: number; part: number } } {
    const whole = staying + this.assets;
    if (this.assets === 0) return { parts: [], rest: { causes: 0, part: 0 } };
    const meanWith = (mean * staying + this.powers.at(0)) / whole;
    const perPower = (sign * rootSlope(mean, meanWith)) / whole;
    const parts = this.largest.kept().map(({ cause, size }) => ({ cause, part: perPower * (size - mean) }));
    const { assets, powers } = this.rest;
    return { parts, rest: { causes: assets, part: perPower * (powers.at(0) - assets * mean) } };
  }
}
