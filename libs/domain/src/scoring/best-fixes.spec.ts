import { describe, expect, it } from '@jest/globals';
import { AT, catalogueOf, findingFacts, subject } from '../../../../test/fixtures/domain/subjects.ts';
import { bestFixes } from './best-fixes.ts';
import { addRiskSums, riskSumOf } from './group-score.ts';

const [CVE, OTHER] = ['CVE-2024-1111', 'CVE-2024-2222'];
const asset = (id: string, ...findings: [id: string, ...cves: string[]][]) =>
  subject(
    findings.map(([finding, ...cves]) => findingFacts(finding, { cves })),
    { id },
  );

describe('the best fixes', () => {
  it('state the finding, its asset, and the score after the fix', async () => {
    const fixes = await bestFixes([asset('a', ['f1', CVE]), asset('b', ['f2', CVE])], catalogueOf(), AT);
    const half = { kind: 'finding', assets: 1, scoreAfter: 5.89, lowersBy: 1.11 };
    expect(fixes).toEqual({
      score: 7,
      findings: [
        { ...half, id: 'f1', assetId: 'a', name: 'Finding f1' },
        { ...half, id: 'f2', assetId: 'b', name: 'Finding f2' },
      ],
      cves: [{ kind: 'cve', id: CVE, assetId: null, name: null, assets: 2, scoreAfter: 0, lowersBy: 7 }],
    });
  });

  it('count a finding only for CVEs without another finding on its asset', async () => {
    const known = catalogueOf({ epss: { [CVE]: 0.4, [OTHER]: 0.2 } });
    const { findings, cves } = await bestFixes([asset('a', ['f1', CVE, OTHER], ['f2', CVE])], known, AT);
    // f2 carries nothing, as f1 has its CVE too.
    expect(findings).toMatchObject([{ id: 'f1', lowersBy: 12 }]);
    expect(cves.map(({ id }) => id)).toEqual([CVE, OTHER]);
  });

  it('take assets that are not looked at as a sum', async () => {
    const unchanged = addRiskSums(
      riskSumOf({ score: 7, breachLikelihood: 0.07 }),
      riskSumOf({ score: null, breachLikelihood: null }),
    );
    const fixes = await bestFixes([asset('a', ['f1', CVE])], catalogueOf(), AT, { unchanged });
    expect(fixes).toMatchObject({ score: 7, findings: [{ scoreAfter: 5.89 }] });
  });

  it('are the best of many, ten or as many as requested', async () => {
    const cve = (i: number) => `CVE-2024-${10_000 + i}`;
    const n = 400;
    const epss = Object.fromEntries(Array.from({ length: n }, (_, i) => [cve(i), (i + 1) / 1000]));
    // The best ones come early, late and in between.
    const order = Array.from({ length: n }, (_, i) => (i * 151) % n);
    const assets = order.map((i) => asset(`a${i}`, [`f${i}`, cve(i)]));
    const best = Array.from({ length: 10 }, (_, i) => n - 1 - i);
    const ten = await bestFixes(assets, catalogueOf({ epss }), AT);
    expect(ten.findings.map(({ id }) => id)).toEqual(best.map((i) => `f${i}`));
    expect(ten.cves.map(({ id }) => id)).toEqual(best.map(cve));
    const two = await bestFixes(assets, catalogueOf({ epss }), AT, { limit: 2 });
    expect(two.findings.map(({ id }) => id)).toEqual(best.slice(0, 2).map((i) => `f${i}`));
  });

  it('are in the order of assets, then of ids, if they lower the score equally', async () => {
    const assets = [asset('b', ['f4', CVE], ['f1', OTHER]), asset('a', ['f3', OTHER], ['f2', CVE])];
    const { findings, cves } = await bestFixes(assets, catalogueOf(), AT);
    expect(findings.map(({ id }) => id)).toEqual(['f2', 'f3', 'f1', 'f4']);
    expect(cves.map(({ id }) => id)).toEqual([CVE, OTHER]);
  });

  it('are none if nothing is scored', async () => {
    const none = { score: null, findings: [], cves: [] };
    expect(await bestFixes([], catalogueOf(), AT)).toEqual(none);
    expect(await bestFixes([asset('a', ['f1'])], catalogueOf(), AT)).toEqual(none);
  });
});
