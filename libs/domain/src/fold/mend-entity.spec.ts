import { describe, expect, it } from '@jest/globals';
import { DAY_MS, event, Scenario, signal, T0, upload } from '../../../../test/support/scenario.ts';
import type { MendedAsset, MendedFinding } from '../events.ts';
import type { TrackedFinding } from '../state.ts';

const WRONG = T0 + 100 * DAY_MS;

const seen = (...signals: ReturnType<typeof signal>[]) => new Scenario().fold(...upload(1, T0, signals));

/** Stamps of a program whose clock is 100 days ahead, and the correction of the partition's clock a day later. */
const corrected = (run: Scenario) => {
  run.fold(
    ...upload(2, WRONG, [signal('a', 'pass', { entity: { ...signal('a').entity, location: 'Mumbai' } })]),
  );
  run.fold(event({ type: 'ClockCorrected', reason: 'NTP was off' }, T0 + DAY_MS));
  return run;
};

const assetOf = (run: Scenario) => run.entity.assets[0]!;
const trackedOf = (run: Scenario, name = 'a'): TrackedFinding =>
  [...assetOf(run).findings.values()].find(({ finding }) => finding.name === name)!;

const ofAsset = (run: Scenario, given: Partial<MendedAsset> = {}): MendedAsset => {
  const { asset, lastSeen } = assetOf(run);
  return { assetId: asset.id, seenVersion: asset.version, seenAt: lastSeen, fields: {}, ...given };
};
const ofFinding = (run: Scenario, given: Partial<MendedFinding> = {}): MendedFinding => {
  const { finding, seen } = trackedOf(run);
  return {
    assetId: assetOf(run).asset.id,
    findingId: finding.id,
    seenVersion: finding.version,
    seenAt: seen.seenAt,
    fields: {},
    seen: {},
    ...given,
  };
};

const mend = (
  run: Scenario,
  { assets = [], findings = [] }: { assets?: MendedAsset[]; findings?: MendedFinding[] },
  at = T0 + 2 * DAY_MS,
) => run.fold(event({ type: 'EntityMended', assets, findings }, at));

const json = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)]));

describe('a mended asset', () => {
  it('has the fields of the mend, its own id, number and count of changes', () => {
    const run = seen(signal('a'));
    const before = assetOf(run).asset;
    const fields = json({ location: 'Pune', id: 'other', number: 7, version: 70, updatedAt: 7 });
    mend(run, { assets: [ofAsset(run, { fields })] });
    expect(assetOf(run).asset).toEqual({
      ...before,
      location: 'Pune',
      version: before.version + 1,
      updatedAt: T0 + 2 * DAY_MS,
    });
    expect(run.changes).toEqual(['asset updated']);
  });

  it.each([
    ['deleted', (run: Scenario) => run, { deletedAt: T0 }],
    [
      'returned',
      (run: Scenario) => {
        const { id: assetId } = assetOf(run).asset;
        return run.fold(event({ type: 'AssetDeleted', assetId, seenVersion: null }, T0 + 1));
      },
      { deletedAt: null },
    ],
    [
      'updated',
      (run: Scenario) => {
        const { id: assetId } = assetOf(run).asset;
        return run.fold(event({ type: 'AssetDeleted', assetId, seenVersion: null }, T0 + 1));
      },
      { deletedAt: T0 },
    ],
  ])('is %s in its history', (change, before, fields) => {
    const run = before(seen(signal('a')));
    mend(run, { assets: [ofAsset(run, { fields: json(fields) })] });
    expect(assetOf(run).asset).toMatchObject(fields);
    expect(run.changes).toEqual([`asset ${change}`]);
  });

  it('was seen and changed now if its times were in the future', () => {
    const run = corrected(seen(signal('a')));
    mend(run, { assets: [ofAsset(run)] });
    expect(assetOf(run)).toMatchObject({ lastSeen: T0 + 2 * DAY_MS, asset: { updatedAt: T0 + 2 * DAY_MS } });
    expect(run.changes).toEqual(['asset updated']);
  });

  it('is unchanged if there is nothing to mend', () => {
    const run = seen(signal('a'));
    const before = structuredClone(assetOf(run));
    mend(run, { assets: [ofAsset(run)] }, T0);
    expect(assetOf(run)).toEqual(before);
    expect(run.changes).toEqual([]);
    expect([...run.effects.touchedAssets]).toEqual([assetOf(run)]);
  });
});

describe('a mended finding', () => {
  it('has the fields of the mend, its own id, number and count of changes, and a reason', () => {
    const run = seen(signal('a'));
    const before = trackedOf(run);
    const fields = json({ state: 'Qualified', description: 'right', id: 'other', number: 7, version: 70 });
    mend(run, { findings: [ofFinding(run, { fields, seen: json({ lastSeen: T0 - 5 }) })] });
    const at = T0 + 2 * DAY_MS;
    expect(trackedOf(run)).toEqual({
      finding: {
        ...before.finding,
        state: 'Qualified',
        description: 'right',
        version: before.finding.version + 1,
        updatedAt: at,
      },
      seen: { ...before.seen, lastSeen: T0 - 5, seenAt: at },
    });
    expect(run.effects.changes).toMatchObject([
      {
        kind: 'finding',
        change: 'stateChanged',
        from: 'Failed',
        to: 'Qualified',
        reason: 'clockCorrected',
        at,
      },
    ]);
  });

  it.each([
    ['updated', 'Failed', 'Failed'],
    ['stateChanged', 'Failed', 'NotAssessed'],
    ['retired', 'Failed', 'Retired'],
    ['returned', 'Retired', 'Failed'],
  ] as const)('is %s in its history if %s becomes %s', (change, from, state) => {
    const run = seen(signal('a'));
    if (from === 'Retired') run.fold(...upload(2, T0 + 1, [signal('a', 'fail', { revoked: true })]));
    mend(run, { findings: [ofFinding(run, { fields: json({ state, description: 'right' }) })] });
    expect(run.effects.changes).toMatchObject([{ change, from, to: state }]);
  });

  it('has a history item if its last change was still to come', () => {
    const run = corrected(seen(signal('a')));
    mend(run, { findings: [ofFinding(run)] });
    const at = T0 + 2 * DAY_MS;
    expect(trackedOf(run)).toMatchObject({ finding: { updatedAt: at }, seen: { seenAt: at } });
    expect(run.effects.changes).toMatchObject([{ change: 'updated', at }]);
  });

  it('has no change if only fields that every signal updates are mended', () => {
    const run = seen(signal('a'));
    const { finding, seen: before } = trackedOf(run);
    mend(run, { findings: [ofFinding(run, { seen: json({ expiresAt: T0 + 300 * DAY_MS }) })] });
    expect(trackedOf(run)).toEqual({
      finding,
      seen: { ...before, expiresAt: T0 + 300 * DAY_MS, seenAt: T0 + 2 * DAY_MS },
    });
    expect(run.changes).toEqual([]);
    expect([...run.effects.touchedFindings.keys()]).toEqual([finding.id]);
  });

  it('is unchanged if there is nothing to mend', () => {
    const run = seen(signal('a'));
    const before = trackedOf(run);
    mend(run, { findings: [ofFinding(run)] }, T0);
    mend(run, { findings: [ofFinding(run)] });
    expect(trackedOf(run)).toEqual({ finding: before.finding, seen: before.seen });
    expect(run.changes).toEqual([]);
  });

  it('was seen now if only that time is in the future', () => {
    const run = seen(signal('a')).fold(...upload(2, WRONG, [signal('a')]));
    run.fold(event({ type: 'ClockCorrected', reason: 'NTP was off' }, T0 + DAY_MS));
    mend(run, { findings: [ofFinding(run)] });
    expect(trackedOf(run).seen.seenAt).toBe(T0 + 2 * DAY_MS);
    expect(run.changes).toEqual([]);
  });

  it('is mended before its wrong expiry is applied', () => {
    const run = seen(signal('a', 'fail', { expiresAt: T0 + DAY_MS }));
    mend(run, { findings: [ofFinding(run, { seen: json({ expiresAt: T0 + 9 * DAY_MS }) })] });
    expect(run.states).toEqual({ a: 'Failed' });
    expect(run.changes).toEqual([]);
  });

  it('keeps values of the mend that are not JSON', () => {
    const run = seen(signal('a', 'fail', { description: 'as it was' }));
    mend(run, { findings: [ofFinding(run, { fields: { description: '{', confidence: '5' } })] });
    expect(run.finding('a')).toMatchObject({ description: 'as it was', confidence: 5 });
  });
});

describe('a finding that only the wrong clock prevented', () => {
  const both = () => seen(signal('a'), signal('missing'));
  /** A mend that creates a finding as it is without the wrong clock. */
  const creating = (run: Scenario, name: string, given: Partial<MendedFinding> = {}) => {
    const { finding, seen } = trackedOf(both(), name);
    return ofFinding(run, {
      findingId: finding.id,
      seenVersion: 0,
      seenAt: 0,
      fields: json({ ...finding, id: 'other', number: 9, version: 9 }),
      seen: json({ ...seen, seenAt: 9 }),
      ...given,
    });
  };

  it('is created with the next number of its asset', () => {
    const run = seen(signal('a'));
    const right = trackedOf(both(), 'missing');
    mend(run, { findings: [creating(run, 'missing')] });
    const at = T0 + 2 * DAY_MS;
    expect(trackedOf(run, 'missing')).toEqual({
      finding: { ...right.finding, number: 2, version: 1, updatedAt: at },
      seen: { ...right.seen, seenAt: at },
    });
    expect(run.effects.changes).toMatchObject([
      { change: 'created', from: null, to: 'Failed', reason: 'clockCorrected' },
    ]);
    run.fold(...upload(3, T0 + 3 * DAY_MS, [signal('next')]));
    expect(run.finding('next')!.number).toBe(3);
  });

  it('is not created if one exists, or existed and was deleted', () => {
    const run = seen(signal('a'));
    const before = structuredClone(run.entity);
    mend(run, { findings: [creating(run, 'a'), creating(run, 'missing', { seenVersion: 1 })] });
    expect(run.entity).toEqual(before);
    expect(run.changes).toEqual([]);
  });
});

describe('a mend', () => {
  it.each([
    ['a version that has changed since', { seenVersion: 9 }],
    ['what was seen since', { seenAt: T0 + 1 }],
    ['an asset that the entity does not have', { assetId: 'none' }],
  ])('does not change %s', (_, given) => {
    const run = seen(signal('a'));
    const before = structuredClone(run.entity);
    mend(run, {
      assets: [ofAsset(run, { fields: json({ location: 'Pune' }), ...given })],
      findings: [ofFinding(run, { fields: json({ description: 'wrong' }), ...given })],
    });
    expect(run.entity).toEqual(before);
    expect(run.changes).toEqual([]);
  });

  it('does not change fields that it does not name', () => {
    const run = seen(signal('a'), signal('b'));
    const before = structuredClone(trackedOf(run, 'b'));
    mend(run, { findings: [ofFinding(run, { fields: json({ description: 'right' }) })] });
    expect(trackedOf(run, 'b')).toEqual(before);
    expect(run.finding('a')!.description).toBe('right');
  });
});
