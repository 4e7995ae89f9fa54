import { describe, expect, it } from '@jest/globals';
import {
  type KnownThreats,
  threatCatalogueOf,
} from '../../../../../test/fixtures/domain/threatened-subjects.ts';
import { cveBaseHazard, unforecastBaseHazard } from './base-hazard.ts';
import { vectorFactsOf } from './vector-facts.ts';

const CVE = 'CVE-2024-1111';
const of = (known: KnownThreats) => cveBaseHazard(CVE, 9.8, null, threatCatalogueOf(known));

describe('the base hazard', () => {
  it.each<[string, KnownThreats, number, number]>([
    ['EPSS', { epss: { [CVE]: 0.5 } }, 0.5, 6_931_471_806],
    ['KEV', { kev: [CVE] }, 0.9, 23_025_850_930],
    ['KEV with a lower EPSS', { epss: { [CVE]: 0.5 }, kev: [CVE] }, 0.9, 23_025_850_930],
    ['KEV with ransomware', { ransomware: [CVE] }, 0.95, 29_957_322_736],
    ['EPSS above KEV', { epss: { [CVE]: 0.97 }, ransomware: [CVE] }, 0.97, 35_065_578_973],
    ['EPSS 1', { epss: { [CVE]: 1 } }, 0.9999, 92_103_403_720],
    ['EPSS 0, which is not unknown', { epss: { [CVE]: 0 } }, 0, 0],
    ['severity, without a forecast', {}, 0.06, 618_754_037],
  ])('of %s', (_, known, probability, hazard) => {
    expect(of(known)).toMatchObject({ probability, hazard });
  });

  it('falls by half with each obstacle in a vector, three at most, whatever the severity', () => {
    const vectors = ['AC:L/PR:N/UI:N', 'AC:H/PR:N/UI:N', 'AC:H/PR:L/UI:N', 'AC:H/PR:L/UI:R'].map((metrics) =>
      vectorFactsOf({ vector: `CVSS:3.1/AV:N/${metrics}/S:U/C:H/I:H/A:H`, version: null }),
    );
    expect(vectors.map((vector) => unforecastBaseHazard(1, vector).probability)).toEqual([
      0.06, 0.03, 0.015, 0.0075,
    ]);
    const four = { ...vectors[3]!, obstacles: 4 };
    expect(unforecastBaseHazard(10, four).probability).toBe(0.0075);
  });

  it('follows the severity without a vector', () => {
    expect([0, 0.1, 3.9, 4, 7, 9, 10].map((one) => unforecastBaseHazard(one, null).probability)).toEqual([
      0.001, 0.0075, 0.0075, 0.015, 0.03, 0.06, 0.06,
    ]);
  });
});
