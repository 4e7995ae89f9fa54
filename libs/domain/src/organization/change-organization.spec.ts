import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { planSaved } from '../../../../test/fixtures/domain/plans.ts';
import { event, Scenario, T0 } from '../../../../test/support/scenario.ts';
import type {
  CustomFieldSaved,
  IntegrationSaved,
  OptionSaved,
  OrganizationPayload,
  OwnerRule,
} from '../events.ts';
import { DEFAULT_SETTINGS, settingsInForce } from '../settings.ts';
import { changeOrganization } from './change-organization.ts';
import { initialOrganization, type Organization } from './organization.ts';
import { PLANS_MAX } from './save-plan.ts';

const UNASSIGNED = initialOrganization().departments[0]!;

function decided(...payloads: OrganizationPayload[]): Organization {
  return payloads.reduce((organization, payload) => {
    const outcome = changeOrganization(organization, payload);
    if (outcome.refused !== null) throw new Error(`${payload.type} was refused: ${outcome.refused}`);
    return outcome.organization;
  }, initialOrganization());
}

const sales = (given: Partial<OptionSaved> = {}): OptionSaved => ({
  type: 'OptionSaved',
  list: 'departments',
  id: 'd1',
  name: 'Sales',
  isDefault: false,
  ...given,
});
const changedOption = (given: Partial<OptionSaved>): OptionSaved =>
  sales({ isChange: true, name: null, isDefault: null, ...given });
const owner = (given: Partial<CustomFieldSaved> = {}): CustomFieldSaved => ({
  type: 'CustomFieldSaved',
  id: 'f1',
  name: 'Owner',
  fieldType: 'Select',
  multiValued: false,
  options: ['ana'],
  createdAt: T0,
  recognisedAt: T0 + 900_000,
  ...given,
});

describe('settings', () => {
  it('change by name, the others stay, and the version counts', () => {
    const { settings } = decided(
      { type: 'SettingsChanged', seenVersion: 0, changes: { retentionDays: '30' } },
      { type: 'SettingsChanged', seenVersion: null, changes: { platformVersion: '"3.9"' } },
    );
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, version: 2, retentionDays: 30, platformVersion: '3.9' });
  });

  it('are rejected if another user has changed them since (R-FOLD-6)', () => {
    const stale = { type: 'SettingsChanged', seenVersion: 0, changes: {} } as const;
    expect(changeOrganization(decided(stale), stale)).toEqual({ refused: 'stale' });
  });

  it('ignore unknown settings and invalid JSON: the fold is total', () => {
    const { settings } = decided({
      type: 'SettingsChanged',
      seenVersion: null,
      changes: { retentionDays: '{', version: '9', colour: '1', __proto__: '1', maxLagSeconds: '60' },
    });
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, version: 1, maxLagSeconds: 60 });
  });

  it('make a department the default of its list, and reject one that is not in it', () => {
    const choose = (name: string) =>
      ({
        type: 'SettingsChanged',
        seenVersion: null,
        changes: { defaultDepartment: JSON.stringify(name), maxLagSeconds: '60' },
      }) as const;
    const { settings, departments } = decided(sales(), choose('SALES'));
    expect(settings).toMatchObject({
      defaultDepartment: 'Sales',
      defaultLocation: 'Unassigned',
      maxLagSeconds: 60,
    });
    expect(departments.filter(({ isDefault }) => isDefault).map(({ name }) => name)).toEqual(['Sales']);
    expect(changeOrganization(decided(sales()), choose('Moon'))).toEqual({ refused: 'unknown' });
  });

  it('state the values before', () => {
    const changed = { type: 'SettingsChanged', seenVersion: null, changes: { maxLagSeconds: '60' } } as const;
    expect(changeOrganization(initialOrganization(), changed)).toMatchObject({
      before: { maxLagSeconds: 300 },
      after: { maxLagSeconds: 60 },
    });
  });

  it('have the default of a setting that came after a release only if it is read', () => {
    const changed = {
      type: 'SettingsChanged',
      seenVersion: null,
      changes: { clockSkewSecondsMax: '5' },
    } as const;
    expect(initialOrganization().settings).not.toHaveProperty('clockSkewSecondsMax');
    expect(settingsInForce(initialOrganization().settings).clockSkewSecondsMax).toBe(60);
    expect(changeOrganization(initialOrganization(), changed)).toMatchObject({
      organization: { settings: { clockSkewSecondsMax: 5 } },
      before: { clockSkewSecondsMax: 60 },
      after: { clockSkewSecondsMax: 5 },
    });
  });
});

describe('the model of scores', () => {
  it('is not in a state before it is selected, and posture-1 until then', () => {
    const { settings } = initialOrganization();
    expect(settings).not.toHaveProperty('scoringModel');
    expect(settings).not.toHaveProperty('incidentRates');
    expect(settings).not.toHaveProperty('lossRanges');
    expect(settingsInForce(settings)).toMatchObject({
      scoringModel: 'posture-1',
      incidentRates: { low: 0.0148, best: 0.093, high: 0.25 },
      lossRanges: null,
    });
  });

  it('is selected together with its incident rates', () => {
    const changed = {
      type: 'SettingsChanged',
      seenVersion: null,
      changes: { scoringModel: '"posture-2"', incidentRates: '{"low":0.1,"best":0.2,"high":0.3}' },
    } as const;
    expect(changeOrganization(initialOrganization(), changed)).toMatchObject({
      organization: {
        settings: { scoringModel: 'posture-2', incidentRates: { low: 0.1, best: 0.2, high: 0.3 } },
      },
      before: { scoringModel: 'posture-1' },
    });
  });
});

describe('loss ranges', () => {
  it('are set and removed', () => {
    const lossRanges = { currency: 'EUR', byCriticality: { low: { min: 1, max: 2 } }, byDepartment: [] };
    const change = (value: unknown) =>
      ({
        type: 'SettingsChanged',
        seenVersion: null,
        changes: { lossRanges: JSON.stringify(value) },
      }) as const;
    const set = changeOrganization(initialOrganization(), change(lossRanges)) as Extract<
      ReturnType<typeof changeOrganization>,
      { refused: null }
    >;
    expect(set).toMatchObject({
      organization: { settings: { lossRanges } },
      before: { lossRanges: null },
      after: { lossRanges },
    });
    expect(changeOrganization(set.organization, change(null))).toMatchObject({
      organization: { settings: { lossRanges: null } },
      before: { lossRanges },
      after: { lossRanges: null },
    });
  });
});

describe('departments and locations', () => {
  it('are sorted by name, and one is the default if no source gives a value (R-CFG-3)', () => {
    const { departments, settings } = decided(sales(), sales({ id: 'd2', name: 'IT', isDefault: true }));
    expect(departments).toEqual([
      { id: 'd2', name: 'IT', isDefault: true },
      { id: 'd1', name: 'Sales', isDefault: false },
      { ...UNASSIGNED, isDefault: false },
    ]);
    expect(settings).toMatchObject({ version: 2, defaultDepartment: 'IT', defaultLocation: 'Unassigned' });
  });

  it.each([
    ['a name that another one has, in any case', sales({ id: 'd2', name: 'SALES' }), 'nameTaken'],
    ['taking the default away without another', sales({ id: UNASSIGNED.id, name: 'None' }), 'isDefault'],
    ['removing the default', { type: 'OptionRemoved', list: 'departments', id: UNASSIGNED.id }, 'isDefault'],
    ['removing what is gone', { type: 'OptionRemoved', list: 'locations', id: 'd1' }, 'unknown'],
    ['changing what is gone', changedOption({ list: 'locations', name: 'Sales' }), 'unknown'],
    ['adding one without a name', sales({ id: 'd2', name: null }), 'unknown'],
  ] as [string, OrganizationPayload, string][])('reject %s', (_, act, refused) => {
    expect(changeOrganization(decided(sales()), act)).toEqual({ refused });
  });

  it('keep what a change leaves out, as others have set it', () => {
    const { departments } = decided(
      sales(),
      sales({ id: 'd2', name: 'IT', isDefault: true }),
      changedOption({ isDefault: true }),
      changedOption({ id: 'd2', name: 'Computers' }),
    );
    expect(departments).toEqual([
      { id: 'd2', name: 'Computers', isDefault: false },
      { id: 'd1', name: 'Sales', isDefault: true },
      { ...UNASSIGNED, isDefault: false },
    ]);
  });
});

describe('custom fields (R-CFG-3)', () => {
  it('are added, changed and removed by id', () => {
    const added = decided(owner());
    expect(added.settings.customFields).toEqual([
      {
        id: 'f1',
        name: 'Owner',
        type: 'Select',
        multiValued: false,
        options: ['ana'],
        createdAt: T0,
        recognisedAt: T0 + 900_000,
      },
    ]);
    const renamed = decided(owner(), owner({ options: ['ana', 'bob'] })).settings.customFields;
    expect(renamed).toEqual([{ ...added.settings.customFields[0], options: ['ana', 'bob'] }]);
    expect(decided(owner(), { type: 'CustomFieldRemoved', id: 'f1' }).settings.customFields).toEqual([]);
  });

  it('are not brought back by a change', () => {
    const change = owner({ isChange: true, options: ['bob'] });
    expect(decided(owner(), change)).toEqual(decided(owner(), owner({ options: ['bob'] })));
    expect(changeOrganization(decided(), change)).toEqual({ refused: 'unknown' });
  });

  it('have a name each', () => {
    expect(changeOrganization(decided(owner()), owner({ id: 'f2' }))).toEqual({ refused: 'nameTaken' });
    expect(changeOrganization(decided(), { type: 'CustomFieldRemoved', id: 'f1' })).toEqual({
      refused: 'unknown',
    });
  });
});

const edr = (given: Partial<IntegrationSaved> = {}): IntegrationSaved => ({
  type: 'IntegrationSaved',
  id: 'i1',
  seenVersion: null,
  integrationType: 'edrplugin',
  subType: 'falcon',
  name: 'EDR',
  source: 'EDR',
  config: { url: '"https://edr.example"', tagFilters: '["berlin"]', autoSyncDays: 'null' },
  secrets: ['clientSecret'],
  createdAt: T0,
  ...given,
});
const removed = (id: string) => ({ type: 'IntegrationRemoved', id }) as const;

describe('integrations (R-INT-1)', () => {
  const added = {
    id: 'i1',
    version: 1,
    type: 'edrplugin',
    subType: 'falcon',
    name: 'EDR',
    source: 'EDR',
    config: { url: 'https://edr.example', tagFilters: ['berlin'], autoSyncDays: null },
    createdAt: T0,
  };

  it('are sorted by name, and absent from a state without any', () => {
    expect('integrations' in initialOrganization()).toBe(false);
    const { integrations } = decided(edr({ id: 'i2', name: 'Z', source: 'Z' }), edr());
    expect(integrations).toEqual([added, { ...added, id: 'i2', name: 'Z', source: 'Z' }]);
    expect(decided(edr(), removed('i1'))).toEqual(initialOrganization());
  });

  it('keep their source, their kind and the time of their creation when they are changed', () => {
    const { integrations } = decided(
      edr(),
      edr({
        name: 'Renamed',
        source: 'Renamed',
        config: { url: '"https://other.example"' },
        integrationType: 'assetinventory',
        subType: 'axonius',
        createdAt: T0 + 1,
      }),
    );
    expect(integrations).toEqual([
      { ...added, version: 2, name: 'Renamed', config: { url: 'https://other.example' } },
    ]);
  });

  it('record in the audit trail which secrets were set, without their values', () => {
    expect(changeOrganization(initialOrganization(), edr())).toMatchObject({
      before: null,
      after: { ...added, secrets: ['clientSecret'] },
      organization: { integrations: [added] },
    });
    expect(JSON.stringify(decided(edr()))).not.toContain('clientSecret');
  });

  it('are changed on the version that was seen, and are not brought back', () => {
    const change = edr({ seenVersion: 1, name: 'Renamed' });
    const twice = decided(edr(), change, edr({ seenVersion: 2, name: 'Again' }));
    expect(twice.integrations).toMatchObject([{ version: 3, name: 'Again' }]);
    expect(changeOrganization(decided(edr(), change), change)).toEqual({ refused: 'stale' });
    expect(changeOrganization(decided(edr(), removed('i1')), change)).toEqual({ refused: 'unknown' });
  });

  it('omit invalid JSON from a configuration: the fold is total', () => {
    const { integrations } = decided(edr({ config: { url: '{', autoSyncDays: '1' } }));
    expect(integrations![0]!.config).toEqual({ autoSyncDays: 1 });
  });

  it('count no version of the settings, nor does a request for a sync', () => {
    const sync = { type: 'SyncRequested', integrationId: 'i1', syncId: 's1', isFull: true } as const;
    const organization = decided(edr(), sync, edr({ name: 'Renamed' }));
    expect(organization.settings).toBe(DEFAULT_SETTINGS);
    expect(decided(edr(), sync)).toEqual(decided(edr()));
    expect(decided(edr(), edr({ name: 'Renamed' }), removed('i1')).settings.version).toBe(0);
  });

  it.each([
    ['a name that another one has, in any case', edr({ id: 'i2', name: 'edr', source: 'x' }), 'nameTaken'],
    ['a source that another one has', edr({ id: 'i2', name: 'x', source: 'Edr' }), 'nameTaken'],
    ['removing what is gone', removed('i2'), 'unknown'],
  ] as [string, OrganizationPayload, string][])('reject %s', (_, act, refused) => {
    expect(changeOrganization(decided(edr()), act)).toEqual({ refused });
  });

  it('free their name, and not their source, when they are renamed, and both when they are removed', () => {
    const renamed = [edr(), edr({ name: 'Renamed' })];
    const another = edr({ id: 'i2', name: 'Another', source: 'Another' });
    expect(decided(...renamed, another, { ...another, name: 'EDR' }).integrations).toHaveLength(2);
    expect(changeOrganization(decided(...renamed), edr({ id: 'i2' }))).toEqual({ refused: 'nameTaken' });
    expect(decided(...renamed, removed('i1'), edr({ id: 'i2' })).integrations).toHaveLength(1);
  });
});

const planRemoved = (id: string, seenVersion: number | null = null) =>
  ({ type: 'PlanRemoved', id, seenVersion }) as const;

describe('remediation plans (R-PLAN-1)', () => {
  it('are kept by name and version; the audit trail has the rest', () => {
    expect('plans' in initialOrganization()).toBe(false);
    const { plans } = decided(planSaved({ id: 'p2', name: 'Z' }), planSaved());
    expect(plans).toEqual([
      { id: 'p1', version: 1, name: 'Log4j' },
      { id: 'p2', version: 1, name: 'Z' },
    ]);
    expect(decided(planSaved(), planRemoved('p1', 1))).toEqual(initialOrganization());
    const { type: _, seenVersion: __, ...content } = planSaved();
    expect(changeOrganization(initialOrganization(), planSaved())).toMatchObject({
      before: null,
      after: { ...content, version: 1 },
    });
  });

  it('are changed on the version that was seen, and are not brought back', () => {
    const change = planSaved({ seenVersion: 1, state: 'active' });
    const changed = decided(planSaved(), change);
    expect(changed.plans).toEqual([{ id: 'p1', version: 2, name: 'Log4j' }]);
    expect(changed.settings.version).toBe(0);
    expect(changeOrganization(changed, change)).toEqual({ refused: 'stale' });
    expect(changeOrganization(changed, planSaved())).toEqual({ refused: 'stale' });
    expect(changeOrganization(changed, planRemoved('p1', 1))).toEqual({ refused: 'stale' });
    expect(changeOrganization(decided(), change)).toEqual({ refused: 'unknown' });
    expect(changeOrganization(decided(), planRemoved('p1'))).toEqual({ refused: 'unknown' });
  });

  it('have a name each, in any case, and a limit', () => {
    const other = planSaved({ id: 'p2', name: 'LOG4J' });
    expect(changeOrganization(decided(planSaved()), other)).toEqual({ refused: 'nameTaken' });
    const all = Array.from({ length: PLANS_MAX }, (_, i) => planSaved({ id: `p${i}`, name: `${i}` }));
    expect(changeOrganization(decided(...all), planSaved({ id: 'more' }))).toEqual({ refused: 'tooMany' });
    const change = planSaved({ id: 'p0', name: '0', seenVersion: 1 });
    expect(changeOrganization(decided(...all), change)).toMatchObject({ refused: null });
  });
});

it('integrations have distinct names and sources, by name, after any acts', () => {
  const id = fc.constantFrom('a', 'b', 'c');
  const name = fc.constantFrom('EDR', 'edr', 'Inventory', 'Cloud');
  const seenVersion = fc.constantFrom(null, 1, 2);
  const acts = fc.oneof(
    fc.record({ id, name, seenVersion }).map((given) => edr({ ...given, source: given.name })),
    id.map(removed),
  );
  fc.assert(
    fc.property(fc.array(acts, { maxLength: 30 }), (asked) => {
      let organization = initialOrganization();
      const sources = new Map<string, string>();
      for (const act of asked) {
        const outcome = changeOrganization(organization, act);
        if (outcome.refused !== null) continue;
        organization = outcome.organization;
        if (act.type === 'IntegrationRemoved') sources.delete(act.id);
        for (const one of organization.integrations ?? []) {
          if (!sources.has(one.id)) sources.set(one.id, one.source);
          expect(one.source).toBe(sources.get(one.id));
        }
      }
      const { integrations = [] } = organization;
      expect('integrations' in organization).toBe(integrations.length > 0);
      for (const key of ['name', 'source'] as const) {
        expect(new Set(integrations.map((one) => one[key].toLowerCase())).size).toBe(integrations.length);
      }
      const names = integrations.map((one) => one.name);
      expect(names).toEqual(names.toSorted());
    }),
  );
});

const anyOption = fc.record({
  type: fc.constantFrom('OptionSaved' as const, 'OptionRemoved' as const),
  list: fc.constantFrom('departments' as const, 'locations' as const),
  id: fc.constantFrom('a', 'b', 'c', UNASSIGNED.id),
  isChange: fc.boolean(),
  name: fc.constantFrom('Sales', 'sales', 'IT', 'HR', null),
  isDefault: fc.constantFrom(true, false, null),
});

it('every list has one default, also in the settings, and distinct names, after any acts', () => {
  fc.assert(
    fc.property(fc.array(anyOption, { maxLength: 30 }), (acts) => {
      let organization = initialOrganization();
      for (const act of acts) {
        const outcome = changeOrganization(organization, act);
        if (outcome.refused === null) organization = outcome.organization;
      }
      for (const [list, setting] of [
        ['departments', 'defaultDepartment'],
        ['locations', 'defaultLocation'],
      ] as const) {
        const options = organization[list];
        const defaults = options.filter(({ isDefault }) => isDefault);
        expect(defaults.map(({ name }) => name)).toEqual([organization.settings[setting]]);
        expect(new Set(options.map(({ name }) => name.toLowerCase())).size).toBe(options.length);
      }
    }),
  );
});

describe('in the fold', () => {
  it('every act is recorded, with the user whose request was rejected', () => {
    const run = new Scenario();
    const done = run.fold(event(sales(), T0, { kind: 'user', user: 'ana' }));
    expect(done.effects.acts).toEqual([
      {
        action: 'department.added',
        target: 'd1',
        detail: { before: null, after: { id: 'd1', name: 'Sales', isDefault: false } },
        refused: null,
      },
    ]);
    const refused = run.fold(event(sales({ id: 'd2' }), T0, { kind: 'user', user: 'bob' }));
    expect(refused.effects.acts).toMatchObject([{ action: 'department.changed', refused: 'nameTaken' }]);
    expect(run.entity.organization?.departments).toHaveLength(2);
  });

  it('a credential is only recorded: the state that the edge uses does not change', () => {
    const run = new Scenario();
    run.fold(
      event(
        { type: 'CredentialChanged', act: 'created', credentialId: 'c', username: 'x', role: 'viewer' },
        T0,
      ),
    );
    expect(run.entity.organization?.settings.version).toBe(0);
  });

  it('a webhook is only recorded, with the requested fields', () => {
    const run = new Scenario();
    const details = { url: '"https://receiver.example"', topics: '["findings"]', broken: '{' };
    run.fold(event({ type: 'WebhookChanged', act: 'added', webhookId: 'w', details }, T0));
    const after = { webhookId: 'w', url: 'https://receiver.example', topics: ['findings'] };
    expect(run.effects.acts).toEqual([
      { action: 'webhook.added', target: 'w', detail: { before: null, after }, refused: null },
    ]);
    expect(run.entity.organization?.settings.version).toBe(0);
  });

  it('integrations are recorded with their times as text, and a sync under its integration', () => {
    const run = new Scenario();
    const asked: OrganizationPayload[] = [
      edr(),
      edr({ id: 'i2' }),
      { type: 'SyncRequested', integrationId: 'i1', syncId: 's1', isFull: false },
      edr({ name: 'Renamed' }),
      removed('i1'),
    ];
    const acts = asked.flatMap((act) => run.fold(event(act, T0, { kind: 'user' })).effects.acts);
    const createdAt = new Date(T0).toISOString();
    expect(acts).toMatchObject([
      { action: 'integration.added', target: 'i1', detail: { before: null, after: { createdAt } } },
      { action: 'integration.changed', target: 'i2', detail: { asked: { createdAt } }, refused: 'nameTaken' },
      { action: 'integration.syncRequested', target: 'i1', detail: { after: { syncId: 's1' } } },
      { action: 'integration.changed', detail: { before: { name: 'EDR' }, after: { name: 'Renamed' } } },
      { action: 'integration.removed', detail: { before: { createdAt }, after: null } },
    ]);
  });

  it('an import of a catalogue is only recorded, under the catalogue', () => {
    const run = new Scenario();
    const told = { importId: 'i', catalogue: 'kev', source: 'kev.json', contentHash: 'f0', rows: 2 } as const;
    run.fold(event({ type: 'CatalogueImported', ...told }, T0));
    expect(run.effects.acts).toEqual([
      { action: 'catalogue.imported', target: 'kev', detail: { before: null, after: told }, refused: null },
    ]);
    expect(run.entity.organization?.settings.version).toBe(0);
  });
});

describe('owner rules', () => {
  const rule: OwnerRule = {
    departments: ['Sales'],
    locations: [],
    tags: [{ key: 'env', value: 'prod' }],
    user: null,
    team: 'blue',
  };
  const replaced = (rules: OwnerRule[], seenVersion: number | null = null) =>
    ({ type: 'OwnerRulesReplaced', seenVersion, rules }) as const;

  it('are replaced as a whole, with a new version of the settings', () => {
    const { settings } = decided(replaced([rule, { ...rule, team: 'red' }]), replaced([rule], 1));
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, version: 2, ownerRules: [rule] });
  });

  it('state what was in force before: none until they are set', () => {
    const first = changeOrganization(initialOrganization(), replaced([rule]));
    expect(first).toMatchObject({ before: { ownerRules: [] }, after: { ownerRules: [rule] } });
    const second = changeOrganization(decided(replaced([rule])), replaced([]));
    expect(second).toMatchObject({ before: { ownerRules: [rule] }, after: { ownerRules: [] } });
  });

  it('are rejected if another user has changed the settings since (R-FOLD-6)', () => {
    expect(changeOrganization(decided(replaced([])), replaced([rule], 0))).toEqual({ refused: 'stale' });
  });

  it('are not changed with the other settings, whose names are not sealed', () => {
    const changes = { ownerRules: JSON.stringify([rule]) };
    const { settings } = decided({ type: 'SettingsChanged', seenVersion: null, changes });
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, version: 1 });
  });
});
