import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS, event, Scenario, signal, T0, upload } from '../../../../test/support/scenario.ts';
import type { FindingAct, InstanceStatus, IntakePayload, TriageAct } from '../events.ts';
import { assetId, findingId } from '../signal/event-ids.ts';
import { hasEffect, refusalOf } from './refusal-of.ts';
import { FINDING_TAGS_MAX, FINDING_TICKETS_MAX, triageAfter, triageOf } from './triage-after.ts';

const FINDING = findingId(assetId('machine:web01'), 'va', 'a');
const on = { findingId: FINDING, seenVersion: null };
const assigned = (user: string | null, team: string | null = null): TriageAct => ({
  type: 'FindingAssigned',
  ...on,
  user,
  team,
});
const tagged = (add: string[], remove: string[] = []): TriageAct => ({
  type: 'FindingTagged',
  ...on,
  add,
  remove,
});
const dueSet = (due: number | null, reason: string | null = null): TriageAct => ({
  type: 'FindingDueSet',
  ...on,
  due,
  reason,
});
const ticket = (n: number, label = `RISK-${n}`) => ({ url: `https://tickets.example/${n}`, label });
const tickets = (attach: ReturnType<typeof ticket>[], detach: string[] = []): TriageAct => ({
  type: 'FindingTicketsChanged',
  ...on,
  attach,
  detach,
});
const commented: TriageAct = { type: 'FindingCommented', ...on, text: 'look', mentions: [] };

const failed = () => new Scenario().fold(...upload(1, T0, [signal('a')]));
const act = (run: Scenario, ...payloads: IntakePayload[]) =>
  run.fold(...payloads.map((payload) => event(payload, T0 + 1, { kind: 'user', user: 'ben' })));
const triage = (run: Scenario) => triageOf(run.finding('a')!);

describe('triage (R-TRIAGE-1)', () => {
  it.each<[string, TriageAct, string, object]>([
    ['a user', assigned('ana'), 'assigned', { assignee: { user: 'ana' } }],
    ['a team', assigned(null, 'blue'), 'assigned', { assignee: { team: 'blue' } }],
    ['tags', tagged(['b', 'a', 'b']), 'tagged', { tags: ['a', 'b'] }],
    ['a due date', dueSet(T0 + DAY_MS, 'law'), 'dueSet', { due: { at: T0 + DAY_MS, reason: 'law' } }],
    ['a ticket', tickets([ticket(1)]), 'ticketsChanged', { tickets: [ticket(1)] }],
    ['a comment', commented, 'commented', { comments: 1 }],
  ])('is one change of the finding, in the same state: %s', (_, given, change, expected) => {
    const run = act(failed(), given);
    expect(triage(run)).toMatchObject(expected);
    expect(run.effects.changes).toMatchObject([{ change, from: 'Failed', to: 'Failed', reason: 'user' }]);
    expect(run.finding('a')).toMatchObject({ version: 2, updatedAt: T0 + 1 });
  });

  it('takes back what it gave', () => {
    const run = act(failed(), assigned('ana'), tagged(['a', 'b']), dueSet(T0, 'x'), tickets([ticket(1)]));
    act(
      run,
      assigned(null),
      tagged(['c'], ['a', 'z']),
      dueSet(null),
      tickets([], [ticket(1).url, 'https://no']),
    );
    expect(triage(run)).toEqual({ assignee: null, tags: ['b', 'c'], due: null, tickets: [], comments: 0 });
  });

  it('replaces a ticket with the same address, and sorts tickets by it', () => {
    const run = act(failed(), tickets([ticket(2), ticket(1)]), tickets([ticket(2, 'new')]));
    expect(triage(run).tickets).toEqual([ticket(1), ticket(2, 'new')]);
  });

  it('changes nothing if the finding is so already, except by a comment', () => {
    const run = act(failed(), assigned('ana'), tagged(['a']), dueSet(T0), tickets([ticket(1)]));
    const { version } = run.finding('a')!;
    act(run, assigned('ana'), tagged(['a'], ['b']), dueSet(T0), tickets([ticket(1)], ['https://none']));
    expect(run.effects.changes).toEqual([]);
    expect(run.effects.acts.map(({ refused }) => refused)).toEqual([null, null, null, null]);
    expect(run.finding('a')!.version).toBe(version);
    act(run, commented, commented);
    expect(triage(run).comments).toBe(2);
  });

  it('is refused on a stale version, an unknown finding and a retired one', () => {
    const run = failed();
    act(run, { ...assigned('ana'), seenVersion: 7 }, { ...assigned('ana'), findingId: 'x' });
    expect(run.effects.acts.map(({ refused }) => refused)).toEqual(['stale', 'unknown']);
    run.fold(...upload(2, T0 + 2, [signal('a', 'fail', { revoked: true })]));
    act(run, assigned('ana'));
    expect(run.effects.acts).toMatchObject([{ action: 'finding.assigned', refused: 'unknown' }]);
    expect(run.finding('a')!.triage).toBeUndefined();
  });

  it('is refused beyond the greatest number of tags and tickets', () => {
    const run = act(failed(), tagged(Array.from({ length: FINDING_TAGS_MAX }, (_, i) => `t${i}`)));
    act(run, tagged(['one-more']), tagged(['one-more'], ['t0']));
    expect(run.effects.acts.map(({ refused }) => refused)).toEqual(['tooMany', null]);
    const many = Array.from({ length: FINDING_TICKETS_MAX }, (_, i) => ticket(i));
    act(run, tickets(many), tickets([ticket(99)]), tickets([ticket(99)], [ticket(0).url]));
    expect(run.effects.acts.map(({ refused }) => refused)).toEqual([null, 'tooMany', null]);
  });

  it('is kept by a finding that retires and returns, and by an asset that is deleted', () => {
    const run = act(failed(), assigned('ana'));
    const { id } = run.entity.assets[0]!.asset;
    act(run, { type: 'AssetDeleted', assetId: id, seenVersion: null });
    expect(run.finding('a')!.state).toBe('Retired');
    run.fold(...upload(2, T0 + 2, [signal('a', 'pass')]));
    expect(run.finding('a')).toMatchObject({ state: 'Qualified', triage: { assignee: { user: 'ana' } } });
  });
});

const acts: fc.Arbitrary<TriageAct> = fc.oneof(
  fc.constantFrom(assigned('ana'), assigned(null, 'blue'), assigned(null)),
  fc.tuple(fc.subarray(['a', 'b', 'c']), fc.subarray(['d', 'e', 'a'])).map(([add, remove]) =>
    tagged(
      add,
      remove.filter((tag) => !add.includes(tag)),
    ),
  ),
  fc.constantFrom(dueSet(T0), dueSet(T0 + DAY_MS, 'law'), dueSet(null)),
  fc.constantFrom(tickets([ticket(1)]), tickets([ticket(2, 'x')], [ticket(1).url]), commented),
);
const others = fc.oneof(
  fc
    .tuple(fc.constantFrom<InstanceStatus>('fail', 'pass', 'unknown'), fc.boolean())
    .map(([status, revoked]): IntakePayload => signal('a', status, { revoked })),
  fc.constantFrom<IntakePayload>(
    { type: 'FindingAccepted', ...on, rationale: 'known', until: T0 + DAY_MS },
    { type: 'FindingReverted', ...on, to: 'Failed', rationale: null },
    { type: 'AssessmentClosed', types: ['va'], names: ['web01'], matching: 'name' },
    { type: 'EntitySwept', deleteIdleSince: null },
  ),
);

describe('any sequence of signals and acts', () => {
  it('is decided by the fold as an act is previewed', () => {
    const stale = acts.map((act) => ({ ...act, seenVersion: 1 }));
    fc.assert(
      fc.property(fc.array(fc.oneof(acts, stale, others), { maxLength: 30 }), (payloads) => {
        const run = failed();
        payloads.forEach((payload, i) => {
          const isUploaded = payload.type === 'SignalReceived' || payload.type === 'AssessmentClosed';
          const [one] = isUploaded ? upload(i + 2, T0 + i, [payload]) : [event(payload, T0 + i)];
          const before = run.finding('a')!;
          run.fold(one!);
          if (!('findingId' in payload)) return;
          const act = payload as FindingAct;
          const refused = refusalOf(before, act);
          expect(run.effects.acts[0]!.refused).toBe(refused);
          const isChanged = refused === null && hasEffect(before, act);
          expect(run.finding('a')!.version).toBe(before.version + Number(isChanged));
        });
      }),
    );
  });

  it('gives the triage that the acts alone give, and the states that the others alone give', () => {
    const steps = fc.array(fc.oneof(acts, others), { maxLength: 30 });
    fc.assert(
      fc.property(steps, (payloads) => {
        const [run, without] = [failed(), failed()];
        let expected = triageOf({});
        payloads.forEach((payload, i) => {
          const at = T0 + (i * DAY_MS) / 4;
          const isUploaded = payload.type === 'SignalReceived' || payload.type === 'AssessmentClosed';
          const [one] = isUploaded ? upload(i + 2, at, [payload]) : [event(payload, at)];
          run.fold(one!);
          const isTriage = 'findingId' in payload && !/Accepted|Reverted/.test(payload.type);
          // The clock moves for both.
          without.fold(isTriage ? event({ type: 'EntitySwept', deleteIdleSince: null }, at) : one!);
          if (!isTriage) return;
          if (run.effects.acts[0]!.refused === null) expected = triageAfter(expected, payload as TriageAct)!;
        });
        expect(triage(run)).toEqual(expected);
        const { state, instances, accepted, heldFailed } = run.finding('a')!;
        expect(without.finding('a')).toMatchObject({ state, instances, accepted, heldFailed });
      }),
    );
  });
});
