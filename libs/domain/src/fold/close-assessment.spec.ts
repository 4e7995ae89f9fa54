import { describe, expect, it } from '@jest/globals';
import {
  entity,
  event,
  instance,
  observation,
  Scenario,
  signal,
  T0,
  upload,
  uploadId,
} from '../../../../test/support/scenario.ts';
import { CURRENT_RULES, type InstanceStatus, type IntakePayload, type SignalReceived } from '../events.ts';

const closed: IntakePayload = { type: 'AssessmentClosed', types: ['va'], names: ['web01'], matching: 'name' };
const port = (key: string, given: Partial<SignalReceived> = {}) =>
  signal('tls', 'fail', {
    observations: [observation('va', [instance('fail', { key })], { mode: 'merge' })],
    ...given,
  });
const whole = (statuses: Record<string, InstanceStatus>, given: Partial<SignalReceived> = {}) =>
  signal('tls', 'fail', {
    observations: [
      observation(
        'va',
        Object.entries(statuses).map(([key, status]) => instance(status, { key })),
      ),
    ],
    ...given,
  });
const keysOf = (run: Scenario) => run.finding('tls')!.instances.map(({ key }) => key);

describe('a closed assessment', () => {
  it('does not change retired findings', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [signal('a')]),
      ...upload(2, T0 + 1, [signal('a', 'fail', { revoked: true })]),
    );
    run.fold(...upload(3, T0 + 2, [closed]));
    expect(run.finding('a')).toMatchObject({ retiredReason: 'revoked', version: 2 });
    expect(run.changes).toEqual([]);
    expect(run.counts(3).retired).toBe(0);
  });

  it('drops single instances that no upload since its own has set, and keeps the stamps of the others', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [port('22/tcp'), port('80/tcp'), port('443/tcp')]),
      ...upload(5, T0 + 5, [port('443/tcp')]),
      ...upload(2, T0 + 2, [port('80/tcp'), closed]),
    );
    expect(keysOf(run)).toEqual(['443/tcp', '80/tcp']);
    const [tracked] = [...run.entity.assets[0]!.findings.values()];
    expect(tracked!.seen.instanceStamps).toEqual({
      '443/tcp': { at: T0 + 5, uploadId: uploadId(5) },
      '80/tcp': { at: T0 + 2, uploadId: uploadId(2) },
    });
    run.fold(...upload(3, T0 + 3, [closed]));
    expect(keysOf(run)).toEqual(['443/tcp']);
  });

  it('changes nothing if all instances are as new as it is', () => {
    const run = new Scenario().fold(...upload(1, T0, [port('22/tcp'), port('80/tcp')]));
    run.fold(...upload(2, T0 + 1, [port('22/tcp'), port('80/tcp'), closed]));
    expect(run.changes).toEqual([]);
  });

  it.each([
    [10, 'Failed', null],
    [CURRENT_RULES, 'Retired', 'replaced'],
  ])('under rules %d, a finding with revoked newer instances is %s', (rules, state, retiredReason) => {
    const revoked = [port('80/tcp'), port('80/tcp', { revoked: true })];
    const run = new Scenario().fold(
      ...upload(1, T0, [port('22/tcp')], { rules }),
      ...upload(3, T0 + 3, revoked, { rules }),
    );
    run.fold(...upload(2, T0 + 2, [closed], { rules }));
    expect(run.finding('tls')).toMatchObject({ state, retiredReason, instances: [{ key: '22/tcp' }] });
  });

  it('keeps a finding whose newer instance was reported while it was accepted', () => {
    const run = new Scenario().fold(...upload(1, T0, [port('22/tcp'), port('80/tcp')]));
    const on = { findingId: run.finding('tls')!.id, seenVersion: null };
    const accepted = { ...on, type: 'FindingAccepted', rationale: 'known', until: null } as const;
    const reverted = { ...on, type: 'FindingReverted', to: 'NotAssessed', rationale: null } as const;
    const newest = upload(2, T0 + 2, [port('443/tcp'), closed]);
    run.fold(event(accepted, T0 + 1), newest[0]!, event(reverted, T0 + 2));
    run.fold(...upload(3, T0 + 2, [port('80/tcp', { revoked: true })]), newest[1]!);
    expect(run.states).toEqual({ tls: 'Failed' });
    expect(keysOf(run)).toEqual(['22/tcp']);
  });

  it.each([
    ['closing', [closed]],
    ['port', [port('443/tcp')]],
    ['set', [whole({ '443/tcp': 'fail' })]],
  ])(
    'keeps a finding whose newer instance was reported while it was accepted, also after an earlier %s',
    (_, earlier) => {
      const run = new Scenario().fold(
        ...upload(1, T0, [port('22/tcp')]),
        ...upload(2, T0 + 3, [port('443/tcp')]),
      );
      const on = { findingId: run.finding('tls')!.id, seenVersion: null };
      run.fold(
        event({ ...on, type: 'FindingAccepted', rationale: 'known', until: null }, T0 + 3),
        ...upload(5, T0 + 5, [port('80/tcp')]),
        event({ ...on, type: 'FindingReverted', to: 'NotAssessed', rationale: null }, T0 + 5),
        ...upload(3, T0 + 2, earlier),
      );
      run.fold(...upload(4, T0 + 4, [closed]));
      expect(run.finding('tls')!.state).not.toBe('Retired');
      expect(run.counts(4).retired).toBe(0);
    },
  );

  it('keeps instances of its upload that an earlier upload repeats', () => {
    const newest = upload(5, T0 + 5, [whole({ '22/tcp': 'fail', '80/tcp': 'pass' }), closed]);
    const run = new Scenario().fold(newest[0]!, ...upload(1, T0 + 1, [port('22/tcp')]), newest[1]!);
    expect(keysOf(run)).toEqual(['22/tcp', '80/tcp']);
    expect(run.states).toEqual({ tls: 'Failed' });
  });

  it.each([
    ['as a whole', whole({ '': 'pass' })],
    ['as another set', whole({ '80/tcp': 'pass' })],
  ])('keeps instances of its upload that an earlier upload omits %s', (_, late) => {
    const newest = upload(5, T0 + 5, [whole({ '443/tcp': 'fail' }), closed]);
    const run = new Scenario().fold(newest[0]!, ...upload(1, T0 + 1, [late]));
    expect(keysOf(run)).toContain('443/tcp');
    expect(run.states).toEqual({ tls: 'Failed' });
    run.fold(newest[1]!);
    expect(keysOf(run)).toEqual(['443/tcp']);
    run.fold(...upload(6, T0 + 6, [whole({ '': 'pass' })]));
    expect(keysOf(run)).toEqual(['']);
  });

  it('keeps an unnamed instance of its upload if an earlier upload sets a port', () => {
    const newest = upload(5, T0 + 5, [whole({ '': 'fail' }), closed]);
    const run = new Scenario().fold(newest[0]!, ...upload(1, T0 + 1, [port('22/tcp')]));
    expect(keysOf(run)).toEqual(['', '22/tcp']);
    run.fold(newest[1]!);
    expect(keysOf(run)).toEqual(['']);
  });

  it('leaves the status of an instance to the last upload in the log (R-FIND-11)', () => {
    const newest = upload(5, T0 + 5, [whole({ '443/tcp': 'fail' }), closed]);
    const run = new Scenario().fold(newest[0]!, ...upload(1, T0 + 1, [whole({ '443/tcp': 'pass' })]));
    run.fold(newest[1]!);
    expect([keysOf(run), run.states]).toEqual([['443/tcp'], { tls: 'Qualified' }]);
  });

  it('takes the last one in the log of two uploads of one millisecond', () => {
    const run = new Scenario().fold(
      ...upload(5, T0, [whole({ '443/tcp': 'fail' })]),
      ...upload(1, T0, [whole({ '': 'pass' })]),
    );
    expect(keysOf(run)).toEqual(['']);
  });

  it.each([7, 8])('has the instances that rules %s give', (rules) => {
    const newest = upload(5, T0 + 5, [whole({ '22/tcp': 'fail', '80/tcp': 'pass' }), closed], { rules });
    const run = new Scenario().fold(
      newest[0]!,
      ...upload(1, T0 + 1, [port('22/tcp')], { rules }),
      newest[1]!,
    );
    expect(keysOf(run)).toEqual(rules === 7 ? ['80/tcp'] : ['22/tcp', '80/tcp']);
  });

  it('orders uploads by their receipt, not by their ids', () => {
    const run = new Scenario().fold(...upload(1, T0 + 5, [signal('a')]), ...upload(2, T0, [closed]));
    expect(run.states).toEqual({ a: 'Failed' });
  });

  it('orders uploads of one millisecond by their id', () => {
    const run = new Scenario().fold(...upload(2, T0, [signal('a')]), ...upload(1, T0, [closed]));
    expect(run.states).toEqual({ a: 'Failed' });
    run.fold(...upload(3, T0, [closed]));
    expect(run.states).toEqual({ a: 'Retired' });
  });

  it('closes only the FQDNs that it names', () => {
    const name = 'web01.a.com';
    const run = new Scenario().fold(
      ...upload(1, T0, [signal('a', 'fail', { entity: entity({ name, fqdn: name }) })]),
    );
    run.fold(...upload(2, T0 + 1, [{ ...closed, names: ['web01.b.com'], matching: 'fqdn' }]));
    expect(run.states).toEqual({ a: 'Failed' });
    run.fold(...upload(3, T0 + 2, [{ ...closed, names: ['web01.b.com', 'WEB01.a.com'], matching: 'fqdn' }]));
    expect(run.states).toEqual({ a: 'Retired' });
  });
});
