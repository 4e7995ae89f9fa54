import { describe, expect, it } from '@jest/globals';
import { AT } from '../../../../test/fixtures/domain/subjects.ts';
import {
  assessedFinding,
  threatCatalogueOf,
  threatenedAsset,
  threatenedSubject,
} from '../../../../test/fixtures/domain/threatened-subjects.ts';
import type { Since } from './asset-timeline.ts';
import type { ThreatTimeline } from './posture2/running-risk.ts';
import { DEFAULT_INCIDENT_RATES } from './posture2/targeting.ts';
import { type ChoiceTimeline, choiceAt } from './scoring-choice.ts';
import type { ScoringModel } from './scoring-model.ts';
import { isSameRisk, nextChange, type StoredRisk, storedRisk, storedRisks } from './stored-risk.ts';

const DAY_MS = 86_400_000;
const CVE = 'CVE-2024-0001';
const day = (number: number): number => AT + number * DAY_MS;

const choice = (from: number, model: ScoringModel, rates = DEFAULT_INCIDENT_RATES) => ({
  from,
  value: { model, incidentRates: rates },
});
const TWICE = {
  low: 2 * DEFAULT_INCIDENT_RATES.low,
  best: 2 * DEFAULT_INCIDENT_RATES.best,
  high: 2 * DEFAULT_INCIDENT_RATES.high,
};
const CHOICES: ChoiceTimeline = [
  choice(day(-1_000), 'posture-1'),
  choice(day(10), 'posture-2'),
  choice(day(20), 'posture-2', TWICE),
  choice(day(30), 'posture-1'),
];

/** The end of the first finding is later than that of all choices but the last. */
const hole = assessedFinding('hole', { cves: [CVE], activeUntil: day(34) });
const detection = assessedFinding('detection', {
  type: 'edr',
  techniques: ['T1486'],
  activeUntil: day(100),
  detections: [{ state: 'resolved', closedAt: day(2) }],
});
const TIMELINE: ThreatTimeline = {
  asset: [
    { from: day(0), value: threatenedAsset() },
    { from: day(50), value: null },
  ],
  findings: [[{ from: day(0), value: hole }], [{ from: day(2), value: detection }]],
};
const exploited = threatCatalogueOf({ kev: [CVE], epss: { [CVE]: 0.6 } });
const catalogues = {
  at: (instant: number) => (instant < day(15) ? threatCatalogueOf({ epss: { [CVE]: 0.1 } }) : exploited),
  instants: () => [day(15)],
};

const holding = <T>(steps: Since<T>[], at: number): T | undefined =>
  steps.findLast(({ from }) => from <= at)?.value;

/** What the timeline holds at an instant. */
function subjectAt(at: number) {
  const asset = holding(TIMELINE.asset, at);
  const findings = TIMELINE.findings.flatMap((one) => holding(one, at) ?? []);
  return asset ? { asset, findings } : null;
}

describe('the stored risks of a time', () => {
  it('are at every instant what the model and the rates in force then compute', () => {
    const steps = storedRisks(CHOICES, TIMELINE, catalogues, day(0), day(60));
    for (let at = day(0); at <= day(60); at += DAY_MS / 4) {
      const subject = subjectAt(at);
      const expected = subject && storedRisk(choiceAt(CHOICES, at), subject, catalogues.at(at), at);
      expect(holding(steps, at)).toEqual(subject && { risk: expected, asset: subject.asset });
    }
    expect(steps.map(({ from }) => from)).toEqual([...new Set(steps.map(({ from }) => from))].sort());
  });

  it('begin with a step, also where an earlier choice has ended there', () => {
    const timeline = { ...TIMELINE, asset: TIMELINE.asset.slice(0, 1) };
    const stepsOf = (from: number, to: number) =>
      storedRisks(CHOICES, timeline, catalogues, from, to).map((step) => [step.from, step.value?.risk.model]);
    expect(stepsOf(day(10), day(10))).toEqual([
      [day(10), 'posture-2'],
      // Later choices have a step of their own.
      [day(20), 'posture-2'],
      [day(30), 'posture-1'],
    ]);
    expect(stepsOf(day(31), day(32))).toEqual([[day(31), 'posture-1']]);
  });
});

describe('when the stored risk may change next', () => {
  it('is asked of the model in force: only posture-2 has evidence that ages', () => {
    const at = day(5);
    const [first, second] = [[choice(day(-1_000), 'posture-1')], [choice(day(-1_000), 'posture-2')]];
    const still = { ...catalogues, instants: () => [] };
    expect(nextChange(first, TIMELINE, still, at)).toBe(day(34));
    const aging = nextChange(second, TIMELINE, still, at)!;
    expect(aging).toBeGreaterThan(at);
    expect(aging).toBeLessThan(day(34));
    for (const choices of [first, second]) {
      expect(nextChange(choices, TIMELINE, { ...catalogues, instants: () => [at, at + 1] }, at)).toBe(at + 1);
    }
  });
});

describe('the stored risk', () => {
  const rates = (model: ScoringModel) => ({ model, incidentRates: DEFAULT_INCIDENT_RATES });

  it('is null without a finding that counts', () => {
    const clean = threatenedSubject([]);
    expect(storedRisk(rates('posture-1'), clean, exploited, AT)).toEqual({
      model: 'posture-1',
      score: null,
      likelihood: null,
    });
    expect(storedRisk(rates('posture-2'), clean, exploited, AT)).toMatchObject({
      model: 'posture-2',
      score: null,
      likelihoods: null,
    });
  });

  it('has integers of the chosen model', () => {
    const subject = threatenedSubject([hole]);
    const catalogue = threatCatalogueOf({ epss: { [CVE]: 0.6 } });
    const first = storedRisk(rates('posture-1'), subject, catalogue, AT);
    expect(first).toEqual({
      model: 'posture-1',
      score: expect.any(Number),
      likelihood: 600_000,
    });
    const second = storedRisk(rates('posture-2'), subject, catalogue, AT);
    if (second.model !== 'posture-2' || first.model !== 'posture-1') throw new Error('another model');
    const { low, best, high } = second.likelihoods!;
    for (const integer of [first.score, second.score, low, best, high]) {
      expect(Number.isInteger(integer)).toBe(true);
      expect(integer).toBeGreaterThan(0);
    }
    expect([low <= best, best <= high]).toEqual([true, true]);
  });
});

describe('two stored risks', () => {
  const first = { model: 'posture-1', score: 5, likelihood: 7 } as const;
  const interval = { low: 1, best: 2, high: 3 };
  const evidence = { low: 4n, best: 5n, high: 6n };
  const second = {
    model: 'posture-2',
    score: 5,
    likelihoods: interval,
    sums: { forecast: 8n, weighted: 9n, evidence },
  } as const;

  /** Equal in value only: no object is shared. */
  const copyOf = (risk: StoredRisk): StoredRisk => structuredClone(risk);

  it.each<[string, StoredRisk]>([
    ['posture-1', first],
    ['posture-1 without a score', { ...first, score: null, likelihood: null }],
    ['posture-2', second],
    ['posture-2 without a score', { ...second, score: null, likelihoods: null }],
  ])('of %s are the same if every digit is', (_, risk) => {
    expect(isSameRisk(risk, copyOf(risk))).toBe(true);
  });

  it.each<[string, StoredRisk, StoredRisk]>([
    ['the score', first, { ...first, score: 6 }],
    ['the likelihood', first, { ...first, likelihood: 8 }],
    ['the model', first, second],
    ['the model, without scores', { ...first, score: null, likelihood: null }, { ...second, score: null }],
    ['the score of posture-2', second, { ...second, score: 6 }],
    ['no likelihoods', second, { ...second, likelihoods: null }],
    ['the low likelihood', second, { ...second, likelihoods: { ...interval, low: 0 } }],
    ['the best likelihood', second, { ...second, likelihoods: { ...interval, best: 1 } }],
    ['the high likelihood', second, { ...second, likelihoods: { ...interval, high: 4 } }],
    ['the forecast', second, { ...second, sums: { ...second.sums, forecast: 7n } }],
    ['the weighted sum', second, { ...second, sums: { ...second.sums, weighted: 7n } }],
    ['low evidence', second, { ...second, sums: { ...second.sums, evidence: { ...evidence, low: 0n } } }],
    ['best evidence', second, { ...second, sums: { ...second.sums, evidence: { ...evidence, best: 0n } } }],
    ['high evidence', second, { ...second, sums: { ...second.sums, evidence: { ...evidence, high: 0n } } }],
  ])('differ by %s, whichever comes first', (_, a, b) => {
    expect([isSameRisk(a, b), isSameRisk(b, a)]).toEqual([false, false]);
  });
});
