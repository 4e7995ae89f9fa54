import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AT } from '../../../../test/fixtures/domain/subjects.ts';
import {
  assessedFinding,
  threatCatalogueOf,
  threatenedAsset,
} from '../../../../test/fixtures/domain/threatened-subjects.ts';
import { CVES, findings, threatCatalogues } from '../../../../test/support/estates.ts';
import type { Since } from './asset-timeline.ts';
import { MovingRisk } from './moving-risk.ts';
import type { AssessedFinding, ThreatCatalogue } from './posture2/facts.ts';
import type { ThreatTimeline } from './posture2/running-risk.ts';
import { DEFAULT_INCIDENT_RATES } from './posture2/targeting.ts';
import { unconfirmedEnd } from './score-timeline.ts';
import type { ScoringChoice } from './scoring-choice.ts';
import { SCORING_MODELS } from './scoring-model.ts';
import { nextChange, storedRisks } from './stored-risk.ts';

const DAY_MS = 86_400_000;
const DAYS = 60;
const day = (number: number) => AT + number * DAY_MS;

/** A finding that changes on some days; controls change everything, so there are few of them. */
const histories = (id: string): fc.Arbitrary<Since<AssessedFinding>[]> =>
  fc
    .uniqueArray(fc.record({ on: fc.nat(DAYS), value: findings(id) }), {
      minLength: 1,
      maxLength: 4,
      selector: ({ on }) => on,
    })
    .map((changes) => {
      const type = changes[0]!.value.type;
      return changes
        .sort((a, b) => a.on - b.on)
        .map(({ on, value }) => ({
          from: day(on),
          value: {
            ...value,
            type,
            activeUntil: value.activeUntil - AT + day(on),
            detections: type === 'edr' ? value.detections : [],
          },
        }));
    });

const cases = fc.record({
  model: fc.constantFrom(...SCORING_MODELS),
  asset: fc.record({ criticality: fc.constantFrom('critical' as const, 'low' as const) }),
  findings: fc.tuple(...['a', 'b', 'c', 'd', 'e'].map(histories)),
  catalogue: threatCatalogues,
  /** Days until which it is moved, one after the other. */
  stops: fc.uniqueArray(fc.nat(DAYS), { minLength: 1, maxLength: 6 }),
});

const timelineOf = (catalogue: ThreatCatalogue) => ({ at: () => catalogue, instants: () => [] });
const holding = <T>(steps: Since<T>[], at: number): T | undefined =>
  steps.findLast(({ from }) => from <= at)?.value;

/** What the history had until a day: each finding from its state at `from` on. */
const known = (history: Since<AssessedFinding>[], from: number, to: number) => {
  const first = history.findLastIndex((one) => one.from <= from);
  return history.slice(Math.max(0, first)).filter((one) => one.from <= to);
};

describe('a risk that moves on', () => {
  it('is at every instant what the whole timeline gives, for every order of looks (property)', () => {
    let moves = 0;
    fc.assert(
      fc.property(cases, ({ model, asset, findings: all, catalogue, stops }) => {
        const choice: ScoringChoice = { model, incidentRates: DEFAULT_INCIDENT_RATES };
        const whole: ThreatTimeline = {
          asset: [{ from: AT, value: threatenedAsset(asset) }],
          findings: all,
        };
        const catalogues = timelineOf(catalogue);
        const choices = [{ from: AT - DAY_MS, value: choice }];
        const expected = storedRisks(choices, whole, catalogues, AT, day(DAYS));
        const [first, ...later] = stops.sort((a, b) => a - b);
        let to = day(first!);
        const begin = (from: number) => {
          const places = [...all.keys()].filter((place) => all[place]![0]!.from <= to);
          const timeline = { ...whole, findings: places.map((place) => known(all[place]!, from, to)) };
          return { places, ...MovingRisk.begin(choice, timeline, catalogues, from, to) };
        };
        let { places, risk, steps } = begin(AT);
        let rows = steps;
        for (const stop of later) {
          const before = to;
          to = day(stop);
          const due = new Set(risk.dueUntil(to).map((place) => places[place]!));
          const changed = [...all.keys()].filter(
            (finding) => due.has(finding) || all[finding]!.some(({ from }) => from > before && from <= to),
          );
          const from = before + 1;
          for (const finding of changed) if (!places.includes(finding)) places.push(finding);
          const segments = new Map(
            changed.map((finding) => [places.indexOf(finding), known(all[finding]!, from, to)] as const),
          );
          const moved = risk.move(segments, catalogues, from, to);
          if (moved) moves += 1;
          else ({ places, risk, steps } = begin(from));
          rows = [...rows.filter((row) => row.from < from), ...(moved ?? steps)];
          expect(risk.due(to)).toEqual({
            next: nextChange(choices, risk.timeline, { ...catalogues, instants: () => [] }, to),
            unconfirmed: unconfirmedEnd(risk.timeline, to),
          });
        }
        for (let at = AT; at <= to; at += DAY_MS) expect(holding(rows, at)).toEqual(holding(expected, at));
      }),
      { numRuns: 300 },
    );
    expect(moves).toBeGreaterThan(100);
  });

  const hole = assessedFinding('hole', { cves: [CVES[0]!], activeUntil: day(300) });
  const other = assessedFinding('other', { cves: [CVES[1]!], activeUntil: day(20) });
  const catalogue = threatCatalogueOf({ kev: [CVES[0]!] });
  const begun = () =>
    MovingRisk.begin(
      { model: 'posture-2', incidentRates: DEFAULT_INCIDENT_RATES },
      {
        asset: [{ from: AT, value: threatenedAsset() }],
        findings: [[{ from: AT, value: hole }], [{ from: day(2), value: other }]],
      },
      timelineOf(catalogue),
      AT,
      day(3),
    ).risk;
  const changed = (value: AssessedFinding) => new Map([[0, [{ from: day(5), value }]]]);

  it('names the findings that end, and moves neither back nor past a control or other techniques', () => {
    const control = assessedFinding('control', { type: 'ca', techniques: ['T1190'], activeUntil: day(300) });
    const imported = threatCatalogueOf({ kev: [CVES[0]!] });
    const risk = begun();
    expect(risk.dueUntil(day(19))).toEqual([]);
    expect(risk.dueUntil(day(20))).toEqual([1]);
    expect(risk.move(changed(hole), timelineOf(catalogue), day(1), day(6))).toBe(null);
    expect(risk.move(changed(control), timelineOf(catalogue), day(5), day(6))).toBe(null);
    expect(risk.move(changed(hole), timelineOf(imported), day(5), day(6))).toBe(null);
    const fixed = { ...hole, state: 'Qualified' as const };
    const [step] = risk.move(changed(fixed), timelineOf(catalogue), day(5), day(6))!;
    expect(step!.value!.risk.score).toBeGreaterThan(0);
    expect(risk.timeline.findings[0]).toEqual([{ from: day(5), value: fixed }]);
  });
});
