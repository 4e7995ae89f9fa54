import { describe, expect, it } from '@jest/globals';
import { cveQuery, isFilterable } from '../../apps/console/src/risk/fix-query.ts';

const CVE = 'CVE-2024-20001';

describe('the findings that a CVE fix leads to', () => {
  it.each([
    ['department', 'department=R%26D'],
    ['location', 'location=R%26D'],
    ['type', 'assetType=R%26D'],
  ] as const)('are those of a %s', (kind, filter) => {
    const group = { kind, name: 'R&D' };
    expect([cveQuery(CVE, group).toString(), isFilterable(group)]).toEqual([`cve=${CVE}&${filter}`, true]);
  });

  it('are all of the organization, and of an attack surface, by which no list can be filtered', () => {
    const surface = { kind: 'attackSurface', name: 'External' } as const;
    expect([null, surface].map((of) => cveQuery(CVE, of).toString())).toEqual([`cve=${CVE}`, `cve=${CVE}`]);
    expect([null, surface].map(isFilterable)).toEqual([true, false]);
  });
});
