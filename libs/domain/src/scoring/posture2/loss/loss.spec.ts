import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_TARGETING } from '../targeting.ts';
import { avoidedLoss, lossFigures } from './loss-figures.ts';
import { lognormalOf, lossRangeProblem } from './loss-range.ts';
import { inverseNormal } from './normal.ts';
import { SplitMix64, seedOf } from './random.ts';
import { RunningSums } from './running-sums.ts';
import { type LossAsset, poisson, simulateYears, YEARS, YEARS_MIN, yearsOf } from './simulate-loss.ts';
import { yearlyHazards } from './yearly-hazards.ts';

const NO_EVIDENCE = { low: 0n, best: 0n, high: 0n };
const ofWeakness = (hazard: bigint) =>
  yearlyHazards({ forecast: hazard ** 2n, evidence: NO_EVIDENCE }, DEFAULT_TARGETING);
const DETECTION = yearlyHazards(
  { forecast: 0n, evidence: { low: 0n, best: 1_625_189_295n ** 2n, high: 0n } },
  DEFAULT_TARGETING,
);
const WIDE = { min: 50_000, max: 2_000_000 };
/** The example of docs/scoring.md. */
const ASSETS: LossAsset[] = [
  { id: 'a', hazard: ofWeakness(9_236_797n).best, range: WIDE },
  { id: 'b', hazard: DETECTION.best, range: WIDE },
  { id: 'c', hazard: ofWeakness(2_780_553n).best, range: WIDE },
  { id: 'd', hazard: ofWeakness(1_847_359n).best, range: { min: 20_000, max: 500_000 } },
];
const SEED = seedOf('123456', 'organization');
const years = simulateYears(ASSETS, SEED);

describe('the generator', () => {
  it('has the seed of a log position and a scope', () => {
    expect(SEED).toBe(13049268629076945645n);
    expect(seedOf('123457', 'organization')).not.toBe(SEED);
  });

  it('computes the published numbers of SplitMix64', () => {
    const random = new SplitMix64(1234567n);
    expect([random.next(), random.next(), random.next()]).toEqual([
      6457827717110365317n,
      3203168211198807973n,
      9817491932198370423n,
    ]);
  });

  it('computes the numbers of 64-bit integers for every seed (property)', () => {
    const word = (value: bigint) => BigInt.asUintN(64, value);
    function* reference(seed: bigint) {
      for (let state = word(seed + 0x9e3779b97f4a7c15n); ; state = word(state + 0x9e3779b97f4a7c15n)) {
        let mixed = word((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
        mixed = word((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
        yield mixed ^ (mixed >> 31n);
      }
    }
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (seed) => {
        const [words, uniforms] = [new SplitMix64(seed), new SplitMix64(seed)];
        const expectedWords = reference(seed);
        for (let draw = 0; draw < 20; draw++) {
          const expected = expectedWords.next().value!;
          expect(words.next()).toBe(expected);
          expect(uniforms.uniform()).toBe((Number(expected >> 11n) + 0.5) * 2 ** -53);
        }
      }),
    );
  });

  it('draws numbers above 0 and below 1 with the mean 0.5', () => {
    const random = new SplitMix64(7n);
    const drawn = Array.from({ length: 10_000 }, () => random.uniform());
    expect(drawn.every((u) => u > 0 && u < 1)).toBe(true);
    expect(drawn.reduce((a, b) => a + b) / drawn.length).toBeCloseTo(0.5, 2);
  });
});

describe('distributions', () => {
  it.each([
    [0.5, 0],
    [0.95, 1.6448536269514722],
    [0.025, -1.959963984540054],
    [1e-12, -7.034483825301131],
    [1 - 1e-3, 3.090232306167813],
  ])('the normal point of %d is %d', (probability, point) => {
    expect(inverseNormal(probability)).toBeCloseTo(point, 12);
  });

  it('has the ends of a range as its 5 % and 95 % points', () => {
    const { mean, deviation } = lognormalOf(WIDE);
    expect(Math.exp(mean + deviation * inverseNormal(0.05))).toBeCloseTo(WIDE.min, 4);
    expect(Math.exp(mean + deviation * inverseNormal(0.95))).toBeCloseTo(WIDE.max, 4);
    expect(lognormalOf({ min: 100, max: 100 }).deviation).toBe(0);
  });

  it('names what is wrong with a range', () => {
    const ranges = [
      WIDE,
      { min: 5, max: 4 },
      { min: 0, max: 1 },
      { min: -1, max: 1 },
      { min: 1, max: Number.NaN },
      { min: 1, max: Number.POSITIVE_INFINITY },
    ];
    expect(ranges.map(lossRangeProblem)).toEqual([
      null,
      'min must not be above max',
      'min and max must be from 0.01 to 1000000000000000',
      'min and max must be from 0.01 to 1000000000000000',
      'min and max must be from 0.01 to 1000000000000000',
      'min and max must be from 0.01 to 1000000000000000',
    ]);
  });

  it('counts events by inversion, and ends', () => {
    expect([0.5, 0.9, 0.99].map((u) => poisson(0.1, u))).toEqual([0, 0, 1]);
    expect(poisson(0, 1 - 2 ** -53)).toBe(0);
    expect(poisson(1e9, 1 - 2 ** -53)).toBeLessThan(1_000);
  });
});

describe('places with chances', () => {
  const chances = fc.array(fc.double({ min: 1e-9, max: 1, noNaN: true }), { minLength: 1, maxLength: 50 });
  const uniforms = fc.double({ min: 0, max: 1 - 2 ** -53, noNaN: true });

  it('are the first whose running sum is above the share of the whole (property)', () => {
    fc.assert(
      fc.property(chances, uniforms, (given, uniform) => {
        const sums = new RunningSums(given);
        let sum = 0;
        const running = given.map((one) => (sum += one));
        expect(sums.whole).toBe(sum);
        expect(sums.draw(uniform)).toBe(running.findIndex((one) => one > uniform * sum));
      }),
    );
  });
});

describe('the number of years', () => {
  const equal = (count: number, hazard: number) => new Array<{ hazard: number }>(count).fill({ hazard });

  it('is smaller where a year compromises very many assets', () => {
    expect(yearsOf([])).toBe(YEARS);
    expect(yearsOf(ASSETS)).toBe(YEARS);
    expect(yearsOf(equal(200_000, 1e-4))).toBe(YEARS);
    // 20,000 compromised assets a year.
    expect(yearsOf(equal(20_000, 1))).toBe(250);
    expect(yearsOf(equal(200_000, 1))).toBe(YEARS_MIN);
  });

  it('is that of the simulated years', () => {
    const assets = equal(5_000, 0.5).map((one, i) => ({ ...one, id: `${i}`, range: null }));
    expect(simulateYears(assets, 1n)).toHaveLength(2_000);
  });
});

describe('simulated years', () => {
  it('have the hazards of a year', () => {
    const norm = Math.sqrt(ASSETS.reduce((sum, { hazard }) => sum + hazard ** 2, 0));
    expect(norm).toBeCloseTo(0.1629576445, 9);
    const all = ASSETS.reduce((sum, { hazard }) => sum + hazard, 0);
    expect(all / norm - 1).toBeCloseTo(0.100824, 6);
  });

  it('agree with another implementation of the model within its error', () => {
    const { mean, standardError, lossShare } = lossFigures(years);
    // 97,707 ± 4,121 and 15.09 % were computed by a prototype with other draws.
    expect(Math.abs(mean - 97_707)).toBeLessThan(3 * Math.hypot(4_121, standardError));
    expect(lossShare).toBeCloseTo(1 - Math.exp(-0.1629576445), 2);
  });

  it('are those of docs/scoring.md', () => {
    const page = readFileSync(new URL('../../../../../../docs/scoring.md', import.meta.url), 'utf8');
    const expected = JSON.parse(/^```json posture-2-loss\n(.*?)^```$/ms.exec(page)![1]!);
    const { mean, standardError, lossShare, exceedance } = lossFigures(years);
    const rounded = exceedance.map(({ probability, loss }) => [String(probability), Math.round(loss)]);
    expect({
      seed: String(SEED),
      mean: Math.round(mean),
      standardError: Math.round(standardError),
      lossShare,
      exceedance: Object.fromEntries(rounded),
    }).toEqual(expected);
  });

  it('are the same in any order of assets, and others for another seed', () => {
    expect(simulateYears([...ASSETS].reverse(), SEED)).toEqual(years);
    expect(simulateYears(ASSETS, SEED + 1n)).not.toEqual(years);
  });

  it('are the same in any order of any assets (property)', () => {
    const asset = fc.record({
      id: fc.uuid(),
      hazard: fc.double({ min: 0, max: 2, noNaN: true }),
      range: fc.constantFrom(null, WIDE, { min: 1, max: 1 }),
    });
    const assets = fc.uniqueArray(asset, { maxLength: 30, selector: ({ id }) => id });
    fc.assert(
      fc.property(
        assets.chain((given) =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
        ),
        ([given, shuffled]) => {
          expect(simulateYears(shuffled, 7n, 50)).toEqual(simulateYears(given, 7n, 50));
        },
      ),
    );
  });

  it('lose nothing without hazards, and without ranges', () => {
    const none = new Array(10).fill(0);
    expect(simulateYears([], SEED, 10)).toEqual(none);
    expect(simulateYears([{ id: 'a', hazard: 0, range: WIDE }], SEED, 10)).toEqual(none);
    expect(simulateYears([{ id: 'a', hazard: 9, range: null }], SEED, 10)).toEqual(none);
  });

  it('show what a fix avoids, and no difference where there is none', () => {
    const fixed = ASSETS.map((one) => (one.id === 'b' ? { ...one, hazard: 0 } : one));
    const avoided = avoidedLoss(years, simulateYears(fixed, SEED));
    expect(avoided.isDifferent).toBe(true);
    expect(avoided.mean).toBeGreaterThan(50_000);
    expect(avoidedLoss(years, years)).toEqual({ mean: 0, standardError: 0, isDifferent: false });
  });
});
