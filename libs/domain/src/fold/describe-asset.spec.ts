import { describe, expect, it } from '@jest/globals';
import {
  described,
  entity,
  event,
  Scenario,
  signal,
  T0,
  upload,
  uploadId,
} from '../../../../test/support/scenario.ts';
import {
  type AssetDescribed,
  type AssetRules,
  CURRENT_RULES,
  type EntityDescription,
  type Envelope,
  type IntakePayload,
  type SignalReceived,
} from '../events.ts';
import { isEdrManaged } from './edr-management.ts';

const typing = (type: string) => ({ type, attackSurface: 'x', supports: [] });
const of = (given: Partial<EntityDescription>, more: Partial<SignalReceived> = {}) =>
  signal('a', 'fail', { entity: entity(given), ...more });
const from = (name: string) => ({ source: { name, nextSubmissionIntervalInMins: null } });
const assetOf = (run: Scenario) => run.entity.assets[0]!.asset;

const EVERYTHING: Partial<EntityDescription> = {
  ipAddresses: ['10.0.0.5'],
  macAddresses: ['00:00:5e:00:53:01'],
  os: 'Ubuntu',
  criticality: 'high',
  confidentialityRequirement: 'high',
  integrityRequirement: 'medium',
  availabilityRequirement: 'low',
  department: 'Sales',
  location: 'Pune',
  typing: typing('Server'),
};
const OTHERWISE: Partial<EntityDescription> = {
  ipAddresses: ['10.0.0.6', '10.0.0.7'],
  macAddresses: ['00:00:5e:00:53:02'],
  os: 'Debian',
  criticality: 'low',
  confidentialityRequirement: 'low',
  integrityRequirement: 'low',
  availabilityRequirement: 'high',
  department: 'IT',
  location: 'Mumbai',
  typing: typing('Workstation'),
};

// Before rules 5 an asset had no statements.
describe.each([4, CURRENT_RULES])('the metadata of an asset under rules %d', (rules) => {
  const under = (n: number, at: number, payloads: IntakePayload[], envelope: Partial<Envelope> = {}) =>
    upload(n, at, payloads, { rules, ...envelope });

  it('is the one of the first signal', () => {
    const run = new Scenario().fold(...under(1, T0, [of(EVERYTHING)]));
    expect(assetOf(run)).toMatchObject(EVERYTHING);
  });

  it('is replaced by that of a later one, and kept if that has none', () => {
    const run = new Scenario().fold(...under(1, T0, [of(EVERYTHING)]), ...under(2, T0 + 1, [of({})]));
    expect(assetOf(run)).toMatchObject(EVERYTHING);
    expect(run.counts(2).assetsUpdated).toBe(0);
    run.fold(...under(3, T0 + 2, [of(OTHERWISE)]));
    expect(assetOf(run)).toMatchObject(OTHERWISE);
    expect(run.counts(3).assetsUpdated).toBe(1);
  });

  it('takes neither the system nor its defaults from older settings, and all else', () => {
    const settings = (settingsVersion: number) => ({ settingsVersion });
    const run = new Scenario().fold(
      ...under(1, T0, [of(EVERYTHING)], settings(2)),
      ...under(2, T0 + 1, [of(OTHERWISE)], settings(1)),
    );
    const { os, typing } = EVERYTHING;
    expect(assetOf(run)).toMatchObject({ ...OTHERWISE, os, typing, settingsVersion: 2 });
  });

  it('fills fields that no source has set with the defaults of the newest settings', () => {
    const defaults = { department: 'IT', location: 'Pune', typing: typing('Other') };
    const run = new Scenario().fold(
      ...under(1, T0, [of({})]),
      ...under(2, T0 + 1, [of({ defaults })], { settingsVersion: 1 }),
    );
    expect(assetOf(run)).toMatchObject({ defaults, settingsVersion: 1 });
  });

  it('takes newer defaults from rules 10 on also of a signal that may change no metadata', () => {
    const assetRules: AssetRules = { matching: 'name', importAssets: true, updateMetadata: false };
    const settings = (department: string) => ({ ...entity().defaults, department });
    const run = new Scenario().fold(
      ...under(1, T0, [of({ defaults: settings('IT'), criticality: 'high' })], { settingsVersion: 2 }),
      ...under(2, T0 + 1, [of({ defaults: settings('HR'), criticality: 'low' }, { assetRules })], {
        settingsVersion: 3,
      }),
      ...under(3, T0 + 2, [of({ defaults: settings('Old') }, { assetRules })], { settingsVersion: 1 }),
    );
    expect(assetOf(run)).toMatchObject({
      defaults: { department: rules < 10 ? 'IT' : 'HR' },
      criticality: 'high',
    });
    expect(run.counts(2).assetsUpdated).toBe(0);
  });

  it('has the tags of all signals, each name with its latest values, by name', () => {
    const run = new Scenario().fold(
      ...under(1, T0, [of({ tags: { stage: ['test'], owner: ['ana'] }, customFields: { Zone: ['b'] } })]),
      ...under(2, T0 + 1, [of({ tags: { stage: ['live'], app: ['shop'] }, customFields: { Area: ['c'] } })]),
    );
    const { tags, customFields } = assetOf(run);
    expect(Object.entries(tags)).toEqual([
      ['app', ['shop']],
      ['owner', ['ana']],
      ['stage', ['live']],
    ]);
    expect(Object.entries(customFields)).toEqual([
      ['Area', ['c']],
      ['Zone', ['b']],
    ]);
  });

  it('reports each tag that is not recognised once, a hundred at most', () => {
    const tags = Array.from({ length: 120 }, (_, i) => `t${i}`);
    const run = new Scenario().fold(
      ...under(1, T0, [of({ unrecognisedTags: ['t0', 't1'] }), of({ unrecognisedTags: tags })]),
    );
    expect([...run.partition.uploads.values()][0]!.unrecognisedTags).toEqual(tags.slice(0, 100));
  });

  it.each([
    ['the type of an asset whose system is known', 'Ubuntu', { typing: typing('New') }],
    [
      'the default type of one whose system is not',
      null,
      { typing: null, defaults: { typing: typing('New') } },
    ],
  ])('gets %s from a new mapping', (_, os, expected) => {
    const run = new Scenario().fold(...under(1, T0, [of({ os })]));
    const { id: assetId } = assetOf(run);
    const retyped = (type: string, settingsVersion: number) =>
      run.fold(
        event(
          { type: 'AssetRetyped', assetId, typing: typing(type) },
          T0 + 1,
          {},
          { rules, settingsVersion },
        ),
      );
    retyped('New', 2);
    expect(assetOf(run)).toMatchObject({ ...expected, settingsVersion: 2 });
    expect(run.changes).toEqual(['asset updated']);
    retyped('Old', 1);
    expect(assetOf(run)).toMatchObject({ ...expected, settingsVersion: 2 });
  });
});

describe('names and sources', () => {
  it('are listed in order, each once, ignoring the case of a name', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [of({ name: 'web01' }, from('scanner'))]),
      ...upload(2, T0 + 1, [of({ name: 'WEB01' }, from('edr')), of({ name: 'WEB01' }, from('edr'))]),
    );
    expect(assetOf(run)).toMatchObject({ name: 'web01', aliases: ['web01'], sources: ['edr', 'scanner'] });
    run.fold(...upload(3, T0 + 2, [of({ name: 'app01.acme.com' }, from('edr'))]));
    expect(assetOf(run).aliases).toEqual(['app01.acme.com', 'web01']);
  });

  it('join an asset though its metadata may not change, and are no update of it', () => {
    const assetRules: AssetRules = { matching: 'name', importAssets: true, updateMetadata: false };
    const run = new Scenario().fold(...upload(1, T0, [of({}, from('scanner'))]));
    run.fold(...upload(2, T0 + 1, [of({ name: 'web01.acme.com' }, { assetRules, ...from('edr') })]));
    expect(assetOf(run)).toMatchObject({
      name: 'web01',
      aliases: ['web01', 'web01.acme.com'],
      sources: ['edr', 'scanner'],
    });
    expect(run.changes).toEqual(['asset updated', 'finding updated']);
    expect(run.counts(2).assetsUpdated).toBe(0);
  });

  it('are a hundred at most', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [of({ name: 'web01' }, from('s000'))]),
      ...upload(
        2,
        T0 + 1,
        Array.from({ length: 120 }, (_, i) => of({ name: `web01.n${i}.com` }, from(`t${i}`))),
      ),
    );
    expect(assetOf(run).aliases).toHaveLength(100);
    expect(assetOf(run).sources).toHaveLength(100);
  });

  it('are reported once if another FQDN joined the asset, a hundred at most', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [of({ name: 'web01.acme.com', fqdn: 'web01.acme.com' })]),
    );
    const { id: assetId } = assetOf(run);
    const other = of({ name: 'web01.other.com', fqdn: 'web01.other.com' });
    run.fold(...upload(2, T0 + 1, [other, of({ name: 'WEB01.acme.com' }), of({ name: 'web01' }), other]));
    const mergedOf = (n: number) => [...run.partition.uploads.values()][n - 1]!.merged;
    expect(mergedOf(2)).toEqual([{ name: 'web01.other.com', assetId }]);
    const many = Array.from({ length: 120 }, (_, i) => of({ name: `web01.n${i}.com` }));
    run.fold(...upload(3, T0 + 2, many));
    expect(mergedOf(3).map(({ name }) => name)).toEqual(many.slice(0, 100).map((one) => one.entity.name));
  });

  it.each([
    [9, []],
    [CURRENT_RULES, ['web01.other.com']],
  ])(
    'under rules %d, are reported as %j if another FQDN joined an asset that was deleted',
    (rules, names) => {
      const named = (name: string) => of({ name, fqdn: name });
      const run = new Scenario().fold(...upload(1, T0, [named('web01.acme.com')]));
      run.fold(event({ type: 'AssetDeleted', assetId: assetOf(run).id, seenVersion: null }, T0 + 1));
      run.fold(
        ...upload(2, T0 + 2, [named('web01.other.com')], { rules }),
        ...upload(3, T0 + 3, [named('web01.acme.com')], { rules }),
      );
      const [, returned, own] = [...run.partition.uploads.values()].map(({ merged }) => merged);
      expect(returned!.map(({ name }) => name)).toEqual(names);
      expect(own).toEqual([]);
    },
  );
});

describe('the management of an asset by EDR platforms (R-EDR-8)', () => {
  const listed = (source: string, given: Partial<AssetDescribed> = {}) =>
    described({ ...from(source), isEdrManaged: true, ...given });
  const ended = (run: Scenario, source: string, at: number) =>
    run.fold(event({ type: 'EdrManagementEnded', assetId: assetOf(run).id, source }, at));

  it('begins with the description of an EDR inventory, on a new asset and on a known one', () => {
    const onboarded = new Scenario().fold(...upload(1, T0, [listed('edr')]));
    const known = new Scenario().fold(...upload(1, T0, [of({})]), ...upload(2, T0 + 1, [listed('edr')]));
    for (const run of [onboarded, known]) {
      expect(assetOf(run).edrSources).toEqual(['edr']);
      expect(isEdrManaged(assetOf(run))).toBe(true);
    }
  });

  it('does not begin with a detection or another description, nor end with one', () => {
    const run = new Scenario().fold(...upload(1, T0, [of({}, from('edr')), described(from('edr'))]));
    expect(assetOf(run)).not.toHaveProperty('edrSources');
    expect(isEdrManaged(assetOf(run))).toBe(false);
    run.fold(...upload(2, T0 + 1, [listed('edr')]));
    run.fold(...upload(3, T0 + 2, [of({}, from('edr')), described(from('edr'))]));
    expect(isEdrManaged(assetOf(run))).toBe(true);
    expect(run.changes).toEqual([]);
  });

  it('is no metadata: a description that may not change metadata begins it', () => {
    const assetRules: AssetRules = { matching: 'name', importAssets: true, updateMetadata: false };
    const run = new Scenario().fold(
      ...upload(1, T0, [of({})]),
      ...upload(2, T0 + 1, [listed('edr', { assetRules })]),
    );
    expect(isEdrManaged(assetOf(run))).toBe(true);
  });

  it('is a change of the asset only at its beginning', () => {
    const run = new Scenario().fold(...upload(1, T0, [listed('edr')]), ...upload(2, T0 + 1, [listed('edr')]));
    expect(run.changes).toEqual(['asset created']);
    expect(assetOf(run).version).toBe(1);
  });

  it('lasts until each inventory that has listed the asset ends it', () => {
    const run = new Scenario().fold(...upload(1, T0, [listed('edr-2'), listed('edr')]));
    expect(assetOf(run).edrSources).toEqual(['edr', 'edr-2']);
    expect(ended(run, 'edr', T0 + 1).changes).toEqual(['asset updated']);
    expect(isEdrManaged(assetOf(run))).toBe(true);
    expect(ended(run, 'edr', T0 + 2).changes).toEqual([]);
    expect(ended(run, 'other', T0 + 2).changes).toEqual([]);
    expect(ended(run, 'edr-2', T0 + 3).changes).toEqual(['asset updated']);
    expect(isEdrManaged(assetOf(run))).toBe(false);
  });

  it('ends with the asset, and begins again only with the next description of the inventory', () => {
    const run = new Scenario().fold(...upload(1, T0, [listed('edr')]));
    run.fold(event({ type: 'AssetDeleted', assetId: assetOf(run).id, seenVersion: null }, T0 + 1));
    expect(isEdrManaged(assetOf(run))).toBe(false);
    run.fold(...upload(2, T0 + 2, [of({})]));
    expect(assetOf(run).deletedAt).toBeNull();
    expect(isEdrManaged(assetOf(run))).toBe(false);
    run.fold(...upload(3, T0 + 3, [listed('edr')]));
    expect(isEdrManaged(assetOf(run))).toBe(true);
  });

  it('is ignored under rules 3, and in an event of an unknown asset', () => {
    const run = new Scenario().fold(...upload(1, T0, [listed('edr')], { rules: 3 }));
    expect(assetOf(run)).not.toHaveProperty('edrSources');
    run.fold(event({ type: 'EdrManagementEnded', assetId: 'unknown', source: 'edr' }, T0 + 1));
    expect(run.changes).toEqual([]);
  });
});

describe('a description under rules without statements (ADR-0154)', () => {
  const said = (
    n: number,
    source: string,
    rules: number,
    criticality: EntityDescription['criticality'],
    given: Partial<AssetDescribed> = {},
  ) =>
    upload(n, T0 + n, [described({ ...from(source), entity: entity({ criticality }), ...given })], { rules });

  it('is a statement of its source, which others do not undo by repeating themselves', () => {
    const lists = { trustedSources: ['edr'] };
    const run = new Scenario().fold(
      ...said(1, 'inventory', CURRENT_RULES, 'low', lists),
      ...said(2, 'cmdb', 1, 'critical'),
    );
    expect(assetOf(run)).toMatchObject({ criticality: 'critical', ...lists });
    run.fold(...said(3, 'inventory', CURRENT_RULES, 'low', lists));
    expect(assetOf(run).criticality).toBe('critical');
    expect(run.counts(3).assetsUpdated).toBe(0);
  });

  it('is none if a sync made it, which does not name the device', () => {
    const bySync = said(2, 'inventory', 1, 'high').map(({ envelope, payload }) => ({
      envelope: { ...envelope, cause: { ...envelope.cause, syncId: uploadId(9) } },
      payload,
    }));
    const run = new Scenario().fold(
      ...said(1, 'inventory', CURRENT_RULES, 'low', { deviceId: 'd1' }),
      ...bySync,
    );
    expect(assetOf(run).criticality).toBe('high');
    expect(assetOf(run).statements).toHaveLength(1);
  });

  it('is none if the asset has no statements', () => {
    const run = new Scenario().fold(...said(1, 'cmdb', 4, 'low'), ...said(2, 'cmdb', 4, 'high'));
    expect(assetOf(run).criticality).toBe('high');
    expect(Object.keys(assetOf(run))).not.toContain('statements');
  });
});
