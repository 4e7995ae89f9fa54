import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Finding, type IntakeEvent, type ObservedInstance, severityOf } from '#libs/domain';
import {
  DAY_MS,
  event,
  instance,
  observation,
  Scenario,
  signal,
  T0,
  upload,
} from '../../../../test/support/scenario.ts';
import { findingDifference } from './finding-difference.ts';

/** The finding `a` after each of some events. */
function versions(...events: IntakeEvent[]): Finding[] {
  const scenario = new Scenario();
  return events.map((one) => scenario.fold(one).finding('a')!);
}

const seen = (n: number, instances: ObservedInstance[], given: Parameters<typeof signal>[2] = {}) =>
  upload(n, T0 + n, [signal('a', 'fail', { observations: [observation('va', instances)], ...given })])[0]!;

const sides = (before: Finding | null, after: Finding) =>
  findingDifference(before, after).map(({ field, key, ...both }) => [key ?? field, both.before, both.after]);

describe('findingDifference', () => {
  it('shows all initial fields at the creation', () => {
    const [created] = versions(
      seen(1, [instance('fail', { cves: ['CVE-2024-3094'], evidence: 'it is old' })]),
    );
    expect(findingDifference(null, created!)).toEqual([
      { field: 'state', key: null, before: null, after: 'Failed' },
      { field: 'name', key: null, before: null, after: 'a' },
      {
        field: 'severity',
        key: null,
        before: null,
        after: { value: 7, level: null, vector: null, baseScore: null, temporalScore: null, type: 'cvss' },
      },
      { field: 'cves', key: null, before: null, after: ['CVE-2024-3094'] },
      { field: 'source', key: null, before: null, after: 'scanner' },
      {
        field: 'instances',
        key: '',
        before: null,
        after: expect.objectContaining({ status: 'Failed', counted: true, evidence: 'it is old' }),
      },
    ]);
  });

  it('shows changed fields of an instance, and whole instances that were added or removed', () => {
    const [before, after] = versions(
      seen(1, [instance('fail', { key: '22/tcp', evidence: 'open' }), instance('fail', { key: '80/tcp' })]),
      seen(2, [
        instance('pass', { key: '22/tcp', evidence: 'closed', tags: { team: ['a'] } }),
        instance('fail', { key: '443/tcp', severity: { ...instance().severity, value: 9 } }),
      ]),
    );
    expect(sides(before!, after!)).toEqual([
      ['severity', expect.objectContaining({ value: 7 }), expect.objectContaining({ value: 9 })],
      [
        '22/tcp',
        { status: 'Failed', evidence: 'open', tags: {} },
        { status: 'Qualified', evidence: 'closed', tags: { team: ['a'] } },
      ],
      ['443/tcp', null, expect.objectContaining({ status: 'Failed', counted: true })],
      ['80/tcp', expect.objectContaining({ status: 'Failed' }), null],
    ]);
  });

  it('shows an acceptance and its end', () => {
    const scenario = new Scenario().fold(seen(1, [instance()]));
    const { id } = scenario.finding('a')!;
    const until = T0 + DAY_MS;
    const created = scenario.finding('a')!;
    const accepted = scenario
      .fold(
        event({ type: 'FindingAccepted', findingId: id, seenVersion: 1, rationale: 'known', until }, T0 + 5, {
          user: 'ana',
        }),
      )
      .finding('a')!;
    const acceptance = {
      by: 'ana',
      at: '2026-01-01T00:00:00.005Z',
      rationale: 'known',
      until: '2026-01-02T00:00:00.000Z',
    };
    expect(sides(created, accepted)).toEqual([
      ['state', 'Failed', 'AcceptedFailed'],
      ['accepted', null, acceptance],
    ]);
    const ended = scenario.fold(event({ type: 'EntitySwept', deleteIdleSince: null }, until)).finding('a')!;
    expect(sides(accepted, ended)).toEqual([
      ['state', 'AcceptedFailed', 'NotAssessed'],
      ['accepted', acceptance, null],
    ]);
  });

  const text = fc.constantFrom(null, 'x', 'y');
  const instances = fc.uniqueArray(
    fc
      .record({
        key: fc.constantFrom('', '22/tcp', '443/tcp'),
        status: fc.constantFrom<ObservedInstance['status']>('pass', 'fail', 'unknown'),
        counted: fc.boolean(),
        evidence: text,
        workflowStatus: text,
        value: fc.constantFrom(3, 9),
        cves: fc.subarray(['CVE-2024-3094', 'CVE-2021-44228']),
        techniques: fc.subarray(['T1059', 'T1110']),
        standards: fc.subarray([{ name: 'cis', value: '1.1' }]),
        tags: fc.constantFrom<ObservedInstance['tags']>({}, { team: ['a'] }),
      })
      .map(({ key, status, value, ...given }) =>
        instance(status, { key, ...given, severity: { ...instance().severity, value } }),
      ),
    { minLength: 1, maxLength: 3, selector: ({ key }) => key },
  );
  const findings: fc.Arbitrary<Finding> = fc
    .record({
      state: fc.constantFrom<Finding['state']>('Failed', 'AcceptedFailed', 'Retired'),
      retiredReason: fc.constantFrom<Finding['retiredReason']>(null, 'expired'),
      accepted: fc.constantFrom(null, { by: 'ana', at: T0, rationale: 'known', until: null }),
      heldFailed: fc.constantFrom(null, { by: 'ana', at: T0 }),
      name: fc.constantFrom('a', 'A'),
      subtype: text,
      description: text,
      technical: text,
      businessImpact: text,
      remediation: fc.constantFrom(null, { description: 'patch', reference: null, impact: null }),
      source: fc.record({ name: text, nextSubmissionIntervalInMins: fc.constantFrom(null, 60) }),
      controlType: text,
      confidence: fc.constantFrom(null, 50),
      extra: text,
      instances,
      version: fc.nat(),
      updatedAt: fc.nat(),
    })
    .map((given) => ({
      number: 1,
      id: 'f',
      type: 'va',
      firstSeen: T0,
      ...given,
      instances: [...given.instances].sort((a, b) => (a.key < b.key ? -1 : 1)),
    }));
  const compared = ({ version, updatedAt, ...rest }: Finding) => rest;

  it('is empty exactly if only version fields differ, and otherwise transforms one into the other', () => {
    const pairs = fc.oneof(
      fc.tuple(findings, findings),
      // Most pairs of the above differ everywhere: these differ in one field at most.
      fc
        .tuple(findings, findings, fc.constantFrom<keyof Finding>('state', 'source', 'instances', 'version'))
        .map(([a, b, field]): [Finding, Finding] => [a, { ...a, [field]: b[field] }]),
    );
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        const difference = findingDifference(before, after);
        const isSame = JSON.stringify(compared(before)) === JSON.stringify(compared(after));
        expect(difference.length === 0).toBe(isSame);
        for (const { field, key, ...sides } of difference) {
          expect(sides.before).not.toEqual(sides.after);
          if (key === null && field in before && field !== 'source') {
            for (const [finding, side] of [
              [before, sides.before],
              [after, sides.after],
            ] as const) {
              const own = finding[field as keyof Finding];
              if (typeof own !== 'object') expect(side).toBe(own);
            }
          }
          if (field === 'severity') expect(sides.after).toMatchObject({ value: severityOf(after).value });
          if (key === null) continue;
          const [was, is] = [before, after].map(({ instances: all }) => all.find((one) => one.key === key));
          expect([sides.before === null, sides.after === null]).toEqual([
            was === undefined,
            is === undefined,
          ]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
