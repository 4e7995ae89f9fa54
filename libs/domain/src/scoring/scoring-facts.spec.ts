import { describe, expect, it } from '@jest/globals';
import { AT, findingFacts } from '../../../../test/fixtures/domain/subjects.ts';
import { instance, Scenario, signal, T0, upload } from '../../../../test/support/scenario.ts';
import { findingFactsOf, isActive } from './scoring-facts.ts';

describe('the facts of a finding for the model', () => {
  const tracked = (given: { expiresAt: number; retainUntil: number }) => {
    const run = new Scenario().fold(
      ...upload(1, T0, [
        signal('a', 'fail', {
          ...given,
          observations: [
            {
              ...signal('a').observations[0]!,
              instances: [
                instance('fail', { key: '1', cves: ['CVE-2024-1111'], techniques: ['T1059'] }),
                instance('pass', { key: '2', cves: ['CVE-2024-2222'] }),
              ],
            },
          ],
        }),
      ]),
    );
    return [...run.entity.assets[0]!.findings.values()][0]!;
  };

  it.each([
    ['expiry', { expiresAt: T0 + 5, retainUntil: T0 + 9 }],
    ['retention', { expiresAt: T0 + 9, retainUntil: T0 + 5 }],
  ])('is all of its mappings, its worst failing severity and the earlier of its ends: %s', (_, given) => {
    const { finding, seen } = tracked(given);
    expect(findingFactsOf(finding, seen)).toEqual({
      id: finding.id,
      name: 'a',
      state: 'Failed',
      severity: instance().severity,
      cves: ['CVE-2024-1111', 'CVE-2024-2222'],
      techniques: ['T1059'],
      activeUntil: T0 + 5,
    });
  });

  it('is whether it is active: not retired, and before its end', () => {
    const finding = findingFacts('f1', { activeUntil: AT });
    expect([isActive(finding, AT - 1), isActive(finding, AT)]).toEqual([true, false]);
    expect(isActive({ ...finding, state: 'Retired' }, AT - 1)).toBe(false);
    expect(isActive({ ...finding, state: 'AcceptedFailed' }, AT - 1)).toBe(true);
  });
});
