import { describe, expect, it } from '@jest/globals';
import type { ChoiceTimeline, ScoringChoice } from '../scoring-choice.ts';
import { DEFAULT_CHOICES } from '../scoring-choice.ts';
import { choiceSpans, type ExplainedSpan, explainPeriod } from './explain-period.ts';
import type { Explanation } from './explanation.ts';

const RATES = { low: 0.01, best: 0.1, high: 0.2 };
const OTHER_RATES = { low: 0.1, best: 0.2, high: 0.3 };
const first: ScoringChoice = { model: 'posture-1', incidentRates: RATES };
const second: ScoringChoice = { model: 'posture-2', incidentRates: RATES };
const third: ScoringChoice = { model: 'posture-2', incidentRates: OTHER_RATES };

const choices: ChoiceTimeline = [
  ...DEFAULT_CHOICES,
  { from: 10, value: first },
  { from: 20, value: second },
  { from: 30, value: third },
  { from: 40, value: first },
];

const explanation = (
  from: number | null,
  to: number | null,
  ...shares: [id: string, share: number][]
): Explanation => ({
  from,
  to,
  difference: Math.round(((to ?? 0) - (from ?? 0)) * 100) / 100,
  causes: shares.map(([id, share]) => ({
    kind: 'finding',
    id,
    assetId: 'a',
    name: 'a',
    what: 'moved',
    share,
  })),
  others: { causes: 0, share: 0 },
  together: 0,
});

describe('the parts of a period', () => {
  it('end where another model or other rates come into force', () => {
    expect(choiceSpans(choices, 15, 35)).toEqual([
      { from: 15, to: 20, choice: first },
      { from: 20, to: 30, choice: second },
      { from: 30, to: 35, choice: third },
    ]);
  });

  it('are one if nothing changes what scores depend on: posture-1 has no rates', () => {
    expect(choiceSpans(choices, 5, 15)).toEqual([{ from: 5, to: 15, choice: DEFAULT_CHOICES[0]!.value }]);
    expect(choiceSpans(choices, 20, 29)).toEqual([{ from: 20, to: 29, choice: second }]);
  });

  it('include a change at the very end, and none at the beginning', () => {
    expect(choiceSpans(choices, 20, 30).map(({ from, to }) => [from, to])).toEqual([
      [20, 30],
      [30, 30],
    ]);
  });
});

describe('what moved a score in a period', () => {
  it('has the changes of model and rates as causes, and adds up', () => {
    const spans: ExplainedSpan[] = [
      { from: 15, to: 20, choice: first, explanation: explanation(40, 45.5, ['f1', 5.5]) },
      { from: 20, to: 30, choice: second, explanation: explanation(60.25, 50.05, ['f2', -10.2]) },
      { from: 30, to: 40, choice: third, explanation: explanation(55, 55) },
    ];
    const told = explainPeriod(spans);
    expect(told).toMatchObject({ from: 40, to: 55, difference: 15, others: { causes: 0, share: 0 } });
    expect(told.causes.map(({ kind, id, what, at, share }) => [kind, id, what, at, share])).toEqual([
      ['setting', 'scoringModel', 'posture-1 → posture-2', 20, 14.75],
      ['finding', 'f2', 'moved', undefined, -10.2],
      ['finding', 'f1', 'moved', undefined, 5.5],
      ['setting', 'baseRate', '0.01, 0.1, 0.2 → 0.1, 0.2, 0.3', 30, 4.95],
    ]);
    const short = explainPeriod(spans, 1);
    expect(short.causes).toEqual(told.causes.slice(0, 1));
    expect(short.others).toEqual({ causes: 3, share: 0.25 });
  });

  it('counts no score as 0', () => {
    const told = explainPeriod([
      { from: 15, to: 20, choice: first, explanation: explanation(null, null) },
      { from: 20, to: 30, choice: second, explanation: explanation(null, 12.34, ['f1', 12.34]) },
    ]);
    expect(told).toMatchObject({ from: null, to: 12.34, difference: 12.34 });
    expect(told.causes.map(({ id, share }) => [id, share])).toEqual([['f1', 12.34]]);
  });
});
