import { describe, expect, it } from '@jest/globals';
import { assetFacts, findingFacts } from '../../../../test/fixtures/domain/subjects.ts';
import { cvssScore } from './cvss-score.ts';
import { parseCvssVector } from './cvss-vector.ts';
import { findingSeverity } from './finding-severity.ts';
import { severityRow } from './severity-table.ts';

const scoreOf = (vector: string, version: string | null = null) => {
  const parsed = parseCvssVector(vector, version);
  if (!parsed) throw new Error(`malformed: ${vector}`);
  return cvssScore(parsed);
};

/** "A Complete Guide to the Common Vulnerability Scoring System Version 2.0", section 3.3. */
// biome-ignore format: one row a line
const GUIDE_2_0: [example: string, vector: string, score: number][] = [
  ['3.3.1 CVE-2002-0392, base', 'AV:N/AC:L/Au:N/C:N/I:N/A:C', 7.8],
  ['3.3.1 CVE-2002-0392, temporal', 'AV:N/AC:L/Au:N/C:N/I:N/A:C/E:F/RL:OF/RC:C', 6.4],
  ['3.3.1 CVE-2002-0392, environmental at most', 'AV:N/AC:L/Au:N/C:N/I:N/A:C/E:F/RL:OF/RC:C/CDP:H/TD:H/CR:M/IR:M/AR:H', 9.2],
  ['3.3.1 CVE-2002-0392, environmental at least', 'AV:N/AC:L/Au:N/C:N/I:N/A:C/E:F/RL:OF/RC:C/CDP:N/TD:N/CR:M/IR:M/AR:H', 0],
  ['3.3.1 CVE-2002-0392, temporal, unconfirmed', 'AV:N/AC:L/Au:N/C:N/I:N/A:C/E:F/RL:OF/RC:UC', 5.8],
  ['3.3.2 CVE-2003-0818, base', 'AV:N/AC:L/Au:N/C:C/I:C/A:C', 10],
  ['3.3.2 CVE-2003-0818, temporal', 'AV:N/AC:L/Au:N/C:C/I:C/A:C/E:F/RL:OF/RC:C', 8.3],
  ['3.3.2 CVE-2003-0818, environmental', 'AV:N/AC:L/Au:N/C:C/I:C/A:C/E:F/RL:OF/RC:C/CDP:H/TD:H/CR:M/IR:M/AR:L', 9],
  ['3.3.3 CVE-2003-0062, base', 'AV:L/AC:H/Au:N/C:C/I:C/A:C', 6.2],
  ['3.3.3 CVE-2003-0062, temporal', 'AV:L/AC:H/Au:N/C:C/I:C/A:C/E:POC/RL:OF/RC:C', 4.9],
  ['3.3.3 CVE-2003-0062, environmental', 'AV:L/AC:H/Au:N/C:C/I:C/A:C/E:POC/RL:OF/RC:C/CDP:H/TD:H/CR:M/IR:M/AR:M', 7.5],
];

/** FIRST, "CVSS v3.0 Examples"; those of v3.1 have the same vectors and base scores. */
// biome-ignore format: one row a line
const EXAMPLES_3: [cve: string, metrics: string, base: number][] = [
  ['CVE-2013-1937', 'AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
  ['CVE-2013-0375', 'AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
  ['CVE-2014-3566', 'AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1],
  ['CVE-2012-1516', 'AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 9.9],
  ['CVE-2009-0783', 'AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:L', 4.2],
  ['CVE-2012-0384', 'AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8],
  ['CVE-2015-1098', 'AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H', 7.8],
  ['CVE-2014-0160', 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5],
  ['CVE-2014-6271', 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
  ['CVE-2008-1447', 'AV:N/AC:H/PR:N/UI:N/S:C/C:N/I:H/A:N', 6.8],
  ['CVE-2014-2005', 'AV:P/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 6.8],
  ['CVE-2010-0467', 'AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:N/A:N', 5.8],
  ['CVE-2012-1342', 'AV:N/AC:L/PR:N/UI:N/S:C/C:N/I:L/A:N', 5.8],
  ['CVE-2014-9253', 'AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N', 5.4],
  ['CVE-2014-2019', 'AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N', 4.6],
  ['CVE-2015-0970', 'AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H', 8.8],
  ['CVE-2014-0224', 'AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N', 7.4],
  ['CVE-2012-5376', 'AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H', 9.6],
];

/** FIRST, "CVSS v4.0 Examples". */
// biome-ignore format: one row a line
const EXAMPLES_4: [example: string, metrics: string, score: number][] = [
  ['CVE-2022-41741', 'AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.3],
  ['CVE-2020-3549', 'AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.7],
  ['CVE-2020-3549, with threat', 'AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:U', 5.2],
  ['CVE-2023-3089', 'AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N', 8.3],
  ['CVE-2023-3089, with environment', 'AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N/CR:H/IR:L/AR:L/MAV:N/MAC:H/MVC:H/MVI:L/MVA:L', 8.1],
  ['CVE-2021-44714', 'AV:L/AC:L/AT:N/PR:N/UI:A/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N', 4.6],
  ['CVE-2022-21830', 'AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N', 5.1],
  ['CVE-2022-22186', 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N', 6.9],
  ['CVE-2023-21989', 'AV:L/AC:L/AT:N/PR:H/UI:N/VC:N/VI:N/VA:N/SC:H/SI:N/SA:N', 5.9],
  ['CVE-2014-0160', 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N/E:A', 8.7],
  ['CVE-2021-44228', 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:A', 10],
  ['CVE-2013-6014', 'AV:A/AC:L/AT:N/PR:N/UI:N/VC:N/VI:L/VA:N/SC:H/SI:N/SA:H', 6.4],
];

describe('CVSS (R-SCORE-3)', () => {
  it.each(GUIDE_2_0)('2.0 guide %s: %s is %d', (_, vector, score) => {
    expect(scoreOf(vector)).toBe(score);
    expect(scoreOf(`(${vector})`)).toBe(score);
  });

  it.each(EXAMPLES_3)('3.0 and 3.1 examples %s: %s is %d', (_, metrics, score) => {
    expect(scoreOf(`CVSS:3.0/${metrics}`)).toBe(score);
    expect(scoreOf(`CVSS:3.1/${metrics}`)).toBe(score);
    expect(scoreOf(metrics, '3.0')).toBe(score);
    expect(scoreOf(metrics.toLowerCase())).toBe(score);
  });

  it.each(EXAMPLES_4)('4.0 examples %s: %s is %d', (_, metrics, score) => {
    expect(scoreOf(`CVSS:4.0/${metrics}`)).toBe(score);
    expect(scoreOf(metrics)).toBe(score);
  });

  it('reads a vector with spaces around it and around its version', () => {
    const metrics = 'AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H/CR:M';
    expect(parseCvssVector(` (${metrics}) `, ' 3.0 ')).toEqual(parseCvssVector(metrics, '3.0'));
  });

  it('distinguishes 3.0 from 3.1: the environment of a changed scope', () => {
    const metrics = 'AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H/CR:M';
    expect([scoreOf(metrics, '3.0'), scoreOf(metrics, '3.1'), scoreOf(metrics)]).toEqual([9.9, 10, 10]);
  });

  it.each([
    '',
    'high',
    'CVSS:3.1',
    'CVSS:3.1/',
    'CVSS:3.2/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:X',
    'CVSS:3.1/AV:N/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:Q/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/ZZ:Q',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/',
    'CVSS:3.1/AV:N:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:4.0/AV:N/AC:L/Au:N/C:N/I:N/A:C',
    'AV:N/AC:L/Au:N/C:N/I:N',
    'x(AV:N/AC:L/Au:N/C:N/I:N/A:C)',
    '(AV:N/AC:L/Au:N/C:N/I:N/A:C)x',
    '(AV:N/AC:L/Au:N/C:N/I:N/A:C',
    'constructor:N/AC:L/Au:N/C:N/I:N/A:C',
  ])('%p is malformed', (vector) => {
    expect(parseCvssVector(vector, null)).toBeNull();
  });
});

describe('the severity of a finding (R-SCORE-3)', () => {
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N';
  const withVector = (text: string | null) =>
    findingFacts('f1', { severity: { value: 6.3, version: null, vector: text } });

  it('takes the requirements of the asset for CR, IR and AR', () => {
    const value = (level: 'critical' | 'high' | 'medium' | 'low' | 'info' | null) =>
      findingSeverity(withVector(vector), assetFacts({ confidentialityRequirement: level })).value;
    expect([null, 'critical', 'high', 'medium', 'low', 'info'].map((level) => value(level as null))).toEqual([
      7.5, 9.3, 9.3, 7.5, 5.7, 5.7,
    ]);
  });

  it('keeps values of the vector unless the asset has its own', () => {
    const own = withVector(`${vector}/CR:L`);
    expect(findingSeverity(own, assetFacts()).value).toBe(5.7);
    expect(findingSeverity(own, assetFacts({ confidentialityRequirement: 'high' }))).toEqual({
      value: 9.3,
      vector: `${vector}/CR:H`,
      isVectorMalformed: false,
    });
  });

  it('names a vector of version 2 without a prefix, with the requirements of the asset', () => {
    const own = withVector('AV:N/AC:L/Au:N/C:P/I:P/A:P');
    const asset = assetFacts({ integrityRequirement: 'high', availabilityRequirement: 'low' });
    expect(findingSeverity(own, asset).vector).toBe('AV:N/AC:L/Au:N/C:P/I:P/A:P/IR:H/AR:L');
  });

  it('is the value if a vector is longer than any that a version knows', () => {
    const long = `${vector}${' '.repeat(500)}`;
    expect(findingSeverity(withVector(long), assetFacts())).toMatchObject({
      value: 6.3,
      isVectorMalformed: true,
    });
  });

  it.each([
    [0, 'none'],
    [0.1, 'low'],
    [3.9, 'low'],
    [4, 'medium'],
    [6.9, 'medium'],
    [7, 'high'],
    [8.9, 'high'],
    [9, 'critical'],
    [10, 'critical'],
  ])('%d is rated %s, as in CVSS 3.1', (severity, rating) => {
    expect(severityRow(severity).rating).toBe(rating);
  });

  it('is the value if there is no vector, and if the vector is malformed, which is reported', () => {
    expect(findingSeverity(withVector(null), assetFacts())).toEqual({
      value: 6.3,
      vector: null,
      isVectorMalformed: false,
    });
    expect(findingSeverity(withVector('AV:N'), assetFacts())).toEqual({
      value: 6.3,
      vector: null,
      isVectorMalformed: true,
    });
  });

  it('does not confuse a vector with one that contains a version', () => {
    const severityOf = (text: string, version: string | null) =>
      findingSeverity(findingFacts('f1', { severity: { value: 6.3, version, vector: text } }), assetFacts());
    const own = 'CVSS:3.1/AV:A/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N';
    expect(severityOf(`${own} 3.1`, null).isVectorMalformed).toBe(true);
    expect(severityOf(own, '3.1 null').isVectorMalformed).toBe(false);
  });
});
