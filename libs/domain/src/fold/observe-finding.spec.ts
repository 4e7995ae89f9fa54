import { describe, expect, it } from '@jest/globals';
import {
  DAY_MS,
  event,
  instance,
  observation,
  Scenario,
  signal,
  T0,
  upload,
  uploadId,
} from '../../../../test/support/scenario.ts';
import { CURRENT_RULES, type InstanceStatus, type SignalReceived } from '../events.ts';
import type { TrackedFinding } from '../state.ts';
import { noEffects } from './effects.ts';
import { evolve } from './fold.ts';

const trackedOf = (run: Scenario): TrackedFinding => [...run.entity.assets[0]!.findings.values()][0]!;
const stamp = (n: number, at: number) => ({ at, uploadId: uploadId(n) });
const ports = (given: Partial<SignalReceived>, ...keys: string[]) =>
  signal('tls', 'fail', {
    observations: [
      observation(
        'va',
        keys.map((key) => instance('fail', { key })),
        { mode: 'merge' },
      ),
    ],
    ...given,
  });

const CONTENT = {
  subtype: 'config',
  technical: 'TLS 1.0 is on',
  businessImpact: 'traffic can be read',
  controlType: 'preventive',
  remediation: { description: 'turn it off', reference: null, impact: null },
};
const SIGNAL = {
  description: 'old TLS',
  confidence: 80,
  source: { name: 'scanner', nextSubmissionIntervalInMins: 60 },
  extra: '{"x":1}',
};

describe('a finding', () => {
  it('has the values of its signal, and counts its changes from 1', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [
        signal('a', 'fail', { ...SIGNAL, observations: [observation('va', [instance()], CONTENT)] }),
      ]),
    );
    expect(run.finding('a')).toMatchObject({ ...SIGNAL, ...CONTENT, number: 1, version: 1, updatedAt: T0 });
    run.fold(...upload(2, T0 + 1, [signal('a', 'pass'), signal('b')]));
    expect(run.finding('a')).toMatchObject({ number: 1, version: 2, updatedAt: T0 + 1, description: null });
    expect(run.finding('b')).toMatchObject({ number: 2, version: 1 });
    expect(run.effects.changes).toMatchObject([
      { change: 'stateChanged', from: 'Failed', to: 'Qualified', reason: null, expiredAt: null },
      { change: 'created', from: null, to: 'Failed', reason: null },
    ]);
  });

  it('keeps the order of its fields: `posture verify` compares the JSON of stored findings as text', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a')]));
    expect(Object.keys(run.finding('a')!).join(' ')).toBe(
      'number id type subtype name description technical businessImpact controlType remediation source confidence ' +
        'extra instances state retiredReason accepted heldFailed firstSeen version updatedAt failedSince',
    );
  });

  it.each([
    ['what the signal says', { firstSeen: T0 - DAY_MS, lastSeen: T0 - 5 }, T0 - DAY_MS, T0 - 5],
    ['when it was last seen, where that was before the upload', { lastSeen: T0 - 5 }, T0 - 5, T0 - 5],
    ['the time of the upload', {}, T0, T0],
    ['the time of the upload, where it is seen later', { lastSeen: T0 + 5 }, T0, T0 + 5],
  ])('is first seen at %s', (_, given, firstSeen, lastSeen) => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a', 'fail', given)]));
    expect(trackedOf(run)).toMatchObject({ finding: { firstSeen }, seen: { lastSeen } });
  });

  it('was last seen at the latest time of its signals, and expires as the last folded signal states', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [signal('a', 'fail', { lastSeen: T0 + 9, expiresAt: T0 + 90 * DAY_MS })]),
      ...upload(2, T0 + 1, [signal('a', 'fail', { lastSeen: T0 + 1, expiresAt: T0 + 10 * DAY_MS })]),
    );
    expect(trackedOf(run).seen).toMatchObject({
      lastSeen: T0 + 9,
      expiresAt: T0 + 10 * DAY_MS,
      seenAt: T0 + 1,
    });
  });

  it('has its instances by key', () => {
    const run = new Scenario().fold(...upload(1, T0, [ports({}, '80/tcp', '22/tcp'), ports({}, '443/tcp')]));
    expect(run.finding('tls')!.instances.map(({ key }) => key)).toEqual(['22/tcp', '443/tcp', '80/tcp']);
  });

  it('returns with only the instances of its signal', () => {
    const run = new Scenario().fold(...upload(1, T0, [ports({}, '22/tcp', '80/tcp')]));
    run.fold(...upload(2, T0 + 1, [ports({ revoked: true }, '22/tcp', '80/tcp')]));
    expect(run.states).toEqual({ tls: 'Retired' });
    run.fold(...upload(3, T0 + 2, [ports({}, '80/tcp')]));
    expect(run.finding('tls')).toMatchObject({ state: 'Failed', retiredReason: null });
    expect(run.finding('tls')!.instances.map(({ key }) => key)).toEqual(['80/tcp']);
    expect(run.effects.changes).toMatchObject([{ change: 'returned', from: 'Retired', to: 'Failed' }]);
    expect(trackedOf(run).seen.instanceStamps).toEqual({ '80/tcp': stamp(3, T0 + 2) });
  });

  it('keeps the latest stamp that touched it and each of its instances', () => {
    const run = new Scenario().fold(...upload(2, T0 + 2, [ports({}, '22/tcp')]));
    run.fold(...upload(1, T0 + 1, [ports({}, '22/tcp', '80/tcp')]));
    const { seen } = trackedOf(run);
    expect(seen.stamp).toEqual(stamp(2, T0 + 2));
    expect(seen.instanceStamps).toEqual({ '22/tcp': stamp(2, T0 + 2), '80/tcp': stamp(1, T0 + 1) });
  });

  it('has no stamp for the unnamed instance, which a named one replaces', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [signal('tls')]),
      ...upload(2, T0 + 1, [ports({}, '22/tcp')]),
    );
    expect(trackedOf(run).seen.instanceStamps).toEqual({ '22/tcp': stamp(2, T0 + 1) });
    expect(run.effects.changes.at(-1)).toMatchObject({ change: 'updated', from: 'Failed', to: 'Failed' });
  });

  it('gives the instances of a whole set its own stamp once another is set singly', () => {
    const whole = observation('va', [
      instance('fail', { key: '22/tcp' }),
      instance('fail', { key: '80/tcp' }),
    ]);
    const run = new Scenario().fold(...upload(1, T0, [signal('tls', 'fail', { observations: [whole] })]));
    expect(trackedOf(run).seen.instanceStamps).toBeNull();
    run.fold(...upload(2, T0 + 1, [ports({}, '443/tcp')]));
    expect(trackedOf(run).seen.instanceStamps).toEqual({
      '22/tcp': stamp(1, T0),
      '80/tcp': stamp(1, T0),
      '443/tcp': stamp(2, T0 + 1),
    });
  });
});

describe('a user’s word on a finding', () => {
  const accepted = (
    until: number | null,
    run = new Scenario().fold(...upload(1, T0, [ports({}, '22/tcp', '80/tcp')])),
  ) =>
    run.fold(
      event(
        {
          type: 'FindingAccepted',
          findingId: run.finding('tls')!.id,
          seenVersion: run.finding('tls')!.version,
          rationale: 'by design',
          until,
        },
        T0 + 1,
        { kind: 'user', user: 'ana' },
      ),
    );
  const reverted = (run: Scenario) =>
    run.fold(
      event(
        {
          type: 'FindingReverted',
          findingId: run.finding('tls')!.id,
          seenVersion: null,
          to: 'Failed',
          rationale: null,
        },
        T0 + 2,
        { kind: 'user', user: 'ana' },
      ),
    );

  it('states who accepted or held it, when and why', () => {
    const run = accepted(T0 + DAY_MS);
    expect(run.finding('tls')).toMatchObject({
      accepted: { by: 'ana', at: T0 + 1, rationale: 'by design', until: T0 + DAY_MS },
      heldFailed: null,
    });
    expect(run.effects.changes).toMatchObject([
      { change: 'accepted', from: 'Failed', to: 'AcceptedFailed', reason: 'user' },
    ]);
    reverted(run);
    expect(run.finding('tls')).toMatchObject({ accepted: null, heldFailed: { by: 'ana', at: T0 + 2 } });
    expect(run.effects.changes).toMatchObject([
      { change: 'reverted', from: 'AcceptedFailed', to: 'Failed', reason: 'user' },
    ]);
  });

  it.each([
    ['accepted', accepted],
    ['heldFailed', () => reverted(accepted(null))],
  ])('is not taken back by a revoked signal, which is ignored: %s', (reason, before) => {
    const run = before(null);
    const { instances, state } = run.finding('tls')!;
    run.fold(...upload(2, T0 + 3, [ports({ revoked: true, overrideAccepted: true }, '22/tcp')]));
    expect(run.finding('tls')).toMatchObject({ instances, state });
    expect(run.counts(2)).toMatchObject({ updated: 0, retired: 0, ignored: { [reason]: 1 } });
  });

  it('has no user if no user is known', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a')]));
    const act = { findingId: run.finding('a')!.id, seenVersion: null };
    run.fold(event({ type: 'FindingAccepted', ...act, rationale: 'x', until: null }, T0, { user: null }));
    expect(run.finding('a')!.accepted!.by).toBe('');
    run.fold(event({ type: 'FindingReverted', ...act, to: 'Failed', rationale: null }, T0, { user: null }));
    expect(run.finding('a')!.heldFailed!.by).toBe('');
  });

  it('is rejected on a retired finding, also to revert an earlier acceptance', () => {
    const run = accepted(null);
    run.fold(event({ type: 'EntitySwept', deleteIdleSince: null }, T0 + 365 * DAY_MS));
    const retired = run.finding('tls');
    expect(retired).toMatchObject({ state: 'Retired', accepted: { by: 'ana' } });
    expect(reverted(run).effects.acts).toMatchObject([{ refused: 'unknown' }]);
    expect(accepted(null, run).effects.acts).toMatchObject([{ refused: 'unknown' }]);
    expect(run.finding('tls')).toEqual(retired);
  });

  it('does not come back with a finding that returns after its end', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('tls', 'fail', { expiresAt: T0 + DAY_MS })]));
    accepted(T0 + 2 * DAY_MS, run);
    run.fold(event({ type: 'EntitySwept', deleteIdleSince: null }, T0 + DAY_MS));
    expect(run.states).toEqual({ tls: 'Retired' });
    run.fold(...upload(2, T0 + 3 * DAY_MS, [signal('tls')]));
    expect(run.finding('tls')).toMatchObject({ state: 'Failed', accepted: null });
  });

  it('comes back with one that returns before its end, which counts as an update', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('tls', 'fail', { expiresAt: T0 + DAY_MS })]));
    accepted(T0 + 5 * DAY_MS, run);
    run.fold(event({ type: 'EntitySwept', deleteIdleSince: null }, T0 + DAY_MS));
    run.fold(...upload(2, T0 + 3 * DAY_MS, [signal('tls', 'pass')]));
    expect(run.finding('tls')).toMatchObject({ state: 'AcceptedFailed', retiredReason: null });
    expect(run.counts(2)).toMatchObject({ updated: 1, ignored: {} });
  });

  it('is valid until its end, for all signals before', () => {
    const run = accepted(T0 + DAY_MS).fold(...upload(2, T0 + DAY_MS - 1, [ports({}, '22/tcp')]));
    expect(run.states).toEqual({ tls: 'AcceptedFailed' });
    expect(run.counts(2)).toMatchObject({ updated: 0, ignored: { accepted: 1 } });
  });

  it('ends by a failing signal that may override it, and says so', () => {
    const run = accepted(null).fold(...upload(2, T0 + 3, [ports({ overrideAccepted: true }, '22/tcp')]));
    expect(run.effects.changes).toMatchObject([
      { from: 'AcceptedFailed', to: 'Failed', reason: 'acceptanceOverridden' },
    ]);
  });

  it('ends with its last day, with that reason; a later expiry retires it too', () => {
    const run = accepted(T0 + DAY_MS);
    run.fold(event({ type: 'EntitySwept', deleteIdleSince: null }, T0 + DAY_MS));
    expect(run.effects.changes).toMatchObject([
      { change: 'stateChanged', from: 'AcceptedFailed', to: 'NotAssessed', reason: 'acceptanceEnded' },
    ]);
    const both = accepted(T0 + DAY_MS);
    both.fold(event({ type: 'EntitySwept', deleteIdleSince: null }, T0 + 365 * DAY_MS));
    expect(both.effects.changes).toMatchObject([
      { to: 'NotAssessed', reason: 'acceptanceEnded' },
      {
        change: 'retired',
        from: 'NotAssessed',
        to: 'Retired',
        reason: 'expired',
        expiredAt: T0 + 365 * DAY_MS,
      },
    ]);
  });

  it('stays with a finding that expires at the instant at which it ends', () => {
    const run = accepted(T0 + 365 * DAY_MS);
    run.fold(event({ type: 'EntitySwept', deleteIdleSince: null }, T0 + 365 * DAY_MS));
    expect(run.finding('tls')).toMatchObject({ state: 'Retired', accepted: { until: T0 + 365 * DAY_MS } });
    expect(run.effects.changes).toMatchObject([{ from: 'AcceptedFailed', to: 'Retired', reason: 'expired' }]);
  });
});

describe('a revoked signal', () => {
  const revoked = (status: InstanceStatus) =>
    signal('tls', status, { revoked: true, observations: [observation('va', [instance(status)])] });

  it('is counted, and sets the state to that of the other instances', () => {
    const passing = observation('va', [instance('pass', { key: '22/tcp' })], { mode: 'merge' });
    const run = new Scenario().fold(
      ...upload(1, T0, [ports({}, '80/tcp'), signal('tls', 'pass', { observations: [passing] })]),
    );
    run.fold(...upload(2, T0 + 1, [ports({ revoked: true }, '80/tcp')]));
    expect(run.finding('tls')).toMatchObject({ state: 'Qualified', instances: [{ key: '22/tcp' }] });
    expect(run.counts(2)).toMatchObject({ updated: 1, retired: 0, ignored: {} });
  });

  it('is the whole finding if the signal names no instance', () => {
    const run = new Scenario().fold(...upload(1, T0, [ports({}, '22/tcp', '80/tcp')]));
    run.fold(...upload(2, T0 + 1, [revoked('fail')]));
    expect(run.states).toEqual({ tls: 'Retired' });
    expect(run.counts(2)).toMatchObject({ retired: 1, ignored: {} });
  });

  const detections = (given: Partial<SignalReceived>, ...keys: string[]) =>
    signal('tls', 'fail', {
      observations: [
        observation(
          'edr',
          keys.map((key) => instance('fail', { key })),
        ),
      ],
      ...given,
    });

  it.each([
    [6, 'Retired', ['d1', 'd2', 'd3']],
    [7, 'Failed', ['d2', 'd3']],
  ])('of a set names its instances: under rules %d, the finding is %s', (rules, state, left) => {
    const run = new Scenario().fold(...upload(1, T0, [detections({}, 'd1', 'd2', 'd3')], { rules }));
    run.fold(...upload(2, T0 + 1, [detections({ revoked: true }, 'd1')], { rules }));
    expect(run.finding('tls', 'edr')).toMatchObject({ state, instances: left.map((key) => ({ key })) });
  });

  it('of a set retires the finding with the last of its instances, and is nothing without any of them', () => {
    const run = new Scenario().fold(...upload(1, T0, [detections({}, 'd1', 'd2')]));
    run.fold(...upload(2, T0 + 1, [detections({ revoked: true }, 'd3')]));
    expect(run.states).toEqual({ tls: 'Failed' });
    expect(run.counts(2)).toMatchObject({ ignored: { revoked: 1 } });
    run.fold(...upload(3, T0 + 2, [detections({ revoked: true }, 'd2', 'd1')]));
    expect(run.finding('tls', 'edr')).toMatchObject({ state: 'Retired', retiredReason: 'revoked' });
  });

  it('is nothing if the finding does not have it', () => {
    const run = new Scenario().fold(...upload(1, T0, [ports({}, '22/tcp')]));
    run.fold(
      ...upload(2, T0 + 1, [ports({ revoked: true }, '80/tcp'), { ...revoked('fail'), name: 'other' }]),
    );
    expect(run.states).toEqual({ tls: 'Failed' });
    expect(run.counts(2)).toMatchObject({ updated: 0, retired: 0, ignored: { revoked: 2 } });
  });
});

it('has no digest while it has instances of an upload that was received later: a newer one removes them', () => {
  const run = new Scenario();
  const digestAfter = (n: number, keys: string[], rules = CURRENT_RULES) => {
    const instances = keys.map((key) => instance('fail', { key }));
    const sent = signal('tls', 'fail', { observations: [observation('va', instances)] });
    const [one] = upload(n, T0 + n, [sent], { rules });
    evolve(run.partition, run.entity, one!, noEffects(), () => keys.join());
    return [trackedOf(run).digest, ...trackedOf(run).finding.instances.map(({ key }) => key)];
  };
  expect(digestAfter(5, ['443'])).toEqual(['443', '443']);
  expect(digestAfter(2, ['80', '81'], 7)).toEqual(['80,81', '80', '81']);
  expect(digestAfter(3, ['80'])).toEqual([null, '80', '81']);
  expect(digestAfter(6, ['80'])).toEqual(['80', '80']);
});

describe('expirations', () => {
  const swept = (run: Scenario, at: number) =>
    run.fold(event({ type: 'EntitySwept', deleteIdleSince: null }, at));
  const ends = (expiresInDays: number) => ({
    expiresAt: T0 + expiresInDays * DAY_MS,
    retainUntil: T0 + (expiresInDays + 87) * DAY_MS,
  });

  describe('after an upload of day 0 that follows one of day 4, for 3 days', () => {
    const newest = upload(5, T0 + 4 * DAY_MS, [signal('a', 'fail', ends(7))]);
    const late = (rules = CURRENT_RULES) => upload(1, T0, [signal('a', 'fail', ends(3))], { rules });
    const accepted = (run: Scenario) => {
      const act = { findingId: run.finding('a')!.id, seenVersion: null, rationale: 'known', until: null };
      return run.fold(event({ type: 'FindingAccepted', ...act }, T0 + 4 * DAY_MS));
    };

    it.each([
      [10, 'Retired'],
      [CURRENT_RULES, 'Failed'],
    ])('under rules %d: %s on day 5', (rules, state) => {
      const run = new Scenario().fold(...newest, ...late(rules));
      expect(swept(run, T0 + 5 * DAY_MS).states).toEqual({ a: state });
    });

    it('are those of day 4', () => {
      const run = new Scenario().fold(...newest, ...late());
      expect(trackedOf(run).seen).toMatchObject({ ...ends(7), seenAt: T0 + 4 * DAY_MS });
      expect(swept(run, T0 + 7 * DAY_MS).states).toEqual({ a: 'Retired' });
    });

    it('are those of day 4 on an accepted finding too', () => {
      const run = accepted(new Scenario().fold(...newest)).fold(...late());
      expect(trackedOf(run).seen).toMatchObject(ends(7));
    });

    it('are those of day 0 if the ones of day 4 have passed', () => {
      const run = swept(new Scenario().fold(...newest), T0 + 7 * DAY_MS);
      run.fold(...upload(1, T0, [signal('a', 'fail', ends(9))]));
      expect(run.states).toEqual({ a: 'Failed' });
      expect(trackedOf(run).seen).toMatchObject(ends(9));
    });

    it('are those of day 2 if it follows one of day 0 that returned the finding', () => {
      const run = swept(new Scenario().fold(...newest), T0 + 7 * DAY_MS);
      run.fold(...upload(1, T0, [signal('a', 'fail', ends(9))]));
      run.fold(...upload(2, T0 + 2 * DAY_MS, [signal('a', 'fail', ends(92))]));
      expect(swept(run, T0 + 9 * DAY_MS).states).toEqual({ a: 'Failed' });
      expect(trackedOf(run).seen).toMatchObject(ends(92));
    });

    it('are those of day 2 if day 0 moved them back under rules 10', () => {
      const run = new Scenario().fold(...newest);
      run.fold(...upload(1, T0, [signal('a', 'fail', ends(5))], { rules: 10 }));
      run.fold(...upload(2, T0 + 2 * DAY_MS, [signal('a', 'fail', ends(88))]));
      expect(trackedOf(run).seen).toMatchObject(ends(88));
    });

    it('are those of day 0 if it returns a finding that was revoked', () => {
      const run = new Scenario().fold(...newest);
      run.fold(...upload(6, T0 + 4 * DAY_MS + 1, [signal('a', 'fail', { revoked: true })]), ...late());
      expect(run.states).toEqual({ a: 'Failed' });
      expect(trackedOf(run).seen).toMatchObject(ends(3));
    });
  });

  it('is each finding at its own time', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [
        signal('a', 'fail', { expiresAt: T0 + DAY_MS }),
        signal('b', 'fail', { expiresAt: T0 + 2 * DAY_MS }),
        signal('c', 'fail', { retainUntil: T0 + 3 * DAY_MS }),
      ]),
    );
    expect(swept(run, T0 + DAY_MS).states).toEqual({ a: 'Retired', b: 'Failed', c: 'Failed' });
    expect(swept(run, T0 + 2 * DAY_MS).states).toEqual({ a: 'Retired', b: 'Retired', c: 'Failed' });
    expect(swept(run, T0 + 3 * DAY_MS).states).toEqual({ a: 'Retired', b: 'Retired', c: 'Retired' });
    expect(run.effects.changes).toMatchObject([
      { change: 'retired', reason: 'retention', expiredAt: T0 + 3 * DAY_MS, at: T0 + 3 * DAY_MS },
    ]);
    expect(swept(run, T0 + 4 * DAY_MS).changes).toEqual([]);
  });

  it('is an expiry, if the retention ends at the same instant', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [signal('a', 'fail', { expiresAt: T0 + DAY_MS, retainUntil: T0 + DAY_MS })]),
    );
    expect(swept(run, T0 + DAY_MS).finding('a')).toMatchObject({ retiredReason: 'expired' });
  });

  it('is known only since the finding was seen, if a slow clock delays it', () => {
    const run = swept(new Scenario(), T0 + 5 * DAY_MS);
    run.fold(...upload(1, T0, [signal('a', 'fail', { expiresAt: T0 + DAY_MS })]));
    swept(run, T0 + 6 * DAY_MS);
    expect(run.effects.changes).toMatchObject([{ reason: 'expired', expiredAt: T0 + 5 * DAY_MS }]);
  });
});
