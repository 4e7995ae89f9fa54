import { describe, expect, it } from '@jest/globals';
import { planSaved } from '../../../../test/fixtures/domain/plans.ts';
import { DAY_MS, event, Scenario, signal, T0, upload } from '../../../../test/support/scenario.ts';
import type { IntakePayload, OrganizationPayload } from '../events.ts';

/** The audit trail: the entry of each act of a user, applied or rejected. */

const failed = () => new Scenario().fold(...upload(1, T0, [signal('a')]));
const actsOf = (run: Scenario, ...payloads: IntakePayload[]) =>
  run.fold(...payloads.map((payload) => event(payload, T0 + DAY_MS, { kind: 'user' }))).effects.acts;

describe('an act on a finding or an asset', () => {
  const accepted = (run: Scenario, until: number | null): IntakePayload => ({
    type: 'FindingAccepted',
    findingId: run.finding('a')!.id,
    seenVersion: null,
    rationale: 'by design',
    until,
  });

  it.each([
    [T0 + 30 * DAY_MS, '2026-01-31T00:00:00.000Z'],
    [null, null],
  ])('states why a finding is accepted, and until when: %s', (until, told) => {
    const run = failed();
    expect(actsOf(run, accepted(run, until))).toEqual([
      {
        action: 'finding.accepted',
        target: run.finding('a')!.id,
        detail: { rationale: 'by design', until: told },
        refused: null,
      },
    ]);
  });

  it('states the status that a finding is reverted to, and why', () => {
    const run = failed();
    const { id: findingId } = run.finding('a')!;
    const reverted: IntakePayload = {
      type: 'FindingReverted',
      findingId,
      seenVersion: null,
      to: 'Failed',
      rationale: 'a mistake',
    };
    expect(actsOf(run, accepted(run, null), reverted)[1]).toEqual({
      action: 'finding.reverted',
      target: findingId,
      detail: { to: 'Failed', rationale: 'a mistake' },
      refused: null,
    });
  });

  it('states what users decide about the work on a finding', () => {
    const run = failed();
    const on = { findingId: run.finding('a')!.id, seenVersion: null };
    const ticket = { url: 'https://tickets.example/1', label: 'RISK-1' };
    const acts = actsOf(
      run,
      { type: 'FindingAssigned', ...on, user: 'ana', team: null },
      { type: 'FindingTagged', ...on, add: ['a'], remove: ['b'] },
      { type: 'FindingDueSet', ...on, due: T0, reason: 'law' },
      { type: 'FindingTicketsChanged', ...on, attach: [ticket], detach: ['https://tickets.example/2'] },
      { type: 'FindingCommented', ...on, text: 'look, @ana', mentions: ['ana'] },
    );
    expect(acts.every(({ target, refused }) => target === on.findingId && refused === null)).toBe(true);
    expect(acts.map(({ action, detail }) => [action, detail])).toEqual([
      ['finding.assigned', { user: 'ana', team: null }],
      ['finding.tagged', { add: ['a'], remove: ['b'] }],
      ['finding.dueSet', { due: '2026-01-01T00:00:00.000Z', reason: 'law' }],
      ['finding.ticketsChanged', { attach: [ticket], detach: ['https://tickets.example/2'] }],
      ['finding.commented', { text: 'look, @ana', mentions: ['ana'] }],
    ]);
  });

  it('states which asset is deleted', () => {
    const run = failed();
    const { id: assetId } = run.entity.assets[0]!.asset;
    expect(actsOf(run, { type: 'AssetDeleted', assetId, seenVersion: 1 })).toEqual([
      { action: 'asset.deleted', target: assetId, detail: {}, refused: null },
    ]);
  });

  it('states which subject is erased, and why', () => {
    const subject = 'A'.repeat(22);
    expect(actsOf(failed(), { type: 'SubjectErased', subject, reason: 'on request' })).toEqual([
      { action: 'subject.erased', target: subject, detail: { reason: 'on request' }, refused: null },
    ]);
  });
});

describe('the correction of a partition’s clock', () => {
  const correctedAt = (at: number) =>
    new Scenario()
      .fold(...upload(1, T0 + DAY_MS, [signal('a')]))
      .fold(event({ type: 'ClockCorrected', reason: 'NTP was off' }, at)).effects.acts;

  it('states from when to when, and why', () => {
    expect(correctedAt(T0)).toEqual([
      {
        action: 'clock.corrected',
        target: 'partition 0',
        detail: { from: '2026-01-02T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z', reason: 'NTP was off' },
        refused: null,
      },
    ]);
  });

  it.each([T0 + DAY_MS, T0 + 2 * DAY_MS])('is rejected if the clock is not ahead of it: %d', (at) => {
    expect(correctedAt(at)).toMatchObject([{ refused: 'notAhead' }]);
  });
});

describe('an act on the organization', () => {
  const option = (name: string, list: 'departments' | 'locations' = 'departments'): OrganizationPayload => ({
    type: 'OptionSaved',
    list,
    id: 'o1',
    name,
    isDefault: false,
  });
  const field = (name: string): OrganizationPayload => ({
    type: 'CustomFieldSaved',
    id: 'f1',
    name,
    fieldType: 'Text',
    multiValued: false,
    options: [],
    createdAt: T0,
    recognisedAt: T0 + DAY_MS,
  });
  const integration = (seenVersion: number | null): OrganizationPayload => ({
    type: 'IntegrationSaved',
    id: 'i1',
    seenVersion,
    integrationType: 'edrplugin',
    subType: 'falcon',
    name: 'EDR',
    source: 'EDR',
    config: {},
    secrets: ['secret'],
    createdAt: T0,
  });
  const mapping = { mappings: [], default: { assetType: 'Server', attackSurface: 'x', supports: [] } };

  it.each<[string, string, OrganizationPayload[]]>([
    [
      'settings.changed',
      'settings',
      [{ type: 'SettingsChanged', seenVersion: null, changes: { retentionDays: '30' } }],
    ],
    ['department.added', 'o1', [option('Sales')]],
    ['department.changed', 'o1', [option('Sales'), option('IT')]],
    ['department.removed', 'o1', [option('Sales'), { type: 'OptionRemoved', list: 'departments', id: 'o1' }]],
    ['location.added', 'o1', [option('Pune', 'locations')]],
    [
      'location.removed',
      'o1',
      [option('Pune', 'locations'), { type: 'OptionRemoved', list: 'locations', id: 'o1' }],
    ],
    ['customField.added', 'f1', [field('Owner')]],
    ['customField.changed', 'f1', [field('Owner'), field('Team')]],
    ['customField.removed', 'f1', [field('Owner'), { type: 'CustomFieldRemoved', id: 'f1' }]],
    ['osMapping.replaced', 'settings', [{ type: 'OsMappingReplaced', seenVersion: null, ...mapping }]],
    ['ownerRules.replaced', 'settings', [{ type: 'OwnerRulesReplaced', seenVersion: null, rules: [] }]],
    [
      'credential.rotated',
      'c1',
      [{ type: 'CredentialChanged', act: 'rotated', credentialId: 'c1', username: 'ana', role: 'admin' }],
    ],
    ['plan.added', 'p1', [planSaved()]],
    ['plan.changed', 'p1', [planSaved(), planSaved({ seenVersion: 1 })]],
    ['plan.removed', 'p1', [planSaved(), { type: 'PlanRemoved', id: 'p1', seenVersion: null }]],
    ['webhook.paused', 'w1', [{ type: 'WebhookChanged', act: 'paused', webhookId: 'w1', details: {} }]],
    [
      'catalogue.imported',
      'epss',
      [
        {
          type: 'CatalogueImported',
          importId: 'x',
          catalogue: 'epss',
          source: 'epss.csv',
          contentHash: '00',
          rows: 1,
        },
      ],
    ],
    ['integration.added', 'i1', [integration(null)]],
    ['integration.changed', 'i1', [integration(null), integration(1)]],
    ['integration.removed', 'i1', [integration(null), { type: 'IntegrationRemoved', id: 'i1' }]],
    [
      'integration.syncRequested',
      'i1',
      [{ type: 'SyncRequested', integrationId: 'i1', syncId: 's1', isFull: true }],
    ],
  ])('is %s of %s', (action, target, payloads) => {
    expect(actsOf(new Scenario(), ...payloads).at(-1)).toMatchObject({ action, target, refused: null });
  });

  it('states the values before and after it, with times in the format of the API', () => {
    const told = {
      id: 'f1',
      type: 'Text',
      multiValued: false,
      options: [],
      createdAt: '2026-01-01T00:00:00.000Z',
      recognisedAt: '2026-01-02T00:00:00.000Z',
    };
    expect(actsOf(new Scenario(), field('Owner'), field('Team')).map(({ detail }) => detail)).toEqual([
      { before: null, after: { ...told, name: 'Owner' } },
      { before: { ...told, name: 'Owner' }, after: { ...told, name: 'Team' } },
    ]);
  });

  it('states the requested values if it is rejected', () => {
    const [, refused] = actsOf(new Scenario(), field('Owner'), {
      ...field('Owner'),
      id: 'f2',
    } as IntakePayload);
    expect(refused).toEqual({
      action: 'customField.changed',
      target: 'f2',
      detail: {
        asked: {
          id: 'f2',
          name: 'Owner',
          fieldType: 'Text',
          multiValued: false,
          options: [],
          createdAt: '2026-01-01T00:00:00.000Z',
          recognisedAt: '2026-01-02T00:00:00.000Z',
        },
      },
      refused: 'nameTaken',
    });
  });
});
