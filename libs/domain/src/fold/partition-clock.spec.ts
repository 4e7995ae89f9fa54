import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assetId } from '#libs/domain';
import { planSaved } from '../../../../test/fixtures/domain/plans.ts';
import {
  DAY_MS,
  described,
  event,
  Scenario,
  signal,
  T0,
  upload,
  uploadId,
} from '../../../../test/support/scenario.ts';
import type { IntakeEvent, IntakePayload } from '../events.ts';
import { findingId } from '../signal/event-ids.ts';
import { STAMP_AHEAD_MS_MAX } from './partition-clock.ts';

const ASSET = assetId('machine:web01');
const FINDING = findingId(ASSET, 'va', 'a');
const closed: IntakePayload = { type: 'AssessmentClosed', types: ['va'], names: ['web01'], matching: 'name' };
const swept: IntakePayload = { type: 'EntitySwept', deleteIdleSince: T0 + 400 * DAY_MS };
const settings: IntakePayload = {
  type: 'SettingsChanged',
  seenVersion: null,
  changes: { retentionDays: '1' },
};

const acts: IntakePayload[] = [
  {
    type: 'FindingAccepted',
    findingId: FINDING,
    seenVersion: null,
    rationale: 'r',
    until: T0 + 300 * DAY_MS,
  },
  { type: 'FindingReverted', findingId: FINDING, seenVersion: null, to: 'Failed', rationale: null },
  { type: 'FindingAssigned', findingId: FINDING, seenVersion: null, user: 'ana', team: null },
  { type: 'FindingTagged', findingId: FINDING, seenVersion: null, add: ['a'], remove: [] },
  { type: 'FindingDueSet', findingId: FINDING, seenVersion: null, due: T0, reason: null },
  { type: 'FindingTicketsChanged', findingId: FINDING, seenVersion: null, attach: [], detach: ['https://t'] },
  { type: 'FindingCommented', findingId: FINDING, seenVersion: null, text: 't', mentions: [] },
  { type: 'AssetDeleted', assetId: ASSET, seenVersion: null },
  { type: 'SubjectErased', subject: 'A'.repeat(22), reason: 'r' },
  settings,
];
const payloads = fc.oneof(
  fc.constantFrom(signal('a'), signal('b'), signal('a', 'pass'), described(), closed, swept, ...acts),
  fc
    .integer({ min: 1, max: 90 })
    .map((days): IntakePayload => signal('a', 'fail', { expiresAt: T0 + days * DAY_MS })),
);

const isUploaded = ({ type }: IntakePayload) =>
  type === 'SignalReceived' || type === 'AssetDescribed' || type === 'AssessmentClosed';

/** One event, with the readings of the program's own clock and the reference clock. */
const stamped = (payload: IntakePayload, n: number, own: number, reference: number): IntakeEvent => {
  const ofUpload = isUploaded(payload) ? { uploadId: uploadId(n) } : {};
  return event(payload, own, { receivedAt: reference, ...ofUpload });
};

/** All state of the fold except the outcome of uploads. */
const stateOf = ({ partition: { uploads: _, ...partition }, entity }: Scenario) =>
  structuredClone({ partition, entity });

const near = fc.integer({ min: -3 * DAY_MS, max: STAMP_AHEAD_MS_MAX });
const farAhead = fc.integer({ min: STAMP_AHEAD_MS_MAX + 1, max: 400 * DAY_MS });
const histories = fc.array(fc.tuple(payloads, fc.integer({ min: 0, max: 120 * DAY_MS }), near), {
  maxLength: 12,
});

describe('an event with a stamp far ahead of the reference clock', () => {
  it('changes no state, with any content', () => {
    fc.assert(
      fc.property(histories, payloads, farAhead, (history, payload, ahead) => {
        const run = new Scenario().fold(
          ...history.map(([one, at, skew], i) => stamped(one, i + 1, T0 + at + skew, T0 + at)),
        );
        const before = stateOf(run);
        run.fold(stamped(payload, 99, T0 + ahead, T0));
        expect(stateOf(run)).toEqual(before);
        expect(run.effects.changes).toEqual([]);
        expect(run.effects.setAside).toBe(1);
      }),
    );
  });

  it('advances its upload, which counts its signals as ignored', () => {
    const late = T0 + 120 * DAY_MS;
    const run = new Scenario().fold(...upload(1, T0, [signal('a')]));
    run.fold(
      ...[signal('a', 'pass'), described(), closed].map((payload, i) =>
        event(payload, late, { uploadId: uploadId(2), receivedAt: T0 + 1, ordinal: i + 1, count: 3 }),
      ),
    );
    expect(run.states).toEqual({ a: 'Failed' });
    expect(run.counts(2)).toMatchObject({ updated: 0, retired: 0, ignored: { clockAhead: 2 } });
    expect(run.partition.uploads.get(uploadId(2))).toMatchObject({ seen: 3, signals: 2 });
  });

  it.each(acts)('is a rejected act: $type', (act) => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a')]));
    run.fold(event(act, T0 + 120 * DAY_MS, { kind: 'user', receivedAt: T0 }));
    expect(run.effects.acts).toMatchObject([{ refused: 'clockAhead' }]);
  });

  it.each<IntakePayload>([
    { type: 'OptionSaved', list: 'departments', id: 'o1', name: 'IT', isDefault: false },
    { type: 'OptionRemoved', list: 'departments', id: 'o1' },
    {
      type: 'CustomFieldSaved',
      id: 'f1',
      name: 'Owner',
      fieldType: 'Text',
      multiValued: false,
      options: [],
      createdAt: T0,
      recognisedAt: T0,
    },
    { type: 'CustomFieldRemoved', id: 'f1' },
    {
      type: 'OsMappingReplaced',
      seenVersion: null,
      mappings: [],
      default: { assetType: 'Server', attackSurface: 'x', supports: [] },
    },
    { type: 'OwnerRulesReplaced', seenVersion: null, rules: [] },
    {
      type: 'IntegrationSaved',
      id: 'i1',
      seenVersion: null,
      integrationType: 'edrplugin',
      subType: 'falcon',
      name: 'EDR',
      source: 'EDR',
      config: {},
      secrets: [],
      createdAt: T0,
    },
    { type: 'IntegrationRemoved', id: 'i1' },
    planSaved(),
    { type: 'PlanRemoved', id: 'p1', seenVersion: null },
  ])('is a rejected change of the organization: $type', (act) => {
    const run = new Scenario().fold(event(act, T0 + 120 * DAY_MS, { kind: 'user', receivedAt: T0 }));
    expect(run.effects.acts).toMatchObject([{ refused: 'clockAhead' }]);
    expect(run.entity.organization).toBeNull();
  });

  it.each<[string, IntakePayload]>([
    [
      'credential.created',
      { type: 'CredentialChanged', act: 'created', credentialId: 'c1', username: 'ana', role: 'analyst' },
    ],
    ['webhook.paused', { type: 'WebhookChanged', act: 'paused', webhookId: 'w1', details: {} }],
    [
      'catalogue.imported',
      {
        type: 'CatalogueImported',
        importId: 'x',
        catalogue: 'kev',
        source: 'kev',
        contentHash: '0',
        rows: 1,
      },
    ],
    [
      'integration.syncRequested',
      { type: 'SyncRequested', integrationId: 'i1', syncId: 's1', isFull: false },
    ],
  ])('is in the audit trail as usual if it only reports an act outside the log: %s', (action, act) => {
    const run = new Scenario().fold(event(act, T0 + 120 * DAY_MS, { kind: 'user', receivedAt: T0 }));
    expect(run.effects.acts).toMatchObject([{ action, refused: null }]);
    expect(run.entity.organization).toBeNull();
  });
});

describe('the clock of a partition', () => {
  it('is never later than both clocks of one of its events', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(payloads, fc.nat(300 * DAY_MS), fc.nat(300 * DAY_MS)), { maxLength: 12 }),
        (history) => {
          const run = new Scenario();
          let reached = 0;
          for (const [i, [payload, own, reference]] of history.entries()) {
            run.fold(stamped(payload, i + 1, T0 + own, T0 + reference));
            reached = Math.max(reached, T0 + Math.min(own, reference));
            expect(run.partition.clock).toBeLessThanOrEqual(reached);
          }
        },
      ),
    );
  });

  it('uses the earlier of both clocks for the times of an event', () => {
    const [own, reference] = [T0 + 60_000, T0];
    const run = new Scenario().fold(
      event(signal('a'), own, { uploadId: uploadId(1), receivedAt: reference }),
      event(acts[0]!, own, { kind: 'user', receivedAt: reference }),
    );
    expect(run.partition.clock).toBe(reference);
    expect(run.finding('a')).toMatchObject({ firstSeen: reference, accepted: { at: reference } });
  });

  it('orders uploads by the reference clock, not by the clocks of their gateways', () => {
    const received = (n: number, payload: IntakePayload[], own: number, reference: number) =>
      payload.map((one, i) =>
        event(one, own, {
          uploadId: uploadId(n),
          receivedAt: reference,
          ordinal: i + 1,
          count: payload.length,
        }),
      );
    // The second gateway is half an hour slow; it receives a ZIP that replaces a minute after the first.
    const run = new Scenario().fold(
      ...received(1, [signal('a')], T0, T0),
      ...received(2, [signal('b'), closed], T0 + 60_000 - 1_800_000, T0 + 60_000),
    );
    expect(run.states).toEqual({ a: 'Retired', b: 'Failed' });
  });

  it('leaves no stamp more than an hour ahead of the clock of the gateway, if the reference is wrong', () => {
    const ahead = T0 + 120 * DAY_MS;
    const run = new Scenario().fold(event(signal('a'), T0, { uploadId: uploadId(1), receivedAt: ahead }));
    expect(run.partition.clock).toBe(T0);
    expect(run.partition.uploads.get(uploadId(1))!.stamp.at).toBe(T0 + STAMP_AHEAD_MS_MAX);
  });

  it.each([1, 2])('is moved by any stamp under rules %i, as ever', (rules) => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a', 'fail', { expiresAt: T0 + 90 * DAY_MS })]));
    run.fold(
      event({ type: 'EntitySwept', deleteIdleSince: null }, T0 + 120 * DAY_MS, { receivedAt: T0 }, { rules }),
    );
    expect(run.partition.clock).toBe(T0 + 120 * DAY_MS);
    expect(run.states).toEqual({ a: 'Retired' });
  });

  it.each([
    [2, T0 + 120 * DAY_MS],
    [3, T0 + STAMP_AHEAD_MS_MAX],
  ])(
    'orders an upload under rules %i by its receipt; from 3 on by at most an hour after its stamp',
    (rules, at) => {
      const run = new Scenario().fold(
        event(signal('a'), T0, { uploadId: uploadId(1), receivedAt: T0 + 120 * DAY_MS }, { rules }),
      );
      expect(run.partition.uploads.get(uploadId(1))!.stamp.at).toBe(at);
    },
  );

  it.each([
    [STAMP_AHEAD_MS_MAX, 0],
    [STAMP_AHEAD_MS_MAX + 1, 1],
  ])('counts a stamp that is %d ms ahead as set aside: %d', (ahead, setAside) => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a')]));
    run.fold(event(closed, T0 + ahead, { uploadId: uploadId(2), receivedAt: T0 }));
    expect(run.effects.setAside).toBe(setAside);
  });
});
