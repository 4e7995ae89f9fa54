import { describe, expect, it } from '@jest/globals';
import { AT } from '../../../../../test/fixtures/domain/subjects.ts';
import {
  assessedFinding,
  threatCatalogueOf,
  threatenedSubject,
} from '../../../../../test/fixtures/domain/threatened-subjects.ts';
import { applyWhatIf } from './what-if.ts';

const [CVE, OTHER] = ['CVE-2024-1111', 'CVE-2024-2222'];
const SUBJECT = threatenedSubject([
  assessedFinding('f1', { cves: [CVE] }),
  assessedFinding('f2', { cves: [CVE, OTHER] }),
  assessedFinding('f3', { cves: [CVE], state: 'NotAssessed', lastVerdict: null }),
  assessedFinding('f4', {
    type: 'edr',
    techniques: ['T1486'],
    cves: [CVE],
    detections: [{ state: 'unreviewed', closedAt: null }],
  }),
]);
const tried = (change: Parameters<typeof applyWhatIf>[1]) =>
  Object.fromEntries(
    applyWhatIf(SUBJECT, change, threatCatalogueOf(), AT).findings.map(
      ({ id, state, lastVerdict, failures, detections }) => [
        id,
        [state, lastVerdict, detections.length, ...failures.flatMap(({ cves }) => cves)],
      ],
    ),
  );
const unchanged = tried({});

describe('what-if of posture-2', () => {
  it('does not change a finding that has ended', () => {
    const ended = threatenedSubject([assessedFinding('ended', { cves: [CVE], activeUntil: AT })]);
    const change = { fixed: new Set(['ended']), fixedCves: new Set([CVE]) };
    expect(applyWhatIf(ended, change, threatCatalogueOf(), AT)).toEqual(ended);
  });

  it('passes what would be fixed, so that a control protects afterwards; only Failed findings', () => {
    expect(tried({ fixed: new Set(['f1', 'f3', 'f4']) })).toEqual({
      ...unchanged,
      f1: ['Qualified', 'passed', 0, CVE],
      f4: ['Qualified', 'passed', 0, CVE],
    });
  });

  it('keeps the verdict of what would be accepted', () => {
    expect(tried({ accepted: new Set(['f1', 'f3']) })).toEqual({
      ...unchanged,
      f1: ['AcceptedFailed', 'failed', 0, CVE],
    });
  });

  it('fixes a CVE on all findings; a detection stays', () => {
    expect(tried({ fixedCves: new Set([CVE]) })).toEqual({
      ...unchanged,
      f1: ['Qualified', 'passed', 0, CVE],
      f2: ['Failed', 'failed', 0, OTHER],
      f4: ['Failed', 'failed', 1],
    });
  });

  it('passes the failing instances without another valid CVE', () => {
    const { severity } = assessedFinding('f1');
    const failures = [[CVE], [CVE, OTHER], []].map((cves) => ({ severity, cves, techniques: ['T1059'] }));
    const control = assessedFinding('f1', { type: 'ca', cves: [CVE, OTHER], failures });
    const [after] = applyWhatIf(
      threatenedSubject([control]),
      { fixedCves: new Set([CVE]) },
      threatCatalogueOf(),
      AT,
    ).findings;
    expect(after).toMatchObject({ state: 'Failed', failures: [{ cves: [OTHER] }, { cves: [] }] });
  });

  it('leaves the given asset as it is', () => {
    const copy = structuredClone(SUBJECT);
    tried({ fixed: new Set(['f1']), fixedCves: new Set([CVE]) });
    expect(SUBJECT).toEqual(copy);
  });
});
