import { describe, expect, it } from '@jest/globals';
import {
  choiceAt,
  choiceTimeline,
  DEFAULT_CHOICE,
  DEFAULT_CHOICES,
  firstDifference,
  modelChanges,
} from './scoring-choice.ts';

const RATES = { low: 0.1, best: 0.2, high: 0.3 };
const of = (...changes: [number, object][]) =>
  choiceTimeline(changes.map(([from, value]) => ({ from, value })));
const modelsAt = (choices: ReturnType<typeof of>, ...instants: number[]) =>
  instants.map((at) => choiceAt(choices, at).model);

describe('the selection of a model', () => {
  it('is posture-1 with the documented rates before the first one', () => {
    expect(of()).toEqual(DEFAULT_CHOICES);
    expect(choiceAt(of([10, { scoringModel: 'posture-2' }]), 9)).toEqual(DEFAULT_CHOICE);
  });

  it('of the opening of the log is in force from ever on, and is no change', () => {
    const chosen = { from: 10, value: { scoringModel: 'posture-1' } };
    const choices = choiceTimeline([chosen], { scoringModel: 'posture-2' });
    expect(modelsAt(choices, Number.NEGATIVE_INFINITY, -1, 9, 10)).toEqual([
      'posture-2',
      'posture-2',
      'posture-2',
      'posture-1',
    ]);
    expect(choiceAt(choices, 9).incidentRates).toEqual(DEFAULT_CHOICE.incidentRates);
    expect(modelChanges(choices, Number.NEGATIVE_INFINITY, 40)).toEqual([{ from: 10, value: 'posture-1' }]);
    expect(choiceTimeline([], { scoringModel: 'posture-9' })).toEqual(DEFAULT_CHOICES);
  });

  it('is in force from its instant on, and keeps what it does not change', () => {
    const choices = of(
      [10, { scoringModel: 'posture-2' }],
      [20, { incidentRates: RATES }],
      [30, { scoringModel: 'posture-1' }],
    );
    expect(modelsAt(choices, 9, 10, 29, 30)).toEqual(['posture-1', 'posture-2', 'posture-2', 'posture-1']);
    expect(choiceAt(choices, 19).incidentRates).toEqual(DEFAULT_CHOICE.incidentRates);
    expect(choiceAt(choices, 30).incidentRates).toEqual(RATES);
  });

  it.each([
    [{ retentionDays: 5 }],
    [{ scoringModel: 'posture-9' }],
    [{ scoringModel: null }],
    [{ incidentRates: { low: 0.5, best: 0.2, high: 0.3 } }],
    [{ incidentRates: { low: 0.1 } }],
    [{ incidentRates: 'x' }],
  ])('ignores %j', (value) => {
    expect(of([10, value])).toEqual(DEFAULT_CHOICES);
  });

  it('of a clock that was ahead ends with the next change of the corrected clock', () => {
    const choices = of(
      [10, { scoringModel: 'posture-2' }],
      [1_000, { scoringModel: 'posture-1' }],
      [20, { incidentRates: RATES }],
    );
    expect(modelsAt(choices, 10, 20)).toEqual(['posture-2', 'posture-1']);
    expect(choices.map(({ from }) => from).slice(1)).toEqual([10, 20]);
  });

  it('of a clock that was ahead is in force from the next change of settings on', () => {
    const choices = of([1_000, { scoringModel: 'posture-2' }], [20, { retentionDays: 5 }]);
    expect(modelsAt(choices, 19, 20, 1_000)).toEqual(['posture-1', 'posture-2', 'posture-2']);
  });
});

describe('the changes of the model', () => {
  const choices = of(
    [10, { scoringModel: 'posture-2' }],
    [20, { incidentRates: RATES }],
    [30, { scoringModel: 'posture-1' }],
  );

  it('are those of a span, without its start and without other rates', () => {
    const [first, second] = [
      { from: 10, value: 'posture-2' },
      { from: 30, value: 'posture-1' },
    ];
    expect(modelChanges(choices, 0, 40)).toEqual([first, second]);
    expect(modelChanges(choices, 9, 10)).toEqual([first]);
    expect(modelChanges(choices, 10, 30)).toEqual([second]);
    expect(modelChanges(choices, 10, 29)).toEqual([]);
    expect(modelChanges(DEFAULT_CHOICES, Number.NEGATIVE_INFINITY, 40)).toEqual([]);
  });
});

describe('the first difference of two selections', () => {
  const chosen = of([10, { scoringModel: 'posture-2' }]);

  it('is the instant from which on scores differ', () => {
    expect(firstDifference(DEFAULT_CHOICES, chosen)).toBe(10);
    expect(firstDifference(chosen, DEFAULT_CHOICES)).toBe(10);
    expect(
      firstDifference(chosen, of([10, { scoringModel: 'posture-2' }], [20, { incidentRates: RATES }])),
    ).toBe(20);
    expect(firstDifference(chosen, of([7, { scoringModel: 'posture-2' }]))).toBe(7);
  });

  it('is an instant that PostgreSQL reads if the openings of the logs differ, also to an earlier version', () => {
    const stored = [{ from: Number.MIN_SAFE_INTEGER, value: DEFAULT_CHOICE }];
    const opened = choiceTimeline([], { scoringModel: 'posture-2' });
    for (const other of [DEFAULT_CHOICES, stored]) {
      expect(firstDifference(other, opened)).toBe(Date.parse('0001-01-01T00:00:00Z'));
    }
    expect(firstDifference(stored, chosen)).toBe(10);
    expect(firstDifference(stored, DEFAULT_CHOICES)).toBe(null);
  });

  it('is nothing for rates that no score depends on', () => {
    expect(firstDifference(DEFAULT_CHOICES, of([10, { incidentRates: RATES }]))).toBe(null);
    expect(firstDifference(chosen, chosen)).toBe(null);
  });
});
