import { describe, expect, it } from '@jest/globals';
import { TLS_VULNERABILITIES, VULNERABILITIES } from './vulnerabilities.ts';

/** CVSS 3.1 specification §7.1 and §7.4, written out here as an independent check of the table. */
const WEIGHTS: Record<string, Record<string, number>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};
const PRIVILEGES: Record<string, Record<string, number>> = {
  U: { N: 0.85, L: 0.62, H: 0.27 },
  C: { N: 0.85, L: 0.68, H: 0.5 },
};

function roundUp(value: number): number {
  const hundredThousands = Math.round(value * 100_000);
  return hundredThousands % 10_000 === 0
    ? hundredThousands / 100_000
    : (Math.floor(hundredThousands / 10_000) + 1) / 10;
}

function baseScoreOf(vector: string): number {
  const metrics = Object.fromEntries(
    vector
      .split('/')
      .slice(1)
      .map((part) => part.split(':') as [string, string]),
  );
  const weight = (metric: string) => WEIGHTS[metric]![metrics[metric]!]!;
  const changed = metrics.S === 'C';
  const subScore = 1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A'));
  const impact = changed ? 7.52 * (subScore - 0.029) - 3.25 * (subScore - 0.02) ** 15 : 6.42 * subScore;
  const exploitability =
    8.22 * weight('AV') * weight('AC') * PRIVILEGES[metrics.S!]![metrics.PR!]! * weight('UI');
  if (impact <= 0) return 0;
  return roundUp(Math.min((changed ? 1.08 : 1) * (impact + exploitability), 10));
}

const all = [...VULNERABILITIES, ...TLS_VULNERABILITIES];

describe('vulnerabilities of the demo', () => {
  it.each(all.map(({ cve, vector, baseScore }) => [cve, vector, baseScore] as const))(
    '%s: %s is %d (CVSS 3.1 base formula)',
    (_cve, vector, baseScore) => {
      expect(vector).toMatch(
        /^CVSS:3\.1\/AV:[NALP]\/AC:[LH]\/PR:[NLH]\/UI:[NR]\/S:[UC]\/C:[HLN]\/I:[HLN]\/A:[HLN]$/,
      );
      expect(baseScoreOf(vector)).toBe(baseScore);
    },
  );

  it('names each CVE and each finding once (R-FIND-1)', () => {
    expect(new Set(all.map(({ cve }) => cve)).size).toBe(all.length);
    expect(new Set(all.map(({ name }) => name.toLowerCase())).size).toBe(all.length);
    expect(all.every(({ cve }) => /^CVE-\d{4}-\d{4,}$/.test(cve))).toBe(true);
  });
});
