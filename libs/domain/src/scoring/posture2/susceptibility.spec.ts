import { describe, expect, it } from '@jest/globals';
import { AT } from '../../../../../test/fixtures/domain/subjects.ts';
import { assessedFinding } from '../../../../../test/fixtures/domain/threatened-subjects.ts';
import { Controls, controlVerdict, techniquesOfVector } from './susceptibility.ts';
import { vectorFactsOf } from './vector-facts.ts';

describe('susceptibility', () => {
  it.each([
    [{ type: 'ca' }, 'failing'],
    [{ type: 'uba' }, 'failing'],
    [{ type: 'va' }, null],
    [{ type: 'ca', state: 'Qualified' }, 'passing'],
    [{ type: 'ca', state: 'AcceptedFailed' }, null],
    [{ type: 'ca', activeUntil: AT }, null],
    [{ type: 'ca', state: 'Retired', lastVerdict: 'passed' }, 'passing'],
    [{ type: 'ca', state: 'Qualified', activeUntil: AT }, 'passing'],
    [{ type: 'ca', state: 'NotAssessed', lastVerdict: 'passed' }, 'passing'],
    [{ type: 'ca', state: 'NotAssessed', lastVerdict: null }, null],
    [{ type: 'ca', state: 'Retired', lastVerdict: 'failed' }, null],
  ] as const)('the control %j is %s', (given, verdict) => {
    expect(controlVerdict(assessedFinding('f1', given), AT)).toBe(verdict);
  });

  it('is raised by one failing control, lowered by passing ones, by techniques without their part', () => {
    const controls = new Controls(undefined);
    expect(controls.factorOf('hole', ['T1059'])).toBe(1000);
    controls.add('c1', ['T1059.001'], 'passing');
    expect(controls.factorOf('hole', ['T1059.003'])).toBe(700);
    expect(controls.factorOf('hole', ['T1190', 'T1059'])).toBe(700);
    expect(controls.factorOf('hole', ['T1190'])).toBe(1000);
    controls.add('c2', ['T1059'], 'failing');
    expect(controls.factorOf('hole', ['T1059'])).toBe(1400);
  });

  it('does not take a finding as a control of itself', () => {
    const controls = new Controls(undefined);
    controls.add('c1', ['T1059', 'T1059.001'], 'failing');
    expect([controls.factorOf('c1', ['T1059']), controls.factorOf('c2', ['T1059'])]).toEqual([1000, 1400]);
    controls.add('c2', ['T1059'], 'failing');
    expect([controls.factorOf('c1', ['T1059']), controls.factorOf('c2', ['T1059'])]).toEqual([1400, 1400]);
  });

  it('concerns techniques with a common mitigation', () => {
    const mitigations: Record<string, string[]> = { T1059: ['M1038'], T1203: ['M1050', 'M1038'] };
    const controls = new Controls((technique) => mitigations[technique] ?? []);
    controls.add('c1', ['T1059'], 'passing');
    expect([controls.factorOf('hole', ['T1203']), controls.factorOf('hole', ['T1190'])]).toEqual([700, 1000]);
  });

  it.each([
    [null, 'T1190'],
    ['AV:N/AC:L/PR:N/UI:N', 'T1190'],
    ['AV:L/AC:L/PR:N/UI:N', 'T1068'],
    ['AV:P/AC:L/PR:N/UI:N', 'T1068'],
    ['AV:L/AC:L/PR:N/UI:R', 'T1203'],
  ])('a vector %s suggests %s', (metrics, technique) => {
    const vector = metrics && `CVSS:3.1/${metrics}/S:U/C:H/I:H/A:H`;
    expect(techniquesOfVector(vectorFactsOf({ vector, version: null }))).toEqual([technique]);
  });
});
