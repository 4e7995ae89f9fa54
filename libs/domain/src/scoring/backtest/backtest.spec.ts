import { describe, expect, it } from '@jest/globals';
import { brierScore, brierSkill, logLoss, reliability, wilsonInterval } from './calibration.ts';
import { type EvaluateOptions, type Evaluation, evaluate } from './evaluate.ts';
import type { Case, Outcome } from './outcomes.ts';
import { Ranking } from './ranking.ts';

const outcome = (likelihood: number, isEvent: boolean, count = 1): Outcome => ({
  likelihood,
  isEvent,
  count,
});

describe('calibration', () => {
  const two = [outcome(0.8, true), outcome(0.4, false)];

  it('computes Brier score, skill against a constant rate, and log loss', () => {
    expect(brierScore(two)).toBeCloseTo((0.04 + 0.16) / 2, 12);
    const withRate = (earlierRate: number) => two.map((one) => ({ ...one, earlierRate }));
    expect(brierSkill(withRate(0.5))).toBeCloseTo(1 - 0.1 / 0.25, 12);
    expect(brierSkill(withRate(0.8))).toBeCloseTo(1 - 0.1 / 0.34, 12);
    expect(brierSkill([{ ...outcome(0.4, false), earlierRate: 0 }])).toBeNull();
    expect(logLoss(two)).toBeCloseTo(-(Math.log(0.8) + Math.log(0.6)) / 2, 12);
    expect(logLoss([outcome(0, true)])).toBeCloseTo(12 * Math.log(10), 9);
  });

  it('compares what was said with what came, bin by bin', () => {
    const bins = reliability([...two, outcome(0.45, true), outcome(1, true), outcome(0, false)]);
    expect(bins.map(({ from, to, outcomes, events, rate }) => [from, to, outcomes, events, rate])).toEqual([
      [0, 1e-5, 1, 0, 0],
      [0.3, 0.6, 2, 1, 0.5],
      [0.6, 1, 2, 2, 1],
    ]);
    expect(bins[1]!.meanLikelihood).toBeCloseTo(0.425, 12);
  });

  it('counts equal outcomes as often as there are', () => {
    const counted = [outcome(0.8, true, 3), outcome(0.4, false, 2)];
    const listed = [...Array(3).fill(outcome(0.8, true)), ...Array(2).fill(outcome(0.4, false))];
    expect(brierScore(counted)).toBeCloseTo(brierScore(listed), 12);
    expect(logLoss(counted)).toBeCloseTo(logLoss(listed), 12);
    const [bins, same] = [reliability(counted), reliability(listed)];
    expect(bins.map(({ outcomes, events, low }) => [outcomes, events, low])).toEqual(
      same.map(({ outcomes, events, low }) => [outcomes, events, low]),
    );
  });

  it('has the intervals of Wilson', () => {
    // (0.1 + 0.0192 ∓ 0.0619) ÷ 1.0384.
    const { low, high } = wilsonInterval(10, 100);
    expect([low, high].map((value) => Math.round(value * 1e3))).toEqual([55, 174]);
    expect(wilsonInterval(0, 10).low).toBe(0);
    expect(wilsonInterval(0, 5083).low).toBe(0);
    expect(wilsonInterval(0, 10).high).toBeCloseTo(0.2775, 4);
    expect(wilsonInterval(10, 10).high).toBe(1);
  });
});

/** 100 outcomes, ranked from 0 to 99 unless by another rule, with events at these places. */
function figures(places: number[], rankOf = (place: number) => place, weightOf = (_place: number) => 1) {
  const all = Array.from({ length: 100 }, (_, place) => place);
  const ranking = new Ranking(
    Float64Array.from(all, rankOf),
    all.map((place) => places.includes(place)),
  );
  return ranking.figures(Float64Array.from(all, weightOf));
}
const TOP_TEN = [90, 91, 92, 93, 94, 95, 96, 97, 98, 99];

describe('ranking', () => {
  it('is the chance of an event to be ranked above another outcome, ties half', () => {
    expect(figures(TOP_TEN)!.areaUnderCurve).toBe(1);
    expect(figures([0, 1, 2])!.areaUnderCurve).toBe(0);
    expect(figures(TOP_TEN, () => 1)!.areaUnderCurve).toBe(0.5);
    // Above 1 and 2 of the 98 others, and equal to half of one each: pairs of places have one rank.
    expect(figures([2, 5], (place) => Math.floor(place / 2))!.areaUnderCurve).toBeCloseTo(
      (2 + 0.5 + 3 + 0.5) / (2 * 98),
      12,
    );
    expect([figures([]), figures(Array.from({ length: 100 }, (_, i) => i))]).toEqual([null, null]);
  });

  it('is the share of events in the top tenth, with parts of equal ones', () => {
    expect(figures(TOP_TEN)!.topDecileLift).toBeCloseTo(10, 9);
    expect(figures([0, 10, 20, 30, 40, 50, 60, 70, 80, 95])!.topDecileLift).toBeCloseTo(1, 9);
    expect(figures(TOP_TEN, () => 1)!.topDecileLift).toBeCloseTo(1, 9);
    // Two events among the twenty equal ones at the top, of which ten are taken: one of two.
    expect(figures([99, 80], (place) => Math.min(place, 80))!.topDecileLift).toBeCloseTo(
      ((10 / 20) * 2) / 2 / 0.1,
      9,
    );
  });

  it('weighs outcomes as if there were as many', () => {
    const doubled = figures([50, 98], undefined, (place) => (place === 98 ? 2 : 1))!;
    // Others below: 50 of the first event, 97 of the second.
    expect(doubled.areaUnderCurve).toBeCloseTo((50 + 2 * 97) / (3 * 98), 12);
    expect(figures([50, 98], undefined, (place) => (place === 98 ? 0 : 1))!.areaUnderCurve).toBeCloseTo(
      50 / 98,
      12,
    );
  });
});

function evaluated(cases: readonly Case[], options: Partial<EvaluateOptions> = {}): Evaluation {
  const independentEvents = cases.filter(({ isEvent }) => isEvent).length;
  const steps = evaluate(cases, {
    forecasters: ['posture-2', 'epss', 'cvss'],
    independentEvents,
    seed: 7n,
    samples: 300,
    ...options,
  });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** 100 assets: posture-2 ranks by place, EPSS by the reverse, CVSS all alike. */
const casesWith = (...places: number[]): Case[] =>
  Array.from({ length: 100 }, (_, place) => ({
    unit: `u${place}`,
    forecasts: { 'posture-2': place / 100, 'posture-1': 0, epss: 1 - place / 100, cvss: 5, kev: 0 },
    isEvent: places.includes(place),
    count: 1,
    earlierRate: null,
  }));

describe('evaluation', () => {
  const CASES = casesWith(3, 21, 44, 52, 60, 68, 75, 81, 88, 90, 93, 96, 99);

  it('has figures of each forecaster, and differences to the first one', () => {
    const { units, outcomes, events, samples, forecasters } = evaluated(CASES);
    expect([units, outcomes, events, samples]).toEqual([100, 100, 13, 300]);
    const [posture2, epss, cvss] = forecasters;
    const area = posture2!.ordering!.areaUnderCurve;
    // Others below each event: its place less the events below it.
    const below = [3, 20, 42, 49, 56, 63, 69, 74, 80, 81, 83, 85, 87].reduce((sum, one) => sum + one, 0);
    expect(area.value).toBeCloseTo(below / (13 * 87), 12);
    expect(area.interval!.low).toBeLessThan(area.value);
    expect(area.interval!.high).toBeGreaterThan(area.value);
    expect(area.interval!.high - area.interval!.low).toBeGreaterThan(0.1);
    expect(posture2!.ordering!.difference).toBeNull();
    expect(epss!.ordering!.areaUnderCurve.value).toBeCloseTo(1 - area.value, 12);
    expect(epss!.ordering!.difference!.value).toBeCloseTo(1 - 2 * area.value, 12);
    // On the same samples, so the bounds are of one random number: 1 − 2 × area.
    expect(epss!.ordering!.difference!.interval!.low).toBeCloseTo(1 - 2 * area.interval!.high, 2);
    expect(cvss!.calibration).toBeNull();
    expect(cvss!.ordering!.areaUnderCurve).toEqual({ value: 0.5, interval: { low: 0.5, high: 0.5 } });
  });

  it('has intervals that the seed repeats, in any order of cases', () => {
    const orderings = (cases: Case[], seed = 7n) =>
      evaluated(cases, { seed }).forecasters.map(({ ordering }) => ordering);
    expect(orderings([...CASES].reverse())).toEqual(orderings(CASES));
    expect(orderings(CASES, 8n)).not.toEqual(orderings(CASES));
  });

  it('draws a unit with all of its cases', () => {
    const [a, b] = [casesWith(50)[50]!, casesWith()[20]!];
    // Two units: all samples of one only have no order, so few are left; both are drawn in half of them.
    const { outcomes, events, units } = evaluated([{ ...a, count: 30 }, { ...a, count: 10 }, b]);
    expect([units, outcomes, events]).toEqual([2, 41, 40]);
    const brier = evaluated([
      { ...a, unit: 'one', count: 3 },
      { ...b, unit: 'one' },
    ]).forecasters[0]!.calibration!;
    // One unit: every sample is the whole.
    const value = (3 * 0.5 ** 2 + 0.2 ** 2) / 4;
    expect(brier.brierScore.value).toBeCloseTo(value, 12);
    expect(brier.brierScore.interval!.low).toBeCloseTo(value, 12);
    expect(brier.brierScore.interval!.high).toBeCloseTo(value, 12);
  });

  it('has a skill against the rates of earlier windows, where there are any', () => {
    const [first, second] = [casesWith(50)[50]!, { ...casesWith()[20]!, earlierRate: 0.5 }];
    const skillOf = (...cases: Case[]) => evaluated(cases).forecasters[0]!.calibration!.brierSkill;
    expect(skillOf(first)).toBeNull();
    expect(skillOf(first, second)).toBeCloseTo(1 - 0.2 ** 2 / 0.5 ** 2, 12);
  });

  it('ranks nothing with fewer than ten independent events, or with events only', () => {
    const orderings = (evaluation: Evaluation) =>
      evaluation.forecasters.map(({ ordering }) => ordering === null);
    expect(orderings(evaluated(CASES, { independentEvents: 9 }))).toEqual([true, true, true]);
    expect(orderings(evaluated(CASES, { independentEvents: 10 }))).toEqual([false, false, false]);
    const events = CASES.filter(({ isEvent }) => isEvent);
    expect(orderings(evaluated(events))).toEqual([true, true, true]);
  });
});
