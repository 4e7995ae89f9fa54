import { compare, keyOf } from '../../explain/explanation.ts';
import type { Cause } from '../../explain/moment.ts';
import { IMPACT_MAX } from '../impact.ts';
import { powerOf, powerSlope } from './exact-score.ts';
import type { MixedAsset } from './mixed-asset.ts';
import { CauseNames } from './name-cause.ts';
import { BITS, MIXTURES, type Mixture, ORDER_WEIGHTS, type Party, STEPS } from './parties.ts';

/** A cause with its effect on the fourth power of an asset, in each step of its party: by the mixture that begins it. */
export interface CauseEffect {
  cause: Cause;
  party: Party;
  effects: Float64Array;
}

/** Divides the changes of an asset in all steps among its causes, one entry a cause. */
export function divideAsset(asset: MixedAsset): CauseEffect[] {
  const places = [...new Set(MIXTURES.map((mixture) => asset.reduced(mixture)))];
  const rows = changingProducts(asset, places);
  const names = new CauseNames(asset);
  const causes = new Map<string, CauseEffect>();
  for (const party of asset.changed) {
    const steps = places.filter((from) => (from & BITS[party]) === 0);
    if (party === 'asset') {
      const powerAt = (mixture: Mixture) => powerOf(asset.scoreOf(mixture));
      const effects = effectsOf(asset, party, steps, (from, to) => powerAt(to) - powerAt(from));
      if (effects) addCause(causes, { cause: names.ofAsset(), party, effects });
      continue;
    }
    const slopes = new Float64Array(MIXTURES.length);
    for (const from of steps) {
      slopes[from] = powerSlope(asset.scoreOf(from), asset.scoreOf(from | BITS[party]));
    }
    for (const [key, products] of rows) {
      const effects = effectsOf(
        asset,
        party,
        steps,
        (from, to) => squareChange(products[from]!, products[to]!) * slopes[from]!,
      );
      if (!effects) continue;
      const cause = names.ofStep({ party, from: decisiveStep(party, effects), key });
      addCause(causes, { cause, party, effects });
    }
  }
  return [...causes.values()];
}

/** h × i in each mixture, of the weaknesses and the evidence that are not the same in all, by key in order. */
function changingProducts(asset: MixedAsset, places: readonly Mixture[]): [string, Float64Array][] {
  const rows = new Map<string, Float64Array>();
  const rowOf = (key: string) => {
    let row = rows.get(key);
    if (!row) {
      row = new Float64Array(MIXTURES.length);
      rows.set(key, row);
    }
    return row;
  };
  for (const place of places) {
    const { weaknesses, evidence } = asset.threatsOf(place);
    for (const [key, { hazard, impact }] of weaknesses) rowOf(key)[place] = hazard * impact;
    for (const [key, { hazard }] of evidence) rowOf(key)[place] = hazard.best * IMPACT_MAX;
  }
  const [first] = places;
  return [...rows]
    .filter(([, row]) => places.some((place) => row[place] !== row[first!]))
    .sort(([a], [b]) => compare(a, b));
}

function addCause(causes: Map<string, CauseEffect>, one: CauseEffect): void {
  const key = keyOf(one.cause);
  const known = causes.get(key);
  if (!known) causes.set(key, one);
  else for (let from = 0; from < MIXTURES.length; from++) known.effects[from]! += one.effects[from]!;
}

/**
 * The effect of each step of a party; null if it has none in any. Parties that do not differ have no effect on it.
 * @param steps the mixtures without the party, and without the parties that do not differ
 */
function effectsOf(
  asset: MixedAsset,
  party: Party,
  steps: readonly Mixture[],
  effectOf: (from: Mixture, to: Mixture) => number,
): Float64Array | null {
  let effects: Float64Array | null = null;
  for (const from of steps) {
    const effect = effectOf(from, from | BITS[party]);
    if (effect === 0) continue;
    effects ??= new Float64Array(MIXTURES.length);
    effects[from] = effect;
  }
  if (effects) for (const from of STEPS[party]) effects[from] = effects[asset.reduced(from)]!;
  return effects;
}

/** Of two integers up to 2⁴², without loss of digits. */
const squareChange = (before: number, after: number): number => (after - before) * (after + before);

function decisiveStep(party: Party, effects: Float64Array): Mixture {
  const part = STEPS[party].reduce((sum, from) => sum + ORDER_WEIGHTS[from]! * effects[from]!, 0);
  return (
    STEPS[party].find((from) => effects[from]! * part > 0) ??
    STEPS[party].find((from) => effects[from] !== 0)!
  );
}
