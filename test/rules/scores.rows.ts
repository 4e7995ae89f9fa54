import { expect } from '@jest/globals';
import type { Row } from './row.ts';
import { entity, failed, named, passed, signal } from './signals.ts';
import { HOUR_MS } from './site.ts';

const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N';
const KNOWN = 'CVE-2024-71001';
const EXPLOITED = 'CVE-2024-71002';
const REJECTED = 'CVE-2024-71003';
const LATER = 'CVE-2024-71004';

const cves = (value: string, given: object = {}) =>
  failed({ standardsMapping: [{ name: 'cve', value }], ...given });
const severity = (value: number, vector?: string) => ({
  severity: { type: 'cvss', value, ...(vector && { cvss: { vector } }) },
});
const technique = (value: number) =>
  failed({ standardsMapping: [{ name: 'ttp', value: 'T1059' }], ...severity(value) });

const rated = (host: string, criticality: string, given: object) =>
  signal(host, { ...entity(host, { criticality }), ...given });

export const SCORES: Row[] = [
  {
    rule: 'R-SCORE-2',
    says: 'accepted and qualified findings contribute 0: the score is 0, not null',
    holds: async (site) => {
      const host = site.host();
      await site.upload([named('passed', host, passed())]);
      expect(await site.score(host)).toMatchObject({ score: 0, breachLikelihood: 0, contributions: [] });
      const accepted = site.host();
      await site.acceptedOn(accepted);
      expect(await site.score(accepted)).toMatchObject({ score: 0 });
    },
  },
  {
    rule: 'R-SCORE-2',
    says: '`score` is null if all findings with a mapping have expired',
    holds: async (site) => {
      const host = site.host();
      await site.upload([signal(host, { expiresAt: site.in(HOUR_MS) })]);
      expect((await site.score(host)).score).toBeGreaterThan(0);
      await site.pass(HOUR_MS);
      expect(await site.score(host)).toMatchObject({ score: null, breachLikelihood: null });
    },
  },
  ...(
    [
      ['low', 0.1, 0.01],
      ['medium', 4, 0.03],
      ['high', 7, 0.07],
      ['critical', 9, 0.09],
    ] as const
  ).map(
    ([rating, value, probability]): Row => ({
      rule: 'R-SCORE-4',
      says: `without a forecast the probability follows from severity: ${rating}`,
      holds: async (site) => {
        const host = site.host();
        await site.upload([rated(host, 'critical', technique(value))]);
        expect(await site.score(host)).toMatchObject({
          breachLikelihood: probability,
          score: Math.round(100 * probability),
          contributions: [{ probability, share: Math.round(100 * probability) }],
        });
      },
    }),
  ),
  {
    rule: 'R-SCORE-3',
    says: 'severity is the CVSS environmental score if a vector is given, with the asset’s requirements',
    holds: async (site) => {
      const host = site.host();
      const attributes = { criticality: 'critical', confidentialityRequirement: 'high' };
      const given = { ...entity(host, attributes), ...cves('CVE-2024-71000', severity(5, VECTOR)) };
      await site.upload([signal(host, given)]);
      const { breachLikelihood, contributions } = await site.score(host);
      expect([breachLikelihood, contributions[0].why]).toEqual([0.09, expect.stringContaining('9.3')]);
    },
  },
  {
    rule: 'R-SCORE-3',
    says: 'a malformed vector falls back to the value, and is counted',
    holds: async (site) => {
      const host = site.host();
      await site.upload([rated(host, 'critical', cves('CVE-2024-71000', severity(5, 'CVSS:3.1/AV:X')))]);
      expect(await site.score(host)).toMatchObject({ breachLikelihood: 0.03, malformedVectors: 1 });
    },
  },
  {
    rule: 'R-SCORE-4',
    says: 'EPSS if known, at least 0.9 if the CVE is in KEV; likelihood is 1 − Π(1 − p)',
    holds: async (site) => {
      const host = site.host();
      await site.know('epss', { [KNOWN]: { probability: 0.2, date: '2026-03-01' } });
      await site.know('kev', { [EXPLOITED]: { dateAdded: '2026-01-15' } });
      await site.upload([
        named('known', host, { ...entity(host, { criticality: 'critical' }), ...cves(KNOWN) }),
        named('exploited', host, cves(EXPLOITED)),
      ]);
      const { score, breachLikelihood, contributions } = await site.score(host);
      expect([score, breachLikelihood]).toEqual([92, 0.92]);
      expect(contributions).toMatchObject([
        { name: 'exploited', probability: 0.9 },
        { name: 'known', probability: 0.2 },
      ]);
    },
  },
  {
    rule: 'R-SCORE-5',
    says: 'findings of the same CVE on an asset count once',
    holds: async (site) => {
      const host = site.host();
      const same = cves('CVE-2024-71000');
      await site.upload([named('one', host, same)]);
      const { score } = await site.score(host);
      await site.upload([named('two', host, same)]);
      expect((await site.score(host)).score).toBe(score);
    },
  },
  ...(
    [
      ['critical', 1],
      ['high', 0.9],
      ['medium', 0.7],
      ['low', 0.4],
      ['info', 0.2],
    ] as const
  ).map(
    ([criticality, weight]): Row => ({
      rule: 'R-SCORE-6',
      says: `risk = 100 × likelihood × criticality weight: ${criticality}`,
      holds: async (site) => {
        const host = site.host();
        await site.upload([rated(host, criticality, technique(9))]);
        expect((await site.score(host)).score).toBeCloseTo(9 * weight, 6);
      },
    }),
  ),
  {
    rule: 'R-SCORE-8',
    says: 'every score explains itself: the shares of its findings add up to it',
    holds: async (site) => {
      const host = site.host();
      await site.upload(
        [9, 7, 5, 3, 9].map((value, i) =>
          named(`finding ${i}`, host, cves(`CVE-2024-7101${i}`, severity(value))),
        ),
      );
      const { score, contributions, model, catalogue } = await site.score(host);
      const hundredths = contributions.map(({ share }: { share: number }) => Math.round(share * 100));
      expect(hundredths.reduce((a: number, b: number) => a + b)).toBe(Math.round(score * 100));
      expect(contributions).toHaveLength(5);
      expect([model, catalogue]).toEqual(['posture-1', expect.stringMatching(/^attack/)]);
    },
  },
  {
    rule: 'R-CAT-2',
    says: 'a Rejected CVE does not count from its import on; a score as of before uses the rows of before',
    holds: async (site) => {
      const host = site.host();
      const found = await site.findingOf(host, signal(host, cves(REJECTED)));
      const { score, at } = await site.score(host);
      await site.pass(HOUR_MS);
      await site.know('cve', { [REJECTED]: { state: 'REJECTED' } });
      expect((await site.score(host)).score).toBeNull();
      expect(await site.get(found.id)).toMatchObject({
        state: 'Failed',
        counted: false,
        notCountedBecause: expect.stringMatching(/rejected/i),
      });
      const { id } = await site.asset(host);
      const before = await site.client.get(`/api/v3/assets/${id}/score?asOf=${at}`);
      expect([before.score, score]).toEqual([score, expect.any(Number)]);
      await site.know('cve', { [REJECTED]: { state: 'PUBLISHED' } });
      expect((await site.score(host)).score).toBe(score);
    },
  },
  {
    rule: 'R-CAT-3',
    says: 'an import is a logged event with a content hash',
    holds: async (site) => {
      await site.know('kev', { [EXPLOITED]: { dateAdded: '2026-01-15' } });
      const [act] = await site.client.all('/api/v3/audit?action=catalogue.imported');
      expect(act).toMatchObject({
        target: 'kev',
        detail: { after: { rows: 1, contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      });
    },
  },
  {
    rule: 'R-CAT-8',
    says: 'an import that counts from an earlier instant changes scores from there on, stored ones too',
    holds: async (site) => {
      const host = site.host();
      await site.upload([signal(host, cves(LATER))]);
      const { score: before, at } = await site.score(host);
      await site.pass(2 * HOUR_MS);
      const since = site.now - HOUR_MS;
      await site.know('kev', { [LATER]: { dateAdded: '2026-01-15' } }, since);
      const { score: after } = await site.score(host);
      expect(after).toBeGreaterThan(before);
      const { id } = await site.asset(host);
      const { pool } = site.gateway.database;
      for (const [instant, expected] of [
        [Date.parse(at), before],
        [since - 1, before],
        [since, after],
      ]) {
        const asOf = new Date(instant).toISOString();
        const { score } = await site.client.get(`/api/v3/assets/${id}/score?asOf=${asOf}`);
        const { rows } = await pool.query(
          `select h.score from score_history h join assets a using (asset_no)
           where a.name = $1 and h.valid_from <= $2 and h.valid_to > $2`,
          [host, asOf],
        );
        expect([score, rows]).toEqual([expected, [{ score: Math.round(expected * 100) }]]);
      }
    },
  },
  {
    rule: 'R-CAT-9',
    says: 'an import of ATT&CK decides from then on which techniques count',
    holds: async (site) => {
      const host = site.host();
      await site.upload([signal(host, failed({ standardsMapping: [{ name: 'ttp', value: 'T1620' }] }))]);
      const { score, at } = await site.score(host);
      expect(score).toBeGreaterThan(0);
      await site.pass(HOUR_MS);
      const revoked = { name: 'Reflective Code Loading', tactics: [], revoked: true, deprecated: false };
      await site.know('attack', { T1620: { ...revoked, revokedBy: null, mitigations: [] } });
      expect((await site.score(host)).score).toBeNull();
      const { id } = await site.asset(host);
      expect((await site.client.get(`/api/v3/assets/${id}/score?asOf=${at}`)).score).toBe(score);
    },
  },
];
