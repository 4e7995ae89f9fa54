import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AT } from '../../../../../test/fixtures/domain/subjects.ts';
import {
  assessedFinding,
  threatCatalogueOf,
  threatenedSubject,
} from '../../../../../test/fixtures/domain/threatened-subjects.ts';
import {
  assetRisks,
  CVES,
  type Estate,
  estateRisk,
  estates,
  threatCatalogues,
} from '../../../../../test/support/estates.ts';
import { isActive } from '../scoring-facts.ts';
import { bestFixes } from './best-fixes.ts';
import type { ThreatCatalogue } from './facts.ts';
import { fixEffects } from './fix-effects.ts';
import { DEFAULT_TARGETING } from './targeting.ts';
import { applyWhatIf } from './what-if.ts';

const changed = (estate: Estate, change: Parameters<typeof applyWhatIf>[1], catalogue: ThreatCatalogue) => ({
  ...estate,
  subjects: estate.subjects.map((one) => applyWhatIf(one, change, catalogue, estate.at)),
});

describe('the effect of a fix', () => {
  it('is what what-if computes, of every finding and CVE (property)', () => {
    fc.assert(
      fc.property(estates, threatCatalogues, (estate, catalogue) => {
        for (const subject of estate.subjects) {
          const one = { subjects: [subject], at: estate.at };
          const { before, fixes } = fixEffects(subject, catalogue, estate.at, DEFAULT_TARGETING);
          expect(before).toEqual(assetRisks(one, catalogue, DEFAULT_TARGETING)[0]);
          for (const { kind, id, after } of fixes) {
            const change = kind === 'finding' ? { fixed: new Set([id]) } : { fixedCves: new Set([id]) };
            const tried = changed(one, change, catalogue);
            expect([kind, id, after]).toEqual([kind, id, assetRisks(tried, catalogue, DEFAULT_TARGETING)[0]]);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is computed of any number of findings of one CVE', () => {
    const count = 150_000;
    const findings = Array.from({ length: count }, (_, i) => assessedFinding(`f${i}`, { cves: [CVES[0]!] }));
    const { before, fixes } = fixEffects(
      threatenedSubject(findings),
      threatCatalogueOf({}),
      AT,
      DEFAULT_TARGETING,
    );
    expect(fixes).toHaveLength(count + 1);
    expect(fixes.filter(({ after }) => after.score !== before.score)).toMatchObject([{ kind: 'cve' }]);
  });
});

/** A control that failed and has ended is not listed, although its pass would protect again. */
const withoutEndedControls = ({ subjects, at }: Estate): Estate => ({
  at,
  subjects: subjects.map(({ asset, findings }) => ({
    asset,
    findings: findings.filter((one) => isActive(one, at) || (one.type !== 'ca' && one.type !== 'uba')),
  })),
});

describe('the best fixes', () => {
  it('equal a brute-force search on random organizations, in any order of assets', async () => {
    await fc.assert(
      fc.asyncProperty(estates.map(withoutEndedControls), threatCatalogues, async (estate, catalogue) => {
        const found = await bestFixes(estate.subjects, catalogue, estate.at, { limit: 3 });
        const scoreAfter = (change: Parameters<typeof applyWhatIf>[1]) =>
          estateRisk(changed(estate, change, catalogue), catalogue, DEFAULT_TARGETING).organization;
        expect(found.before).toEqual(estateRisk(estate, catalogue, DEFAULT_TARGETING).organization);
        for (const { id, after } of found.findings)
          expect(after).toEqual(scoreAfter({ fixed: new Set([id]) }));
        for (const { id, after } of found.cves)
          expect(after).toEqual(scoreAfter({ fixedCves: new Set([id]) }));
        const findings = estate.subjects.flatMap((one) => one.findings.map(({ id }) => id));
        const all = [
          findings.map((id) => scoreAfter({ fixed: new Set([id]) }).score ?? 0),
          CVES.map((id) => scoreAfter({ fixedCves: new Set([id]) }).score ?? 0),
        ];
        for (const [i, fixes] of [found.findings, found.cves].entries()) {
          const least = Math.min(found.before.score ?? 0, ...all[i]!);
          if (fixes[0]) expect(fixes[0].after.score).toBe(least);
          else expect(least).toBe(found.before.score ?? 0);
        }
        const reversed = [...estate.subjects].reverse();
        expect(await bestFixes(reversed, catalogue, estate.at, { limit: 3 })).toEqual(found);
      }),
      { numRuns: 150 },
    );
  });

  it('rank a control by the weaknesses that it protects', async () => {
    const subject = threatenedSubject([
      assessedFinding('hole', { cves: [CVES[0]!] }),
      assessedFinding('weak', { cves: [CVES[1]!], severity: { value: 5, version: null, vector: null } }),
      assessedFinding('control', {
        type: 'ca',
        techniques: ['T1190'],
        severity: { value: 1, version: null, vector: null },
      }),
    ]);
    const { findings, cves } = await bestFixes([subject], threatCatalogueOf({ kev: [CVES[0]!] }), AT);
    expect(findings.map(({ id }) => id)).toEqual(['hole', 'control', 'weak']);
    expect(cves.map(({ id, assets }) => [id, assets])).toEqual([
      [CVES[0], 1],
      [CVES[1], 1],
    ]);
    expect(findings.every(({ lowersBy }) => lowersBy > 0 || lowersBy === 0)).toBe(true);
    expect(findings[1]!.lowersBy).toBeGreaterThan(3);
  });
});
