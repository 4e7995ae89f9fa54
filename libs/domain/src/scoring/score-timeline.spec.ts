import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assetFacts, catalogueOf, findingFacts } from '../../../../test/fixtures/domain/subjects.ts';
import type { FindingState } from '../state.ts';
import { scoreAsset } from './asset-score.ts';
import type { AssetTimeline, Since } from './asset-timeline.ts';
import { nextCatalogueChange, nextEnd, scoreTimeline, unconfirmedEnd } from './score-timeline.ts';
import type { FindingFacts } from './scoring-facts.ts';

const END = 50;
const CVES = ['CVE-2024-0001', 'CVE-2024-0002'];
const STATES: FindingState[] = ['Failed', 'Qualified', 'AcceptedFailed', 'Retired'];

/** Each is high, and critical by one requirement of the asset. */
const VECTORS = ['C:H/I:N/A:N', 'C:N/I:H/A:N', 'C:N/I:N/A:H'].map(
  (impact) => `CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/${impact}`,
);

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
      severity: fc.constantFrom(null, ...VECTORS).map((vector) => ({ value: 5, version: null, vector })),
    })
    .map((given) => findingFacts(id, given));

const requirement = fc.constantFrom(null, 'high' as const);

const timelines: fc.Arbitrary<AssetTimeline> = fc.record({
  asset: over(
    fc.option(
      fc
        .record({
          criticality: fc.constantFrom('critical' as const, 'low' as const),
          confidentialityRequirement: requirement,
          integrityRequirement: requirement,
          availabilityRequirement: requirement,
        })
        .map(assetFacts),
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
  it('equals at every instant the result of the model for that instant (property)', () => {
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

  it('has a step for each instant at which something that counts changes, up to the end', () => {
    const lasting = (id: string, since: number, activeUntil: number, given: Partial<FindingFacts> = {}) => [
      { from: since, value: findingFacts(id, { cves: [CVES[0]!], activeUntil, ...given }) },
    ];
    const timeline = {
      asset: [{ from: 3, value: assetFacts() }],
      findings: [
        lasting('a', 0, 30),
        lasting('b', 7, 20, { state: 'Retired' }),
        lasting('c', 9, 10, { cves: [] }),
        lasting('d', 12, END + 1),
        lasting('e', 12, END),
        [],
      ],
    };
    const catalogue = {
      at: () => catalogueOf(),
      instants: (cve: string) => (cve === CVES[0] ? [40, END, END + 1] : [41]),
    };
    const steps = scoreTimeline(timeline, catalogue, 5, END);
    expect(steps.map(({ from }) => from)).toEqual([5, 7, 9, 12, 30, 40, END]);
    expect(steps.every(({ value }) => value?.score === 7)).toBe(true);
    expect([
      nextEnd({ asset: [], findings: [[]] }, 0),
      unconfirmedEnd({ asset: [], findings: [[]] }, 0),
    ]).toEqual([null, null]);
  });

  it('changes when techniques change, for all findings, up to the end', () => {
    const timeline = {
      asset: [{ from: 0, value: assetFacts() }],
      findings: [
        [{ from: 0, value: findingFacts('a', { techniques: ['T1059'] }) }],
        [{ from: 0, value: findingFacts('b', { cves: [CVES[0]!] }) }],
      ],
    };
    const catalogue = {
      at: (now: number) =>
        catalogueOf({ techniques: now < 20 ? { T1059: {} } : { T1059: { revoked: true } } }),
      instants: () => [],
      techniqueInstants: () => [20, END + 1],
    };
    const steps = scoreTimeline(timeline, catalogue, 0, END);
    expect(steps.map(({ from }) => from)).toEqual([0, 20]);
    const [before, after] = steps.map(({ value }) => value!.score!);
    expect(after).toBeLessThan(before!);
  });

  it('has a step for an end that a later change confirms, although the clock is behind', () => {
    const value = findingFacts('a', { cves: [CVES[0]!], activeUntil: 20 });
    const seenAgain = { ...value, activeUntil: END };
    const timeline = {
      asset: [{ from: 0, value: assetFacts() }],
      findings: [
        [
          { from: 10, value },
          { from: 30, value: seenAgain },
        ],
      ],
    };
    const catalogue = { at: () => catalogueOf(), instants: () => [] };
    const steps = scoreTimeline(timeline, catalogue, 5, 15);
    expect(steps.map(({ from, value: scored }) => [from, scored?.score])).toEqual([
      [5, null],
      [10, 7],
      [20, null],
      [30, 7],
    ]);
  });

  it.each([
    ['confidentiality', VECTORS[0]!, { confidentialityRequirement: 'high' }],
    ['integrity', VECTORS[1]!, { integrityRequirement: 'high' }],
    ['availability', VECTORS[2]!, { availabilityRequirement: 'high' }],
  ] as const)('follows the %s requirement of the asset', (_, vector, given) => {
    const severity = { value: 5, version: null, vector };
    const timeline = {
      asset: [
        { from: 0, value: assetFacts() },
        { from: 10, value: assetFacts(given) },
        { from: 20, value: assetFacts() },
      ],
      findings: [[{ from: 0, value: findingFacts('a', { cves: [CVES[0]!], severity }) }]],
    };
    const steps = scoreTimeline(timeline, { at: () => catalogueOf(), instants: () => [] }, 0, END);
    expect(steps.map(({ from, value }) => [from, value!.score])).toEqual([
      [0, 7],
      [10, 9],
      [20, 7],
    ]);
  });

  it('may change next when the first finding ends that may count, in any state', () => {
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
        lasting('e', 25, { techniques: ['T1059'] }),
      ],
    };
    expect([0, 20, 30].map((at) => nextEnd(timeline, at))).toEqual([20, 25, null]);
    expect([19, 20, 30].map((at) => unconfirmedEnd(timeline, at))).toEqual([null, 20, 20]);
    const instants = (cve: string) => (cve === CVES[0] ? [10, Number.POSITIVE_INFINITY] : []);
    const changeAfter = (at: number, techniqueInstants = () => [15, 25]) =>
      nextCatalogueChange(timeline, { instants, techniqueInstants }, at);
    expect([9, 10, 15, 25].map((at) => changeAfter(at))).toEqual([10, 15, 25, null]);
    expect(changeAfter(10, () => [])).toBeNull();
    const { findings } = timeline;
    const retired = { findings: findings.slice(2, 4) };
    expect(nextCatalogueChange(retired, { instants, techniqueInstants: () => [15] }, 0)).toBeNull();
  });
});
