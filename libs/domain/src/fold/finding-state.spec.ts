import { describe, expect, it } from '@jest/globals';
import { instance } from '../../../../test/support/scenario.ts';
import type { InstanceStatus, ObservedInstance } from '../events.ts';
import { cvesOf, observationOf, severityOf, stateOf, techniquesOf } from './finding-state.ts';

const of = (status: InstanceStatus, value: number, given: Partial<ObservedInstance> = {}) =>
  instance(status, { severity: { ...instance().severity, value }, ...given });

describe('the state of a finding by its instances', () => {
  it.each([
    ['Failed', 'one of them fails', [of('pass', 1), of('fail', 1), of('unknown', 1)]],
    ['Qualified', 'one passes and none fails', [of('unknown', 1), of('pass', 1)]],
    ['Qualified', 'the one that fails is not counted', [of('fail', 1, { counted: false })]],
    ['NotAssessed', 'nothing is known of any', [of('unknown', 1), of('unknown', 1)]],
    ['NotAssessed', 'there is none', []],
  ])('is %s if %s', (state, _, instances) => {
    expect(stateOf(instances)).toBe(state);
  });
});

describe('the severity of a finding', () => {
  it.each([
    ['the worst failing instance', [of('fail', 3), of('fail', 8), of('fail', 5), of('pass', 10)], 8],
    ['the worst that is counted', [of('fail', 3), of('fail', 9, { counted: false })], 3],
    ['the worst of all, where none fails', [of('pass', 2), of('unknown', 6), of('pass', 4)], 6],
    ['none, where there is no instance', [], 0],
  ])('is that of %s', (_, instances, value) => {
    expect(severityOf({ instances }).value).toBe(value);
  });

  it('is that of the first of two that are as bad', () => {
    const [first, second] = [of('fail', 7), of('fail', 7, { key: 'b' })];
    first.severity = { ...first.severity, vector: 'first' };
    expect(severityOf({ instances: [first, second] }).vector).toBe('first');
  });
});

describe('the combined state of the instances of a finding', () => {
  const instances = [
    of('fail', 1, { cves: ['CVE-1', 'CVE-2'], techniques: ['T1'], evidence: 'port 22 is open' }),
    of('fail', 1, { cves: ['CVE-2'], techniques: ['T2', 'T1'], evidence: null }),
    of('fail', 1, { evidence: 'port 80 is open' }),
    of('fail', 1, { evidence: 'port 22 is open' }),
  ];

  it('has each CVE and technique once', () => {
    expect(cvesOf({ instances })).toEqual(['CVE-1', 'CVE-2']);
    expect(techniquesOf({ instances })).toEqual(['T1', 'T2']);
  });

  it('has each evidence once, a line each, and is null if there is none', () => {
    expect(observationOf({ instances })).toBe('port 22 is open\nport 80 is open');
    expect(observationOf({ instances: [instances[1]!] })).toBeNull();
  });
});
