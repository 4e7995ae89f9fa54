import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AT } from '../../../../../test/fixtures/domain/subjects.ts';
import {
  assessedFinding,
  threatCatalogueOf,
  threatenedAsset,
} from '../../../../../test/fixtures/domain/threatened-subjects.ts';
import {
  type Act,
  acts,
  afterAct,
  assetRisks,
  CVES,
  type EstateRisk,
  estateRisk,
  estates,
  findings,
  HARDENING,
  SOFTENING,
  threatCatalogues,
} from '../../../../../test/support/estates.ts';
import type { FindingType, ObservedInstance } from '../../events.ts';
import { stateOf } from '../../fold/finding-state.ts';
import type { Finding } from '../../state.ts';
import { NEVER_ENDS } from '../scoring-facts.ts';
import type { AssetRisk } from './asset-risk.ts';
import { scoreAsset } from './asset-score.ts';
import { assetThreats } from './asset-threats.ts';
import { assessedFindingOf } from './finding-facts.ts';
import { pastWith } from './finding-past.ts';
import {
  addGroupSums,
  EMPTY_GROUP_SUMS,
  type GroupRisk,
  groupRisk,
  groupSumsOf,
  subtractGroupSums,
} from './group-risk.ts';
import type { Interval } from './interval.ts';
import { DEFAULT_TARGETING, incidentRatesProblem, targetingOf } from './targeting.ts';
import { applyWhatIf } from './what-if.ts';

const targetings = fc
  .tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 999 }))
  .map((rates) => rates.sort((a, b) => a - b).map((rate) => rate / 1_000) as [number, number, number])
  .map(([low, best, high]) => ({ low, best, high }))
  .filter((rates) => incidentRatesProblem(rates) === null)
  .map(targetingOf);

const shuffled = <T>(values: readonly T[], seed: number): T[] =>
  values
    .map((value, i) => ({ value, key: Math.sin(seed + i * 7.3) }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);

/** As a platform or a scanner reports them, of one finding. */
const instances: fc.Arbitrary<ObservedInstance> = fc
  .tuple(
    findings('any'),
    fc.constantFrom('fail' as const, 'fail' as const, 'pass' as const, 'unknown' as const),
    fc.constantFrom('New', 'Closed'),
  )
  .map(
    ([{ failures }, status, workflowStatus]) =>
      ({
        ...failures[0]!,
        status,
        counted: true,
        workflowStatus,
        tags: { 'detection-tags': ['true_positive'] },
      }) as unknown as ObservedInstance,
  );

const findingOf = (type: FindingType, reported: readonly ObservedInstance[]) =>
  ({
    id: 'reported',
    name: 'Reported',
    type,
    state: stateOf(reported),
    retiredReason: null,
    instances: reported,
    updatedAt: 1,
  }) as unknown as Finding;

const listOf = ({ low, best, high }: Interval) => [low, best, high];
const NOTHING = { low: 0, best: 0, high: 0 };

/** Every number of a score that must not rise, or not fall; 0 instead of none. */
const figuresOf = ({ score, likelihoods, ...more }: AssetRisk | GroupRisk): number[] => [
  score ?? 0,
  ...Object.values(likelihoods ?? { whole: NOTHING, forecast: NOTHING, evidence: NOTHING }).flatMap(listOf),
  ...('expectedCompromised' in more ? listOf(more.expectedCompromised ?? NOTHING) : []),
];
const allFigures = ({ assets, group, organization }: EstateRisk): number[] =>
  [...assets, group, organization].flatMap(figuresOf);

describe('posture-2, at asset, group and organization level', () => {
  it('never rises by a pass, an acceptance, an expiry, a retirement, a closed detection or time', () => {
    fc.assert(
      fc.property(
        estates,
        threatCatalogues,
        targetings,
        fc.array(acts(SOFTENING), { minLength: 1, maxLength: 6 }),
        (estate, catalogue, targeting, happening) => {
          let [now, before] = [estate, estateRisk(estate, catalogue, targeting)];
          for (const act of happening) {
            now = afterAct(now, act);
            const after = estateRisk(now, catalogue, targeting);
            const figures = allFigures(before);
            const risen = allFigures(after).filter((figure, i) => figure > figures[i]!);
            expect({ act: act.kind, risen }).toEqual({ act: act.kind, risen: [] });
            before = after;
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never falls by a failing finding, a confirmed or a reopened detection', () => {
    fc.assert(
      fc.property(
        estates,
        threatCatalogues,
        targetings,
        fc.array(acts(HARDENING), { minLength: 1, maxLength: 6 }),
        (estate, catalogue, targeting, happening) => {
          let [now, before] = [estate, estateRisk(estate, catalogue, targeting)];
          for (const act of happening) {
            now = afterAct(now, act);
            const after = estateRisk(now, catalogue, targeting);
            const figures = allFigures(before);
            const fallen = allFigures(after).filter((figure, i) => figure < figures[i]!);
            expect({ act: act.kind, fallen }).toEqual({ act: act.kind, fallen: [] });
            before = after;
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never rises if an instance passes or is not reported any more, nor falls if one fails', () => {
    fc.assert(
      fc.property(
        estates,
        threatCatalogues,
        fc.constantFrom('va' as const, 'ca' as const, 'edr' as const),
        fc.array(instances, { minLength: 1, maxLength: 4 }),
        instances,
        fc.nat({ max: 3 }),
        (estate, catalogue, type, given, more, index) => {
          const [first, ...others] = estate.subjects;
          const all = given.map((one, i) => ({ ...one, key: `${i}` }));
          const failing = all[index % all.length]!;
          const past = pastWith(null, findingOf(type, all), 1);
          const figuresWith = (reported: readonly ObservedInstance[]) => {
            const finding = findingOf(type, reported);
            const facts = assessedFindingOf(finding, NEVER_ENDS, pastWith(past, finding, 2));
            const subjects = [{ ...first!, findings: [...first!.findings, facts] }, ...others];
            return allFigures(estateRisk({ ...estate, subjects }, catalogue, DEFAULT_TARGETING));
          };
          const figures = figuresWith(all);
          const risen = (reported: readonly ObservedInstance[]) =>
            figuresWith(reported).filter((figure, i) => figure > figures[i]!);
          const without = all.filter((one) => one !== failing);
          const passes = { ...failing, status: 'pass' as const };
          expect(risen([...without, passes])).toEqual([]);
          expect(risen([...all, { ...more, key: 'more', status: 'pass' }])).toEqual([]);
          if (failing.status === 'fail' && without.length > 0) expect(risen(without)).toEqual([]);
          const failed = figuresWith([...all, { ...more, key: 'more', status: 'fail' }]);
          expect(failed.filter((figure, i) => figure < figures[i]!)).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('would rise if a pass expired with its finding: the property can fail', () => {
    const control = assessedFinding('f1', { type: 'ca', techniques: ['T1190'], state: 'Qualified' });
    const hole = assessedFinding('f2', { cves: [CVES[0]!] });
    const risk = (lastVerdict: 'passed' | null) => {
      const subject = {
        asset: threatenedAsset(),
        findings: [{ ...control, state: 'Retired' as const, lastVerdict }, hole],
      };
      return scoreAsset(subject, threatCatalogueOf(), AT).score!;
    };
    expect(risk(null)).toBeGreaterThan(risk('passed'));
  });

  it('is bounded, and low ≤ best ≤ high; the parts are not above the whole', () => {
    fc.assert(
      fc.property(estates, threatCatalogues, targetings, (estate, catalogue, targeting) => {
        const { assets, group, organization } = estateRisk(estate, catalogue, targeting);
        for (const { score, likelihoods } of assets) {
          expect(score === null).toBe(likelihoods === null);
          if (score !== null) expect(Number.isInteger(score) && score >= 0 && score <= 10_000).toBe(true);
        }
        for (const { likelihoods } of [...assets, group, organization]) {
          if (!likelihoods) continue;
          for (const { low, best, high } of Object.values(likelihoods)) {
            expect(0 <= low && low <= best && best <= high && high <= 1e9).toBe(true);
          }
          const { whole, forecast, evidence } = likelihoods;
          for (const part of [forecast, evidence]) {
            expect(listOf(part).every((value, i) => value <= listOf(whole)[i]!)).toBe(true);
          }
        }
        const { score, likelihoods, expectedCompromised } = organization;
        if (score === null) return;
        const scores = assets.map((one) => (one.score ?? 0) / 100);
        expect(score).toBeLessThanOrEqual(Math.max(...scores));
        const bests = assets.map((one) => one.likelihoods?.whole.best ?? 0);
        expect(likelihoods!.whole.best).toBeGreaterThanOrEqual(Math.max(...bests));
        // Half a unit of each summand is rounded.
        expect(likelihoods!.whole.best).toBeLessThanOrEqual(expectedCompromised!.best * 1e9 + bests.length);
      }),
      { numRuns: 300 },
    );
  });

  it('is the same in any order of findings, CVEs and assets, words and all; groups forget what is taken out', () => {
    fc.assert(
      fc.property(estates, threatCatalogues, targetings, fc.nat(), (estate, catalogue, targeting, seed) => {
        const subjects = estate.subjects.map((subject) => ({
          ...subject,
          findings: shuffled(subject.findings, seed).map((finding) => ({
            ...finding,
            cves: shuffled(finding.cves, seed),
            techniques: shuffled(finding.techniques, seed),
            failures: finding.failures.map(({ severity, cves, techniques }) => ({
              severity,
              cves: shuffled(cves, seed),
              techniques: shuffled(techniques, seed),
            })),
            detections: shuffled(finding.detections, seed),
          })),
        }));
        for (const [i, subject] of subjects.entries()) {
          const score = scoreAsset(subject, catalogue, estate.at, targeting);
          expect(score).toEqual(scoreAsset(estate.subjects[i]!, catalogue, estate.at, targeting));
          const shares = score.contributions.map(({ share }) => Math.round(share * 100));
          expect(shares.every((share) => share >= 0)).toBe(true);
          expect(shares.reduce((a, b) => a + b, 0)).toBe(Math.round((score.score ?? 0) * 100));
        }
        const sums = assetRisks(estate, catalogue, targeting).map(groupSumsOf);
        const whole = sums.reduce(addGroupSums, EMPTY_GROUP_SUMS);
        expect(shuffled(sums, seed).reduce(addGroupSums, EMPTY_GROUP_SUMS)).toEqual(whole);
        const [first, ...others] = sums;
        expect(subtractGroupSums(whole, first!)).toEqual(others.reduce(addGroupSums, EMPTY_GROUP_SUMS));
      }),
      { numRuns: 300 },
    );
  });

  it('is null exactly if no active finding has a valid mapping', () => {
    fc.assert(
      fc.property(estates, threatCatalogues, targetings, (estate, catalogue, targeting) => {
        const isMapped = (cves: readonly string[], techniques: readonly string[]) =>
          techniques.some((id) => id !== 'T9999') ||
          cves.some((cve) => catalogue.cveStateOf(cve) !== 'REJECTED');
        for (const [i, { score }] of assetRisks(estate, catalogue, targeting).entries()) {
          const mapped = estate.subjects[i]!.findings.filter(
            ({ state, activeUntil, cves, techniques }) =>
              state !== 'Retired' && activeUntil > estate.at && isMapped(cves, techniques),
          );
          expect(score !== null).toBe(mapped.length > 0);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('what-if', () => {
  it('equals what then happens', () => {
    fc.assert(
      fc.property(
        estates,
        threatCatalogues,
        targetings,
        fc.nat({ max: 4 }),
        fc.nat({ max: 5 }),
        findings('new'),
        (estate, catalogue, targeting, asset, finding, given) => {
          const subject = estate.subjects[asset % estate.subjects.length]!;
          const target = subject.findings[finding % Math.max(1, subject.findings.length)];
          if (target?.state !== 'Failed') return;
          const ids = new Set([target.id]);
          const act = (kind: Act['kind']) => afterAct(estate, { kind, asset, finding, given, days: 40 });
          const tried = (change: Parameters<typeof applyWhatIf>[1]) => ({
            ...estate,
            subjects: estate.subjects.map((one) => applyWhatIf(one, change, catalogue, estate.at)),
          });
          const riskOf = (one: typeof estate) => estateRisk(one, catalogue, targeting);
          // An expired finding that passes is active again; what-if is about findings that are active.
          if (target.activeUntil <= estate.at) return;
          expect(riskOf(tried({ fixed: ids }))).toEqual(riskOf(act('pass')));
          expect(riskOf(tried({ accepted: ids }))).toEqual(riskOf(act('accept')));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never raises by a CVE that is fixed everywhere, and keeps detections', () => {
    fc.assert(
      fc.property(estates, threatCatalogues, targetings, (estate, catalogue, targeting) => {
        const fixedCves = new Set(CVES);
        const subjects = estate.subjects.map((one) => applyWhatIf(one, { fixedCves }, catalogue, estate.at));
        const before = estateRisk(estate, catalogue, targeting);
        const after = estateRisk({ ...estate, subjects }, catalogue, targeting);
        const figures = allFigures(before);
        expect(allFigures(after).filter((figure, i) => figure > figures[i]!)).toEqual([]);
        for (const [i, subject] of subjects.entries()) {
          const threats = assetThreats(subject, catalogue, estate.at, targeting);
          expect([...threats.weaknesses.values()].filter(({ exposures: [{ cve }] }) => cve !== null)).toEqual(
            [],
          );
          const given = assetThreats(estate.subjects[i]!, catalogue, estate.at, targeting);
          expect(threats.evidence.map(({ hazard }) => hazard)).toEqual(
            given.evidence.map(({ hazard }) => hazard),
          );
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('ranking', () => {
  it('puts one known-exploited hole above a thousand unknown ones of the same kind', () => {
    const unknown = Array.from({ length: 1_000 }, (_, i) => `CVE-2023-${10_000 + i}`);
    fc.assert(
      fc.property(findings('f1'), estates, targetings, (finding, { subjects }, targeting) => {
        const failing = { ...finding, type: 'va' as const, state: 'Failed' as const, activeUntil: AT + 1 };
        const catalogue = threatCatalogueOf({ kev: [CVES[0]!] });
        const scoreOf = (cves: string[]) => {
          const mappings = { cves, techniques: [] };
          const failures = [{ severity: failing.severity, ...mappings }];
          const one = { ...failing, ...mappings, failures };
          return scoreAsset({ asset: subjects[0]!.asset, findings: [one] }, catalogue, AT, targeting).score!;
        };
        expect(scoreOf([CVES[0]!])).toBeGreaterThanOrEqual(scoreOf(unknown));
      }),
      { numRuns: 20 },
    );
  });

  it('puts no hole above an unreviewed detection of an impact technique', () => {
    const detection = assessedFinding('f1', { type: 'edr', techniques: ['T1486'] });
    const control = assessedFinding('f2', { type: 'ca', techniques: ['T1190'] });
    const hole = assessedFinding('f3', {
      cves: [CVES[0]!],
      severity: { value: 10, version: null, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
    });
    const catalogue = threatCatalogueOf({ epss: { [CVES[0]!]: 1 }, ransomware: [CVES[0]!] });
    fc.assert(
      fc.property(targetings, (targeting) => {
        const exposed = threatenedAsset({ ipAddresses: ['8.8.8.8'] });
        const hazardsOf = assetThreats(
          { asset: exposed, findings: [detection, control, hole] },
          catalogue,
          AT,
          targeting,
        );
        const greatest = Math.max(...[...hazardsOf.weaknesses.values()].map(({ hazard }) => hazard));
        expect(greatest).toBeLessThan(hazardsOf.evidence[0]!.hazard.best);
      }),
    );
  });
});

describe('a group', () => {
  it('does not rise when its clean assets lose their last finding, as posture-1 did', () => {
    const targeting = targetingOf({ low: 0.1, best: 0.1, high: 0.1 });
    const catalogue = threatCatalogueOf({ kev: [CVES[0]!] });
    const hole = assessedFinding('f1', { cves: [CVES[0]!] });
    const weak = assessedFinding('f2', { cves: [CVES[1]!] });
    const groupOf = (clean: (typeof weak)[]) => {
      const subjects = Array.from({ length: 10 }, (_, i) => ({
        asset: threatenedAsset({ id: `a${i}` }),
        findings: i === 0 ? [hole] : clean,
      }));
      const risks = assetRisks({ subjects, at: AT }, catalogue, targeting);
      return groupRisk(risks.map(groupSumsOf).reduce(addGroupSums, EMPTY_GROUP_SUMS), targeting);
    };
    const [failing, gone] = [groupOf([weak]), groupOf([])];
    expect([failing.scoredAssets, gone.scoredAssets]).toEqual([10, 1]);
    expect(gone.score!).toBeLessThan(failing.score!);
  });
});
