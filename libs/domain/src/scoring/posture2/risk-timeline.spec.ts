import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AT } from '../../../../../test/fixtures/domain/subjects.ts';
import {
  assessedFinding,
  threatCatalogueOf,
  threatenedAsset,
} from '../../../../../test/fixtures/domain/threatened-subjects.ts';
import { CVES, findings, threatCatalogues } from '../../../../../test/support/estates.ts';
import type { Since } from '../asset-timeline.ts';
import { assetRisk } from './asset-risk.ts';
import { assetThreats } from './asset-threats.ts';
import { AGE_STEP_MS } from './evidence.ts';
import type { AssessedFinding } from './facts.ts';
import { nextDue, riskTimeline } from './risk-timeline.ts';
import type { ThreatTimeline } from './running-risk.ts';
import { DEFAULT_TARGETING } from './targeting.ts';

const DAY_MS = 86_400_000;
const FROM = AT;
const TO = AT + 120 * DAY_MS;
const instants = fc.integer({ min: -20, max: 130 }).map((days) => AT + days * DAY_MS);

const over = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Since<T>[]> =>
  fc
    .uniqueArray(fc.record({ from: instants, value }), { maxLength: 4, selector: ({ from }) => from })
    .map((segments) => segments.sort((a, b) => a.from - b.from));

const assets = fc
  .record({
    criticality: fc.constantFrom('critical' as const, 'low' as const),
    integrityRequirement: fc.constantFrom(null, 'high' as const),
    attackSurface: fc.constantFrom('Servers', 'DMZ', 'Endpoints'),
    ipAddresses: fc.constantFrom([], ['10.0.0.1'], ['8.8.8.8']),
    isEdrManaged: fc.boolean(),
  })
  .map(threatenedAsset);

/** An end up to 40 days after the beginning of the segment, and detections that were closed then. */
const segments = (id: string): fc.Arbitrary<Since<AssessedFinding>[]> =>
  over(findings(id)).map((all) =>
    all.map(({ from, value }) => ({
      from,
      value: {
        ...value,
        activeUntil: value.activeUntil - AT + from,
        detections: value.detections.map(({ state, closedAt }) => ({ state, closedAt: closedAt && from })),
      },
    })),
  );

const timelines: fc.Arbitrary<ThreatTimeline> = fc.record({
  asset: over(fc.option(assets)),
  findings: fc.tuple(segments('a'), segments('b'), segments('c'), segments('d')),
});

/** Other catalogues from one instant on, for all CVEs. */
const catalogueTimelines = fc
  .record({ before: threatCatalogues, after: threatCatalogues, from: instants })
  .map(({ before, after, from }) => ({
    at: (now: number) => (now < from ? before : after),
    instants: (cve: string) => (CVES.includes(cve) ? [from] : []),
    techniqueInstants: () => [from],
  }));

const holding = <T>(steps: Since<T>[], at: number): T | undefined =>
  steps.findLast(({ from }) => from <= at)?.value;

describe('the risk of an asset over time', () => {
  it('is at every instant what the model computes of that instant (property)', () => {
    fc.assert(
      fc.property(timelines, catalogueTimelines, (timeline, catalogue) => {
        const steps = riskTimeline(timeline, catalogue, FROM, TO, DEFAULT_TARGETING);
        expect(steps[0]!.from).toBe(FROM);
        for (let at = FROM; at <= TO; at += DAY_MS) {
          const asset = holding(timeline.asset, at) ?? null;
          const subject = asset && {
            asset,
            findings: timeline.findings.flatMap((one) => holding(one, at) ?? []),
          };
          const expected =
            subject &&
            assetRisk(assetThreats(subject, catalogue.at(at), at), subject.asset, DEFAULT_TARGETING);
          expect(holding(steps, at)).toEqual(expected && { ...expected, asset });
        }
      }),
      { numRuns: 100 },
    );
  });

  it('falls when a control passes, and when a detection ages', () => {
    const hole = assessedFinding('hole', { cves: [CVES[0]!], activeUntil: TO });
    const control = assessedFinding('control', { type: 'ca', techniques: ['T1190'], activeUntil: TO });
    const passed = { ...control, state: 'Qualified' as const, lastVerdict: 'passed' as const };
    const detection = assessedFinding('detection', {
      type: 'edr',
      techniques: ['T1486'],
      activeUntil: TO,
      detections: [{ state: 'resolved', closedAt: AT }],
    });
    const catalogue = { at: () => threatCatalogueOf({ kev: [CVES[0]!] }), instants: () => [] };
    const timeline: ThreatTimeline = {
      asset: [{ from: AT, value: threatenedAsset() }],
      findings: [
        [{ from: AT, value: hole }],
        [
          { from: AT, value: control },
          { from: AT + 1, value: passed },
        ],
        [{ from: AT + 1, value: detection }],
      ],
    };
    const steps = riskTimeline(timeline, catalogue, FROM, AT + 3 * AGE_STEP_MS, DEFAULT_TARGETING);
    expect(steps.map(({ from }) => from)).toEqual([
      AT,
      AT + 1,
      ...[1, 2, 3].map((step) => AT + step * AGE_STEP_MS),
    ]);
    const sums = steps.map(({ value }) => value!.sums);
    expect(sums[1]!.forecast).toBeLessThan(sums[0]!.forecast / 3n);
    expect(sums[2]!.evidence.best).toBeLessThan(sums[1]!.evidence.best);
    expect(nextDue(timeline, AT)).toBe(AT + AGE_STEP_MS);
    expect(nextDue(timeline, AT + 20 * AGE_STEP_MS)).toBe(null);
    expect(nextDue({ ...timeline, findings: timeline.findings.slice(0, 2) }, AT)).toBe(TO);
  });
});
