import { describe, expect, it } from '@jest/globals';
import { attackTechnique } from '#libs/catalogue';
import { countsForScoring, techniquesOf } from '#libs/domain';
import { receivedBy } from '../../../../test/fixtures/integrations/reading.ts';
import { alertSeverity } from './alert-severity.ts';
import { alertSignals } from './alert-signals.ts';

const alert = (given: object = {}) => ({
  composite_id: 'cid:ind:1',
  name: 'BruteForce',
  display_name: 'Brute force of a password',
  status: 'new',
  severity: 79,
  technique: 'Brute Force',
  technique_id: 'T1110',
  timestamp: '2026-02-01T10:00:00.5Z',
  tags: [],
  ...given,
});

const signalsOf = (...alerts: object[]) =>
  alertSignals(
    alerts.map((given) => ({ host: 'web01.acme.com', alert: { ...given } })),
    'falcon',
  );
const readAll = (...alerts: object[]) => signalsOf(...alerts).map((signal) => receivedBy(signal));

describe('detections of a host', () => {
  it('are instances of one control for each ATT&CK technique, keyed by detection, to be merged (R-EDR-2, R-FIND-6)', () => {
    const read = readAll(
      alert(),
      alert({ composite_id: 'cid:ind:2', display_name: 'Another name' }),
      alert({ composite_id: 'cid:ind:3', technique_id: 't1059.001', technique: 'PowerShell' }),
    );
    expect(read.map(({ name }) => name)).toEqual(['T1110 Brute Force', 'T1059.001 PowerShell']);
    const [{ type, mode, instances, controlType }] = read[0]!.observations as [
      (typeof read)[0]['observations'][0],
    ];
    expect({ type, mode, controlType }).toEqual({ type: 'edr', mode: 'merge', controlType: 'detection' });
    expect(
      instances.map(({ key, status, counted, techniques }) => [key, status, counted, techniques]),
    ).toEqual([
      ['cid:ind:1', 'fail', true, ['T1110']],
      ['cid:ind:2', 'fail', true, ['T1110']],
    ]);
    expect(read[0]).toMatchObject({ source: { name: 'falcon' }, extra: null, expiresAt: expect.any(Number) });
  });

  it('have the name of their detection as control if they have no technique', () => {
    const [read] = readAll(alert({ technique_id: '', technique: '', display_name: ' Odd   thing ' }));
    expect(read!.name).toBe('Odd thing');
    expect(read!.observations[0]!.instances[0]!.techniques).toEqual([]);
  });

  it('have it as well if the technique is a vendor’s own, which does not count and says so (R-EDR-2)', () => {
    const [read] = readAll(alert({ technique_id: 'CST0007', technique: 'Sensor-based ML' }));
    expect(read).toMatchObject({
      name: 'Brute force of a password',
      description: expect.stringContaining('does not count for scoring'),
    });
    const { instances } = read!.observations[0]!;
    expect(techniquesOf({ instances })).toEqual(['CST0007']);
    const facts = { state: 'Failed' as const, cves: [], techniques: techniquesOf({ instances }) };
    expect(countsForScoring(facts, (id) => attackTechnique(id) as never)).toMatchObject({ counted: false });
  });

  it('use a technique of `mitre_attack` if the detection’s own is invalid, and keep the others', () => {
    const mitre_attack = [{ technique_id: 'T1059' }, { technique_id: 'T1027' }];
    const [read] = readAll(alert({ technique_id: 'CST0007', mitre_attack }));
    expect(read!.name).toMatch(/^T1059 /);
    expect(read!.observations[0]!.instances[0]!.techniques).toEqual(['T1059', 'T1027']);
  });

  it('pass and do not count in any other state, and keep the state', () => {
    const [read] = readAll(
      alert({ status: 'closed', tags: ['false_positive'] }),
      alert({ composite_id: 'cid:ind:2', status: 'in_progress' }),
    );
    expect(
      read!.observations[0]!.instances.map(({ status, counted, workflowStatus }) => [
        status,
        counted,
        workflowStatus,
      ]),
    ).toEqual([
      ['pass', false, 'closed'],
      ['fail', true, 'in_progress'],
    ]);
  });

  it('state the evidence, bounded, and its time', () => {
    const [read] = readAll(
      alert({
        filepath: '\\Device\\x.exe',
        cmdline: 'c'.repeat(100_000),
        user_name: 'ana',
        falcon_host_link: 'https://falcon.example/1',
      }),
      alert({ composite_id: 'cid:ind:2', timestamp: '2026-01-31T00:00:00.123456789Z' }),
    );
    const [{ evidence }] = read!.observations[0]!.instances as unknown as [{ evidence: string }];
    expect(evidence).toContain('File: \\Device\\x.exe');
    expect(evidence).toContain('User: ana');
    expect(evidence).toContain('Link: https://falcon.example/1');
    expect(evidence).toMatch(/Command line: c{999}…/);
    expect(evidence.length).toBeLessThanOrEqual(3_000);
    expect(new Date(read!.firstSeen!).toISOString()).toBe('2026-01-31T00:00:00.123Z');
    expect(new Date(read!.lastSeen!).toISOString()).toBe('2026-02-01T10:00:00.500Z');
  });

  it('that come twice on a page are one instance, the later one', () => {
    const [read] = readAll(alert(), alert({ status: 'closed' }));
    expect(read!.observations[0]!.instances.map(({ status }) => status)).toEqual(['pass']);
  });

  it('are in several signals if they are many, so that no event is too large for the log', () => {
    const many = Array.from({ length: 250 }, (_, i) => alert({ composite_id: `cid:ind:${i}` }));
    const signals = signalsOf(...many);
    expect(signals.map(({ securityContexts }) => securityContexts!.length)).toEqual([100, 100, 50]);
    expect(new Set(signals.map(({ id }) => id)).size).toBe(3);
  });
});

describe('the severity of a detection', () => {
  it.each([
    [{ severity: 100 }, 10, 'critical'],
    [{ severity: 80 }, 8, 'critical'],
    [{ severity: 79 }, 7.9, 'high'],
    [{ severity: 60 }, 6, 'high'],
    [{ severity: 59 }, 5.9, 'medium'],
    [{ severity: 40 }, 4, 'medium'],
    [{ severity: 39 }, 3.9, 'low'],
    [{ severity: 20 }, 2, 'low'],
    [{ severity: 19 }, 1.9, 'info'],
    [{ severity: 1 }, 0.1, 'info'],
    [{ severity: 101, severity_name: 'High' }, undefined, 'high'],
    [{ severity_name: 'Informational' }, undefined, 'info'],
    [{}, undefined, 'info'],
  ])('%j is %p, %p', (given, value, level) => {
    expect(alertSeverity(given)).toEqual({ type: 'edr', level, ...(value !== undefined && { value }) });
  });
});
