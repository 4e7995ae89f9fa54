import { describe, expect, it } from '@jest/globals';
import { catalogueOf, findingFacts, subject } from '../../../../test/fixtures/domain/subjects.ts';
import { applyWhatIf, type WhatIf } from './what-if.ts';

const [CVE, OTHER, REJECTED] = ['CVE-2024-1111', 'CVE-2024-2222', 'CVE-2024-3333'];
const catalogue = catalogueOf({ states: { [REJECTED]: 'REJECTED' } });
const findings = [
  findingFacts('f1', { cves: [CVE] }),
  findingFacts('f2', { cves: [CVE, OTHER, REJECTED] }),
  findingFacts('f3', { cves: [CVE], state: 'NotAssessed' }),
  findingFacts('f4', { cves: [REJECTED] }),
];

/** State and CVEs of each finding as it would be. */
const tried = (change: WhatIf) =>
  Object.fromEntries(
    applyWhatIf(subject(findings), change, catalogue).findings.map(({ id, state, cves }) => [
      id,
      [state, ...cves],
    ]),
  );
const unchanged = tried({});

describe('what would become of findings', () => {
  it('is Qualified if they would be fixed, and only for Failed ones', () => {
    expect(tried({ fixed: new Set(['f1', 'f3', 'none']) })).toEqual({ ...unchanged, f1: ['Qualified', CVE] });
  });

  it('is Accepted Failed if they would be accepted', () => {
    expect(tried({ accepted: new Set(['f1', 'f3']) })).toEqual({ ...unchanged, f1: ['AcceptedFailed', CVE] });
  });

  it('is Qualified if all of their valid CVEs would be fixed, else they stay with the others', () => {
    expect(tried({ fixedCves: new Set([CVE]) })).toEqual({
      ...unchanged,
      f1: ['Qualified', CVE],
      f2: ['Failed', OTHER, REJECTED],
    });
    expect(tried({ fixedCves: new Set([CVE, OTHER]) })).toMatchObject({
      f2: ['Qualified', CVE, OTHER, REJECTED],
    });
  });

  it('is nothing if a CVE would be fixed that does not count', () => {
    expect(tried({ fixedCves: new Set([REJECTED]) })).toMatchObject({ f4: unchanged.f4 });
  });

  it('does not change the given asset', () => {
    const given = subject(findings);
    const copy = structuredClone(given);
    applyWhatIf(given, { fixed: new Set(['f1']), fixedCves: new Set([CVE]) }, catalogue);
    expect(given).toEqual(copy);
  });
});
