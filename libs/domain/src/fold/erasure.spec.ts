import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../../../../test/support/long-run.ts';
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
import type { IntakeEvent, IntakePayload } from '../events.ts';
import type { EntityState } from '../state.ts';

const SUBJECT = 'A'.repeat(22);
const erased: IntakePayload = { type: 'SubjectErased', subject: SUBJECT, reason: 'on request' };
const swept: IntakePayload = { type: 'EntitySwept', deleteIdleSince: null };
const erasure = (at: number) => event(erased, at, { kind: 'user', user: 'ana' });

describe('the erasure of a subject (R-ERASE-4)', () => {
  const reported = () =>
    new Scenario().fold(...upload(1, T0, [signal('a'), signal('b', 'fail', { expiresAt: T0 + DAY_MS })]));

  it('changes the asset and each active finding once, and is in the audit trail', () => {
    const run = reported()
      .fold(event(swept, T0 + DAY_MS))
      .fold(erasure(T0 + 2 * DAY_MS));
    expect(run.changes).toEqual(['finding erased', 'asset erased']);
    expect(run.entity.assets[0]!.asset).toMatchObject({ erasedAt: T0 + 2 * DAY_MS, version: 2 });
    expect(run.states).toEqual({ a: 'Failed', b: 'Retired' });
    expect(run.effects.acts).toEqual([
      { action: 'subject.erased', target: SUBJECT, detail: { reason: 'on request' }, refused: null },
    ]);
    expect(run.fold(erasure(T0 + 3 * DAY_MS)).changes).toEqual([]);
    expect(run.effects.acts).toHaveLength(1);
  });

  it('does not change a deleted asset, and nothing of a subject without assets', () => {
    const run = reported();
    const { id } = run.entity.assets[0]!.asset;
    run.fold(event({ type: 'AssetDeleted', assetId: id, seenVersion: null }, T0 + 1));
    expect(run.fold(erasure(T0 + 2)).changes).toEqual([]);
    expect(new Scenario().fold(erasure(T0)).effects).toMatchObject({
      changes: [],
      acts: [{ action: 'subject.erased' }],
    });
  });

  it('of the retention has no effect unless all assets were deleted before its limit (R-RET-8)', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a')]));
    const { id } = run.entity.assets[0]!.asset;
    const byRetention = (deletedBefore: number) =>
      run.fold(event({ ...erased, deletedBefore }, T0 + 100 * DAY_MS, { kind: 'system' })).effects;
    expect(byRetention(T0 + 50 * DAY_MS)).toMatchObject({ acts: [], changes: [] });
    run.fold(event({ type: 'AssetDeleted', assetId: id, seenVersion: null }, T0 + 10 * DAY_MS));
    const { deletedAt } = run.entity.assets[0]!.asset;
    expect(byRetention(deletedAt!)).toMatchObject({ acts: [], changes: [] });
    expect(byRetention(deletedAt! + 1)).toMatchObject({ acts: [{ refused: null }], changes: [] });
    run.fold(...upload(2, T0 + 101 * DAY_MS, [signal('a')]));
    expect(byRetention(deletedAt! + 1)).toMatchObject({ acts: [], changes: [] });
    expect(run.entity.assets[0]!.asset.erasedAt ?? null).toBeNull();
  });

  it('is refused if a wrong clock stamped it', () => {
    const run = reported().fold(event(erased, T0 + 365 * DAY_MS, { receivedAt: T0 + DAY_MS }));
    expect(run.changes).toEqual([]);
    expect(run.effects.acts).toMatchObject([{ action: 'subject.erased', refused: 'clockAhead' }]);
  });
});

describe('erasures in any place of a history', () => {
  const names = fc.constantFrom('a', 'b', 'c');
  const payloads: fc.Arbitrary<IntakePayload> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .record({
          name: names,
          status: fc.constantFrom('pass' as const, 'fail' as const),
          days: fc.integer({ min: 1, max: 20 }),
          text: fc.constantFrom('sealed 1', 'sealed 2'),
        })
        .map(({ name, status, days, text }) =>
          signal(name, status, {
            description: text,
            expiresAt: T0 + days * DAY_MS,
            observations: [observation('va', [instance(status, { evidence: text })])],
          }),
        ),
    },
    { weight: 1, arbitrary: fc.constant(swept) },
    {
      weight: 1,
      arbitrary: fc.constant<IntakePayload>({
        type: 'AssessmentClosed',
        types: ['va'],
        names: ['web01'],
        matching: 'name',
      }),
    },
  );
  const histories = fc.array(
    fc.record({ payload: payloads, passed: fc.nat(3 * DAY_MS), isErased: fc.boolean() }),
    { minLength: 1, maxLength: 25 },
  );

  /** Everything that counts and scores read, and every text: no version and no time of a change. */
  const contentOf = ({ assets }: EntityState) =>
    assets.map(({ asset: { version: _, updatedAt: __, erasedAt: ___, ...asset }, lastSeen, findings }) => ({
      asset,
      lastSeen,
      findings: [...findings.values()].map(
        ({ finding: { version: ____, updatedAt: _____, ...finding }, seen }) => ({ finding, seen }),
      ),
    }));

  const historyOf = (
    steps: { payload: IntakePayload; passed: number; isErased: boolean }[],
    erases: boolean,
  ) => {
    let at = T0;
    return steps.flatMap(({ payload, passed, isErased }, i): IntakeEvent[] => {
      at += passed;
      const isTick = payload.type === 'EntitySwept';
      const events = isTick ? [event(payload, at)] : upload(i + 1, at, [payload]);
      // Without the erasure there is a tick, which also applies what is due.
      return isErased ? [...events, erases ? erasure(at) : event(swept, at)] : events;
    });
  };

  it('change no state, no text and no count, and write one change of the asset', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const [plain, withErasures] = [false, true].map((erases) => {
          const run = new Scenario();
          const changes: string[] = [];
          for (const one of historyOf(steps, erases)) changes.push(...run.fold(one).changes);
          return { run, changes };
        }) as [{ run: Scenario; changes: string[] }, { run: Scenario; changes: string[] }];
        expect(contentOf(withErasures.run.entity)).toEqual(contentOf(plain.run.entity));
        expect(withErasures.changes.filter((change) => !change.endsWith(' erased'))).toEqual(plain.changes);
        const wasErased = historyOf(steps, true).some(
          ({ payload }, i, all) =>
            payload.type === 'SubjectErased' &&
            all.slice(0, i).some((one) => one.payload.type === 'SignalReceived'),
        );
        expect(withErasures.changes.filter((change) => change === 'asset erased')).toHaveLength(
          wasErased ? 1 : 0,
        );
        expect([...withErasures.run.partition.uploads.values()].map(({ counts }) => counts)).toEqual(
          [...plain.run.partition.uploads.values()].map(({ counts }) => counts),
        );
      }),
      { numRuns: runs(300) },
    );
  });
});
