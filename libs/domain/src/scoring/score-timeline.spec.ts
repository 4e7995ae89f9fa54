import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FindingState } from '../state.ts';
import { scoreAsset } from './asset-score.ts';
import type { AssetTimeline, Since } from './asset-timeline.ts';
import { nextEnd, scoreTimeline, unconfirmedEnd } from './score-timeline.ts';
import type { FindingFacts } from './scoring-facts.ts';
import { assetFacts, catalogueOf, findingFacts } from './testing/subjects.ts';

const END = 50;
const CVES = ['CVE-2024-0001', 'CVE-2024-0002'];
const STATES: FindingState[] = ['Failed', 'Qualified', 'AcceptedFailed', 'Retired'];

const instant = fc.integer({ min: 0, max: END });
const over = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Since<T>[]> =>
  fc
    .uniqueArray(fc.record({ from: instant, value }), { maxLength: 4, selector: ({ from }) => from })
    .map((segments) => segments.sort((a, b) => a.from - b.from));

const finding = (id: string): fc.Arbitrary<FindingFacts> =>
  fc
    .record({
      state: fc.constantFrom(...STATES),
      cves: fc.subarray(CVES),
      activeUntil: fc.integer({ min: 0, max: 2 * END }),
    })
    .map((given) => findingFacts(id, given));

const timelines: fc.Arbitrary<AssetTimeline> = fc.record({
  asset: over(
    fc.option(
      fc.constantFrom('critical' as const, 'low' as const).map((criticality) => assetFacts({ criticality })),
    ),
  ),
  findings: fc.tuple(over(finding('a')), over(finding('b')), over(finding('c'))),
});

/** One state and one forecast of each CVE, from one instant on. */
const catalogues = fc
  .dictionary(
    fc.constantFrom(...CVES),
    fc.record({
      from: instant,
      epss: fc.constantFrom(0.2, 0.8),
      state: fc.constantFrom('PUBLISHED', 'REJECTED'),
    }),
  )
  .map((known) => ({
    at: (now: number) => {
      const inForce = Object.entries(known).filter(([, { from }]) => from <= now);
      return catalogueOf({
        epss: Object.fromEntries(inForce.map(([cve, { epss }]) => [cve, epss])),
        states: Object.fromEntries(inForce.map(([cve, { state }]) => [cve, state])),
      });
    },
    instants: (cve: string) => [known[cve]?.from ?? Number.POSITIVE_INFINITY],
  }));

const holding = <T>(steps: Since<T>[], at: number): T => steps.findLast(({ from }) => from <= at)!.value;

describe('the score over time', () => {
  it('is at every instant what the model makes of that instant (property)', () => {
    fc.assert(
      fc.property(timelines, catalogues, instant, (timeline, catalogue, from) => {
        const steps = scoreTimeline(timeline, catalogue, from, END);
        for (let at = from; at <= END; at++) {
          const asset = timeline.asset.findLast((one) => one.from <= at)?.value ?? null;
          const findings = timeline.findings.flatMap(
            (segments) => segments.findLast((one) => one.from <= at)?.value ?? [],
          );
          const held = holding(steps, at);
          if (!asset) expect(held).toBeNull();
          else {
            const { score, breachLikelihood } = scoreAsset({ asset, findings }, catalogue.at(at), at);
            expect(held).toEqual({ asset, score, breachLikelihood });
          }
        }
      }),
    );
  });

  it('may change next when the first finding ends that may count, whatever its state', () => {
    const lasting = (id: string, activeUntil: number, given: Partial<FindingFacts> = {}) => [
      { from: 0, value: findingFacts(id, { cves: [CVES[0]!], activeUntil, ...given }) },
    ];
    const timeline = {
      asset: [],
      findings: [
        lasting('a', 30),
        lasting('b', 20, { state: 'Qualified' }),
        lasting('c', 10, { state: 'Retired' }),
        lasting('d', 10, { cves: [] }),
      ],
    };
    expect([0, 20, 30].map((at) => nextEnd(timeline, at))).toEqual([20, 30, null]);
    expect([19, 20, 30].map((at) => unconfirmedEnd(timeline, at))).toEqual([null, 20, 20]);
  });
});
