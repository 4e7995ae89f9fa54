import { describe, expect, it } from '@jest/globals';
import { vectorFactsOf } from './vector-facts.ts';

const factsOf = (vector: string | null, version: string | null = null) => vectorFactsOf({ vector, version });

describe('a CVSS vector', () => {
  it.each([
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'N', 0, false, true],
    ['CVSS:3.0/AV:A/AC:H/PR:L/UI:R/S:C/C:H/I:L/A:N', 'A', 3, true, false],
    ['AV:L/AC:M/Au:S/C:P/I:C/A:N', 'L', 2, false, false],
    ['CVSS:4.0/AV:P/AC:L/AT:P/PR:N/UI:A/VC:H/VI:L/VA:N/SC:N/SI:H/SA:N', 'P', 2, true, false],
    ['CVSS:4.0/AV:N/AC:H/AT:P/PR:H/UI:P/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N', 'N', 4, true, false],
    ['CVSS:4.0/AV:L/AC:H/AT:P/PR:H/UI:P/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N/AU:Y', 'L', 4, true, true],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N/AU:N', 'N', 0, false, false],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/MAV:L/MPR:H/MUI:X', 'L', 1, false, false],
  ])('%s', (vector, attackVector, obstacles, needsInteraction, isAutomatable) => {
    expect(factsOf(vector)).toMatchObject({ attackVector, obstacles, needsInteraction, isAutomatable });
  });

  it.each([
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N', [560, 220, 0], false],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:H/A:H/MC:H', [560, 560, 560], true],
    ['AV:N/AC:L/Au:N/C:C/I:P/A:N', [560, 233, 0], false],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:H/SC:H/SI:N/SA:N/MSI:S', [560, 560, 560], false],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', [560, 560, 560], true],
  ])('has the impacts of %s', (vector, impacts, isImpactTotal) => {
    expect(factsOf(vector)).toMatchObject({ impacts, isImpactTotal });
  });

  it.each([
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'none'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:U', 'none'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:F', 'poc'],
    ['AV:N/AC:L/Au:N/C:C/I:P/A:N/E:POC/RL:ND/RC:ND', 'poc'],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:P', 'poc'],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:A', 'active'],
  ])('has the exploit maturity of %s', (vector, exploitMaturity) => {
    expect(factsOf(vector)).toMatchObject({ exploitMaturity });
  });

  it('has its own requirements, and is null if it is malformed or missing', () => {
    const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/CR:H/IR:X/AR:L';
    expect(factsOf(vector)?.requirements).toEqual(['H', null, 'L']);
    expect([factsOf(null), factsOf('AV:N'), factsOf('AV:N'), factsOf('x'.repeat(501))]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('is not confused with one that contains a version', () => {
    const [first, other] = ['H', 'L'].map((impact) => `CVSS:3.1/AV:A/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:${impact}`);
    expect([factsOf(`${first} 3.1`), factsOf(first!, '3.1')]).toEqual([null, expect.anything()]);
    expect([factsOf(other!, '3.1'), factsOf(`${other} 3.1`)]).toEqual([expect.anything(), null]);
  });
});
