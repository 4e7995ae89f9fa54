import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { posture2 } from '#libs/domain';
import { AT } from '../../../test/fixtures/domain/subjects.ts';
import { threatenedAsset } from '../../../test/fixtures/domain/threatened-subjects.ts';
import { CVES, findings } from '../../../test/support/estates.ts';
import { type CatalogueKind, type CatalogueRow, CatalogueTimeline } from './catalogue-timeline.ts';
import { type TechniqueRow, TechniqueTimeline } from './technique-timeline.ts';

const DAY_MS = 86_400_000;
const DAYS = 12;
const TECHNIQUES = ['T1190', 'T1203', 'T1068', 'T1068.001', 'T1486', 'T1082'];
const MITIGATIONS = ['M1051', 'M1038'];

/** Values from day to day, one after the other, of each key; null: there is none. */
const over = <T>(keys: readonly string[], value: fc.Arbitrary<T>) =>
  fc
    .record(
      Object.fromEntries(
        keys.map((key) => [
          key,
          fc.array(fc.record({ day: fc.nat(DAYS), value: fc.option(value) }), { maxLength: 3 }),
        ]),
      ),
    )
    .map((byKey) =>
      Object.entries(byKey).flatMap(([key, segments]) => {
        const sorted = [...new Map(segments.map((one) => [one.day, one])).values()].sort(
          (a, b) => a.day - b.day,
        );
        return sorted.flatMap(({ day, value: one }, i) => {
          const next = sorted[i + 1]?.day;
          const validTo = next === undefined ? Number.POSITIVE_INFINITY : AT + next * DAY_MS;
          return one === null ? [] : [{ key, value: one, validFrom: AT + day * DAY_MS, validTo }];
        });
      }),
    );

const rowsOf = <C extends CatalogueKind>(catalogue: C, value: fc.Arbitrary<CatalogueRow<C>['value']>) =>
  over(CVES, value).map((rows) =>
    rows.map(({ key, ...row }) => ({ catalogue, cve: key, ...row }) as CatalogueRow),
  );

const cveRows: fc.Arbitrary<CatalogueRow[]> = fc
  .tuple(
    rowsOf('cve', fc.constantFrom({ state: 'PUBLISHED' }, { state: 'REJECTED' })),
    rowsOf('epss', fc.constantFrom({ probability: 0.01, date: '' }, { probability: 0.5, date: '' })),
    rowsOf('kev', fc.record({ dateAdded: fc.constant('2026-01-01'), isUsedByRansomware: fc.boolean() })),
    rowsOf('ctid', fc.record({ techniques: fc.subarray(TECHNIQUES, { minLength: 1 }) })),
  )
  .map((all) => all.flat());

const techniqueRows: fc.Arbitrary<TechniqueRow[]> = over(
  TECHNIQUES,
  fc.record({
    name: fc.constant('A technique'),
    tactics: fc.subarray(['initial-access', 'impact', 'execution']),
    revoked: fc.boolean(),
    deprecated: fc.constant(false),
    revokedBy: fc.constantFrom(null, 'T1190', 'T1486'),
    mitigations: fc.subarray(MITIGATIONS),
  }),
).map((rows) => rows.map(({ key, ...row }) => ({ id: key, ...row })));

const timelines: fc.Arbitrary<posture2.ThreatTimeline> = fc
  .tuple(findings('a'), findings('b'), findings('c'), findings('d'))
  .map((all) => ({
    asset: [{ from: AT, value: threatenedAsset() }],
    findings: all.map((value) => [{ from: AT, value }]),
  }));

describe('the catalogues over time', () => {
  it('name every instant at which the risk of an asset changes by them (property)', () => {
    fc.assert(
      fc.property(timelines, cveRows, techniqueRows, (timeline, rows, techniques) => {
        const catalogue = new CatalogueTimeline(rows, new TechniqueTimeline(techniques));
        const to = AT + (DAYS + 1) * DAY_MS;
        const steps = posture2.riskTimeline(timeline, catalogue, AT, to, posture2.DEFAULT_TARGETING);
        const asset = timeline.asset[0]!.value!;
        const subject = { asset, findings: timeline.findings.map(([only]) => only!.value) };
        for (let at = AT; at <= to; at += DAY_MS) {
          const threats = posture2.assetThreats(subject, catalogue.at(at), at);
          const expected = posture2.assetRisk(threats, asset, posture2.DEFAULT_TARGETING);
          expect(steps.findLast(({ from }) => from <= at)!.value).toEqual({ ...expected, asset });
        }
      }),
      { numRuns: 300 },
    );
  });
});
