import { describe, expect, it } from '@jest/globals';
import {
  DAY_MS,
  described,
  entity,
  event,
  fullAssessment,
  instance,
  observation,
  Scenario,
  signal,
  T0,
  upload,
} from '../../../../test/support/scenario.ts';
import {
  type AssessmentClosed,
  type AssetRules,
  CURRENT_RULES,
  type FindingAct,
  type FindingType,
  type IntakePayload,
  type SignalReceived,
} from '../events.ts';
import { lastVerdict } from '../scoring/posture2/finding-facts.ts';
import { fold, initialEntity, initialPartition, UnknownRulesError } from './fold.ts';

const rules = (given: Partial<AssetRules>): AssetRules => ({
  matching: 'name',
  importAssets: true,
  updateMetadata: true,
  ...given,
});
const closed = (...types: FindingType[]): AssessmentClosed => ({
  type: 'AssessmentClosed',
  types,
  names: ['web01'],
  matching: 'name',
});
/** Upload `n`, which replaces the assessments of the names in its signals. */
function replacingUpload(n: number, signals: SignalReceived[], rules: number) {
  const names = signals.map(({ entity: { name } }) => name);
  const closing: AssessmentClosed = { type: 'AssessmentClosed', types: ['va'], names, matching: 'fqdn' };
  const events = upload(n, T0 + n, [...signals, closing], { rules });
  return fullAssessment(events, signals.length);
}

describe('what a finding carries (R-SIG-20)', () => {
  it('keeps CVEs and techniques of every instance', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [
        signal('a', 'fail', {
          observations: [
            observation('edr', [
              instance('fail', { key: 'd1', cves: ['CVE-2024-3094'], techniques: ['T1059'] }),
              instance('pass', { key: 'd2', techniques: ['T1003'] }),
            ]),
          ],
        }),
      ]),
    );
    expect(run.finding('a', 'edr')?.instances.map(({ key }) => key)).toEqual(['d1', 'd2']);
    expect(run.finding('a', 'edr')?.state).toBe('Failed');
  });
});

describe('removal (R-FIND-9)', () => {
  it('removes a finding when its expiry has passed, at the next event of its entity', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a', 'fail', { expiresAt: T0 + DAY_MS })]));
    run.fold(...upload(2, T0 + 2 * DAY_MS, [signal('b')]));
    expect(run.finding('a')).toMatchObject({ state: 'Retired', retiredReason: 'expired' });
    expect(run.states).toEqual({ a: 'Retired', b: 'Failed' });
  });

  it('removes a finding at a tick, also if the expiry is exactly now', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a', 'fail', { expiresAt: T0 + DAY_MS })]));
    run.fold(event({ type: 'EntitySwept', deleteIdleSince: null }, T0 + DAY_MS - 1));
    expect(run.states).toEqual({ a: 'Failed' });
    run.fold(event({ type: 'EntitySwept', deleteIdleSince: null }, T0 + DAY_MS));
    expect(run.states).toEqual({ a: 'Retired' });
  });

  it('retires by retention even if the expiry is later (R-EXP-5)', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [signal('a', 'fail', { retainUntil: T0 + 90 * DAY_MS })]),
    );
    run.fold(event({ type: 'EntitySwept', deleteIdleSince: null }, T0 + 90 * DAY_MS));
    expect(run.finding('a')).toMatchObject({ state: 'Retired', retiredReason: 'retention' });
  });

  it('does not turn a signal that the edge found expired into a finding, nor its entity into an asset (R-EXP-3)', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a', 'fail', { ignored: 'expired' })]));
    expect(run.entity.assets).toEqual([]);
    expect(run.counts(1).ignored).toEqual({ expired: 1 });
  });

  it('replaces the assessment of a listed type and leaves other types (fullAssessmentForTypes)', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [
        signal('old va'),
        signal('kept va'),
        signal('ca', 'fail', { observations: [observation('ca', [instance()])] }),
      ]),
    );
    run.fold(...upload(2, T0 + 1, [signal('kept va'), signal('new va'), closed('va')]));
    expect(run.states).toEqual({
      'old va': 'Retired',
      'kept va': 'Failed',
      ca: 'Failed',
      'new va': 'Failed',
    });
    expect(run.finding('old va')?.retiredReason).toBe('replaced');
    expect(run.counts(2)).toMatchObject({ created: 1, unchanged: 1, retired: 1 });
  });
});

describe('matching (R-FIND-13)', () => {
  it('moves a known finding to the latest status', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [signal('a', 'fail')]),
      ...upload(2, T0 + 1, [signal('a', 'pass')]),
    );
    expect(run.states).toEqual({ a: 'Qualified' });
    expect(run.counts(2)).toMatchObject({ created: 0, updated: 1 });
  });

  it('appends an unknown finding if its type is not replaced', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a')]), ...upload(2, T0 + 1, [signal('b')]));
    expect(run.states).toEqual({ a: 'Failed', b: 'Failed' });
  });

  it('onboards an unknown entity', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a')]));
    expect(run.changes).toEqual(['asset created', 'finding created']);
    expect(run.counts(1)).toMatchObject({ assetsCreated: 1, created: 1 });
  });

  it('ignores signals of unknown entities with shouldImportAssets false', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [signal('a', 'fail', { assetRules: rules({ importAssets: false }) })]),
    );
    expect(run.entity.assets).toEqual([]);
    expect(run.counts(1).ignored).toEqual({ unknownAsset: 1 });
  });

  it('ignores descriptions of unknown entities with shouldImportAssets false', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [described({ assetRules: rules({ importAssets: false }) })]),
    );
    expect(run.entity.assets).toEqual([]);
    expect(run.counts(1)).toMatchObject({ assetsCreated: 0, ignored: { unknownAsset: 1 } });
  });

  it('takes another FQDN of the same host name for the same asset, and says so (R-ASSET-1, R-ASSET-4)', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [signal('a', 'fail', { entity: entity({ name: 'web01', hostname: 'web01' }) })]),
      ...upload(2, T0 + 1, [
        signal('a', 'fail', { entity: entity({ name: 'web01.acme.com', fqdn: 'web01.acme.com' }) }),
      ]),
      ...upload(3, T0 + 2, [
        signal('a', 'fail', { entity: entity({ name: 'web01.other.com', fqdn: 'web01.other.com' }) }),
      ]),
    );
    const [only, ...others] = run.entity.assets;
    expect(others).toEqual([]);
    expect(only!.asset).toMatchObject({
      name: 'web01.acme.com',
      fqdn: 'web01.acme.com',
      aliases: ['web01', 'web01.acme.com', 'web01.other.com'],
    });
    expect(run.partition.uploads.get('00000000-0000-5000-8000-000000000003')!.merged).toEqual([
      { name: 'web01.other.com', assetId: only!.asset.id },
    ]);
  });

  it('keeps two FQDNs apart with assetMatching fqdn; a bare name joins the only one it can mean (R-ASSET-2)', () => {
    const of = (name: string) =>
      signal('a', 'fail', {
        entity: entity({ name, fqdn: name.includes('.') ? name : null }),
        assetRules: rules({ matching: 'fqdn' }),
      });
    const run = new Scenario().fold(...upload(1, T0, [of('web01.a.com'), of('web01')]));
    expect(run.entity.assets.map(({ asset }) => asset.name)).toEqual(['web01.a.com']);
    run.fold(...upload(2, T0 + 1, [of('web01.b.com'), of('web01')]));
    expect(run.entity.assets.map(({ asset }) => asset.name)).toEqual(['web01.a.com', 'web01.b.com', 'web01']);
    expect(new Set(run.entity.assets.map(({ asset }) => asset.id)).size).toBe(3);
    run.fold(...upload(3, T0 + 2, [of('WEB01')]));
    expect(run.entity.assets.map(({ lastSeen }) => lastSeen)).toEqual([T0, T0 + 1, T0 + 2]);
  });

  it('keeps another FQDN apart from an asset that has one by a tag', () => {
    const of = (name: string, fqdn: string) =>
      signal('a', 'fail', { entity: entity({ name, fqdn }), assetRules: rules({ matching: 'fqdn' }) });
    const run = new Scenario().fold(
      ...upload(1, T0, [of('web01', 'web01.a.com'), of('web01.a.com', 'web01.a.com')]),
    );
    expect(run.entity.assets).toHaveLength(1);
    const tagged = new Scenario().fold(
      ...upload(1, T0, [of('web01', 'web01.a.com'), of('web01.b.com', 'web01.b.com')]),
    );
    expect(tagged.entity.assets.map(({ asset }) => asset.fqdn)).toEqual(['web01.a.com', 'web01.b.com']);
  });

  it.each([
    [1, ['web01']],
    [2, ['web01', 'web01.b.com']],
  ])(
    'under rules %d, an FQDN that only joined a bare name keeps another one apart from 2 on',
    (of, names) => {
      const named = (name: string) =>
        signal('a', 'fail', {
          entity: entity({ name, fqdn: name.includes('.') ? name : null }),
          assetRules: rules({ matching: 'fqdn', updateMetadata: false }),
        });
      const run = new Scenario().fold(
        ...upload(1, T0, [named('web01'), named('web01.a.com'), named('web01.b.com')], { rules: of }),
        ...upload(
          2,
          T0 + 1,
          [{ type: 'AssessmentClosed', types: ['va'], names: ['web01.b.com'], matching: 'fqdn' }],
          { rules: of },
        ),
      );
      expect(run.entity.assets.map(({ asset }) => asset.name)).toEqual(names);
      expect(run.entity.assets.map(({ findings }) => [...findings.values()][0]!.finding.state)).toEqual(
        names.map((_, i) => (i === names.length - 1 ? 'Retired' : 'Failed')),
      );
    },
  );

  it.each([6, CURRENT_RULES])(
    'under rules %d, a bare name means the asset that it created, also after that has got its FQDN',
    (of) => {
      const named = (name: string, fqdn: string | null = name) =>
        signal('a', 'fail', { entity: entity({ name, fqdn }), assetRules: rules({ matching: 'fqdn' }) });
      const sent = [
        named('web01.a.com'),
        named('web01.b.com'),
        named('web01', 'web01.c.com'),
        named('web01.c.com'),
        named('web01', null),
      ];
      const run = new Scenario().fold(...upload(1, T0, sent, { rules: of }));
      expect(run.entity.assets.map(({ asset }) => asset.name)).toEqual([
        'web01.a.com',
        'web01.b.com',
        'web01.c.com',
      ]);
      expect(new Set(run.entity.assets.map(({ asset }) => asset.id)).size).toBe(3);
    },
  );

  it('closes only the assessment of the named FQDN', () => {
    const of = (name: string, finding: string) =>
      signal(finding, 'fail', {
        entity: entity({ name, fqdn: name }),
        assetRules: rules({ matching: 'fqdn' }),
      });
    const run = new Scenario().fold(...upload(1, T0, [of('web01.a.com', 'a'), of('web01.b.com', 'b')]));
    run.fold(
      ...upload(2, T0 + 1, [
        of('web01.a.com', 'a2'),
        { type: 'AssessmentClosed', types: ['va'], names: ['web01.a.com'], matching: 'fqdn' },
      ]),
    );
    expect(run.states).toEqual({ a: 'Retired', a2: 'Failed', b: 'Failed' });
  });

  describe.each([7, CURRENT_RULES])('a bare name, under rules %d', (of) => {
    const named = (name: string, finding: string, given: Partial<SignalReceived> = {}) =>
      signal(finding, 'fail', {
        entity: entity({ name, fqdn: name.includes('.') ? name : null }),
        assetRules: rules({ matching: 'fqdn' }),
        ...given,
      });
    const replacing = (...signals: SignalReceived[]) => replacingUpload(2, signals, of);
    const state = of < CURRENT_RULES ? 'Failed' : 'Retired';

    it.each([
      ['a finding', {}],
      ['an expired finding', { ignored: 'expired' as const }],
    ])('with %s closes the assessment of the asset that it meant then', (_, given) => {
      const run = new Scenario().fold(...upload(1, T0, [named('web01.a.com', 'f1')], { rules: of }));
      run.fold(...replacing(named('web01', 'f2', given), named('web01.b.com', 'f3')));
      expect(run.states).toMatchObject({ f1: state, f3: 'Failed' });
      if (state === 'Retired') expect(run.finding('f1')!.retiredReason).toBe('replaced');
      expect([...run.partition.uploads.values()].map(({ soleAssets }) => soleAssets?.size)).toEqual([
        undefined,
        0,
      ]);
    });

    it('that means no asset closes none', () => {
      const run = new Scenario().fold(
        ...upload(1, T0, [named('web01.a.com', 'f1'), named('web01.b.com', 'f3')], { rules: of }),
      );
      const unknown = { assetRules: rules({ matching: 'fqdn', importAssets: false }) };
      run.fold(...replacing(named('web01', 'f2', unknown)));
      expect(run.states).toEqual({ f1: 'Failed', f3: 'Failed' });
    });
  });

  describe.each([10, CURRENT_RULES])('a name of a live and a deleted asset, under rules %d', (of) => {
    type Matching = AssetRules['matching'];
    const named = (name: string, finding: string, matching: Matching = 'fqdn') =>
      signal(finding, 'fail', {
        entity: entity({ name, fqdn: name.includes('.') ? name : null }),
        assetRules: rules({ matching }),
      });
    const sent = (run: Scenario, n: number, ...payloads: IntakePayload[]) =>
      run.fold(...upload(n, T0 + n, payloads, { rules: of }));
    /** web01.old.com with `f1`, which is deleted, then web01.new.com with `f2`. */
    function replaced(...names: string[]): Scenario {
      const run = sent(new Scenario(), 1, ...names.map((name) => named(name, 'f1')));
      const assetId = run.entity.assets[0]!.asset.id;
      run.fold(event({ type: 'AssetDeleted', assetId, seenVersion: null }, T0 + 1, {}, { rules: of }));
      return sent(run, 2, named('web01.new.com', 'f2'));
    }
    const findingsOf = ({ entity: { assets } }: Scenario) =>
      Object.fromEntries(
        assets.map(({ asset: { name, deletedAt }, findings }) => {
          const active = [...findings.values()].filter(({ finding }) => finding.state !== 'Retired');
          return [name, deletedAt === null ? active.map(({ finding }) => finding.name) : 'deleted'];
        }),
      );
    const [before, now] = [of < CURRENT_RULES, of === CURRENT_RULES];

    it.each([
      ['a bare name', 'web01', ['web01.old.com']],
      ['a bare name that it was called', 'web01', ['web01.old.com', 'web01']],
      ['another FQDN', 'web01.other.com', ['web01.old.com']],
    ])('by name: means %s', (_, name, names) => {
      const run = sent(replaced(...names), 3, named(name, 'f3', 'name'));
      expect(findingsOf(run)).toEqual(
        now
          ? { 'web01.old.com': 'deleted', 'web01.new.com': ['f2', 'f3'] }
          : { 'web01.old.com': ['f3'], 'web01.new.com': ['f2'] },
      );
    });

    it.each<Matching>(['name', 'fqdn'])('by %s: its FQDN returns the deleted asset', (matching) => {
      const run = sent(replaced('web01.old.com'), 3, named('web01.old.com', 'f3', matching));
      expect(findingsOf(run)).toEqual({ 'web01.old.com': ['f3'], 'web01.new.com': ['f2'] });
    });

    it('by FQDN: a bare name means the only live one', () => {
      const run = sent(replaced('web01.old.com', 'web01'), 3, named('web01', 'f3'));
      expect(findingsOf(run)).toEqual({
        'web01.old.com': 'deleted',
        'web01.new.com': now ? ['f2', 'f3'] : ['f2'],
        ...(before && { web01: ['f3'] }),
      });
    });

    it.each<Matching>(['name', 'fqdn'])(
      'by %s: a bare name closes the assessment of the live one',
      (matching) => {
        const run = sent(replaced('web01.old.com'), 3, {
          type: 'AssessmentClosed',
          types: ['va'],
          names: ['web01'],
          matching,
        });
        expect(run.finding('f2')!.state).toBe(now ? 'Retired' : 'Failed');
      },
    );

    it('by FQDN: a bare name closes the assessment that it meant, also if a later entry makes it ambiguous', () => {
      const run = replaced('web01.old.com');
      run.fold(...replacingUpload(3, [named('web01', 'f3'), named('web01.third.com', 'f4')], of));
      expect(run.states).toMatchObject({ f2: now ? 'Retired' : 'Failed', f3: 'Failed', f4: 'Failed' });
    });

    it.each([
      ['a finding', null, ['f3']],
      ['an expired finding', 'expired' as const, 'deleted'],
    ])('by FQDN: a bare name with %s means the deleted asset of its own', (_, ignored, own) => {
      const run = sent(new Scenario(), 1, named('web01.a.com', 'f1'), named('web01.b.com', 'f2'));
      sent(run, 2, named('web01', 'f0'));
      for (const { asset } of run.entity.assets.slice(1)) {
        const deleted: IntakePayload = { type: 'AssetDeleted', assetId: asset.id, seenVersion: null };
        run.fold(event(deleted, T0 + 2, {}, { rules: of }));
      }
      run.fold(...replacingUpload(3, [{ ...named('web01', 'f3'), ignored }], of));
      expect(findingsOf(run)).toEqual({ 'web01.a.com': ['f1'], 'web01.b.com': 'deleted', web01: own });
    });
  });
});

describe('metadata (R-ASSET-6, R-ASSET-14)', () => {
  const tagged = (value: string, updateMetadata: boolean) =>
    signal('a', 'fail', {
      entity: entity({ department: value, tags: { stage: [value] } }),
      assetRules: rules({ updateMetadata }),
    });

  it('changes an existing asset only if the route permits it', () => {
    const run = new Scenario().fold(...upload(1, T0, [tagged('Finance', false)]));
    run.fold(...upload(2, T0 + 1, [tagged('Sales', false)]));
    expect(run.entity.assets[0]!.asset).toMatchObject({
      department: 'Finance',
      tags: { stage: ['Finance'] },
    });
    run.fold(...upload(3, T0 + 2, [tagged('Sales', true)]));
    expect(run.entity.assets[0]!.asset).toMatchObject({ department: 'Sales', tags: { stage: ['Sales'] } });
    expect(run.counts(3)).toMatchObject({ assetsUpdated: 1 });
  });

  it.each([
    [1, 'web01'],
    [2, 'frontend'],
  ])(
    'under rules %d, the hostname that a tag gives to an asset named by its FQDN is taken from 2 on',
    (of, hostname) => {
      const named = (name: string, given: string) =>
        signal('a', 'fail', { entity: entity({ name, fqdn: name, hostname: given }) });
      const run = new Scenario().fold(
        ...upload(1, T0, [named('web01.acme.com', 'web01'), named('WEB01.acme.com', 'frontend')], {
          rules: of,
        }),
        // Without a tag the edge stamps the first label; another FQDN only joins the aliases.
        ...upload(2, T0 + 1, [named('web01.acme.com', 'web01'), named('web01.other.com', 'other')], {
          rules: of,
        }),
      );
      expect(run.entity.assets[0]!.asset).toMatchObject({
        name: 'web01.acme.com',
        fqdn: 'web01.acme.com',
        hostname,
      });
    },
  );

  it.each([
    [1, ['asset updated']],
    [2, []],
  ])('under rules %d, a new mapping does not change deleted assets from 2 on (R-ASSET-11)', (of, changes) => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a')]));
    const { id: assetId } = run.entity.assets[0]!.asset;
    run.fold(event({ type: 'AssetDeleted', assetId, seenVersion: null }, T0 + 1));
    const typing = { type: 'Legacy', attackSurface: 'Servers', supports: [] };
    run.fold(event({ type: 'AssetRetyped', assetId, typing }, T0 + 2, {}, { settingsVersion: 1, rules: of }));
    expect(run.changes).toEqual(changes);
  });

  it('keeps fields that a signal does not set', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [
        signal('a', 'fail', { entity: entity({ criticality: 'high', ipAddresses: ['10.0.0.5'] }) }),
      ]),
      ...upload(2, T0 + 1, [signal('a')]),
    );
    expect(run.entity.assets[0]!.asset).toMatchObject({ criticality: 'high', ipAddresses: ['10.0.0.5'] });
  });

  it('keeps the decision of a newer settings stamp if an older one follows (R-ASSET-16)', () => {
    const typing = (type: string) => ({ type, attackSurface: 'x', supports: [] });
    const run = new Scenario().fold(
      ...upload(1, T0, [signal('a', 'fail', { entity: entity({ os: 'Ubuntu', typing: typing('new') }) })], {
        settingsVersion: 2,
      }),
      ...upload(
        2,
        T0 + 1,
        [signal('a', 'fail', { entity: entity({ os: 'Ubuntu', typing: typing('old') }) })],
        {
          settingsVersion: 1,
        },
      ),
    );
    expect(run.entity.assets[0]!.asset.typing?.type).toBe('new');
  });

  it('describes without findings: entityOnly', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [described({ entity: entity({ location: 'Mumbai' }) })]),
    );
    expect(run.entity.assets[0]!.asset.location).toBe('Mumbai');
    run.fold(...upload(2, T0 + 1, [described({ assetRules: rules({ updateMetadata: false }) })]));
    expect(run.counts(2).ignored).toEqual({ metadataKept: 1 });
    run.fold(...upload(3, T0 + 2, [described({ entity: entity({ name: 'web02' }) })]));
    expect(run.counts(3).ignored).toEqual({});
  });

  it('ignores no description that creates its asset, though metadata may not change', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [described({ assetRules: rules({ updateMetadata: false }) })]),
    );
    expect(run.counts(1)).toMatchObject({ assetsCreated: 1, ignored: {} });
  });
});

describe('instances (R-FIND-3, R-FIND-4, R-FIND-5)', () => {
  const port = (key: string, status: 'pass' | 'fail' = 'fail') =>
    signal('tls', status, {
      observations: [observation('va', [instance(status, { key })], { mode: 'merge' })],
    });
  const keys = (run: Scenario) => run.finding('tls')?.instances.map(({ key }) => key);

  it('sets the named port and drops an unnamed instance', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [signal('tls')]),
      ...upload(2, T0 + 1, [port('443/tcp')]),
    );
    expect(keys(run)).toEqual(['443/tcp']);
  });

  it('keeps other ports, and stays Failed while one fails', () => {
    const run = new Scenario().fold(...upload(1, T0, [port('443/tcp'), port('8443/tcp')]));
    run.fold(...upload(2, T0 + 1, [port('443/tcp', 'pass')]));
    expect(keys(run)).toEqual(['443/tcp', '8443/tcp']);
    expect(run.states).toEqual({ tls: 'Failed' });
    run.fold(...upload(3, T0 + 2, [port('8443/tcp', 'pass')]));
    expect(run.states).toEqual({ tls: 'Qualified' });
  });

  it('is replaced whole by a signal without a port', () => {
    const run = new Scenario().fold(
      ...upload(1, T0, [port('443/tcp'), port('8443/tcp')]),
      ...upload(2, T0 + 1, [signal('tls')]),
    );
    expect(keys(run)).toEqual(['']);
  });

  it('loses the instances that a closed assessment does not name', () => {
    const run = new Scenario().fold(...upload(1, T0, [port('443/tcp'), port('8443/tcp')]));
    run.fold(...upload(2, T0 + 1, [port('443/tcp'), closed('va')]));
    expect(keys(run)).toEqual(['443/tcp']);
  });

  it('neither fails nor stays by an uncounted instance (R-FIND-7)', () => {
    const uncounted = instance('fail', { key: 'd1', counted: false });
    const run = new Scenario().fold(
      ...upload(1, T0, [signal('edr', 'fail', { observations: [observation('edr', [uncounted])] })]),
    );
    expect(run.finding('edr', 'edr')?.state).toBe('Qualified');
  });

  it('is Not Assessed if nothing is known (R-FIND-7)', () => {
    expect(new Scenario().fold(...upload(1, T0, [signal('a', 'unknown')])).states).toEqual({
      a: 'NotAssessed',
    });
  });

  it('takes a revoked instance back, and the finding with the last one (R-FIND-12)', () => {
    const run = new Scenario().fold(...upload(1, T0, [port('443/tcp'), port('8443/tcp')]));
    run.fold(...upload(2, T0 + 1, [{ ...port('443/tcp'), revoked: true }]));
    expect(keys(run)).toEqual(['8443/tcp']);
    run.fold(...upload(3, T0 + 2, [{ ...port('8443/tcp'), revoked: true }]));
    expect(run.finding('tls')).toMatchObject({ state: 'Retired', retiredReason: 'revoked' });
    run.fold(...upload(4, T0 + 3, [{ ...port('8443/tcp'), revoked: true }]));
    expect(run.counts(4).ignored).toEqual({ revoked: 1 });
  });
});

describe('acceptance and hold (R-ACC-1 to R-ACC-7)', () => {
  const accept = (run: Scenario, until: number | null = null) =>
    run.fold(
      event(
        {
          type: 'FindingAccepted',
          findingId: run.finding('a')!.id,
          seenVersion: null,
          rationale: 'by design',
          until,
        },
        T0 + 1,
        { kind: 'user' },
      ),
    );
  const revert = (run: Scenario, to: 'NotAssessed' | 'Failed') =>
    run.fold(
      event(
        { type: 'FindingReverted', findingId: run.finding('a')!.id, seenVersion: null, to, rationale: null },
        T0 + 3,
        {
          kind: 'user',
        },
      ),
    );
  const failed = () => new Scenario().fold(...upload(1, T0, [signal('a')]));

  it('any → Failed or Qualified: follows the latest signal', () => {
    const run = failed().fold(
      ...upload(2, T0 + 2, [signal('a', 'pass')]),
      ...upload(3, T0 + 3, [signal('a', 'fail')]),
    );
    expect(run.states).toEqual({ a: 'Failed' });
  });

  it('Accepted Failed stays if the flag is absent or false: control ignored, but seen', () => {
    const run = accept(failed());
    run.fold(...upload(2, T0 + 2, [signal('a', 'pass', { lastSeen: T0 + 2, expiresAt: T0 + 500 * DAY_MS })]));
    expect(run.states).toEqual({ a: 'AcceptedFailed' });
    expect(run.counts(2)).toMatchObject({ updated: 0, ignored: { accepted: 1 } });
    const [asset] = run.entity.assets;
    expect([...asset!.findings.values()][0]!.seen).toMatchObject({
      lastSeen: T0 + 2,
      expiresAt: T0 + 500 * DAY_MS,
    });
  });

  it('Accepted Failed → Failed with shouldAllowOverrideAFControl and a failing signal, not with a passing one', () => {
    const run = accept(failed());
    run.fold(...upload(2, T0 + 2, [signal('a', 'pass', { overrideAccepted: true })]));
    expect(run.states).toEqual({ a: 'AcceptedFailed' });
    run.fold(...upload(3, T0 + 3, [signal('a', 'fail', { overrideAccepted: true })]));
    expect(run.finding('a')).toMatchObject({ state: 'Failed', accepted: null });
  });

  it('Accepted Failed → Not Assessed by revert: updated again by later assessments', () => {
    const run = revert(accept(failed()), 'NotAssessed');
    expect(run.states).toEqual({ a: 'NotAssessed' });
    run.fold(...upload(2, T0 + 4, [signal('a')]));
    expect(run.states).toEqual({ a: 'Failed' });
  });

  it('Accepted Failed → Failed by revert: stays until reverted otherwise', () => {
    const run = revert(accept(failed()), 'Failed');
    run.fold(...upload(2, T0 + 4, [signal('a', 'pass')]));
    expect(run.states).toEqual({ a: 'Failed' });
    expect(run.counts(2).ignored).toEqual({ heldFailed: 1 });
    revert(run, 'NotAssessed').fold(...upload(3, T0 + 5, [signal('a', 'pass')]));
    expect(run.states).toEqual({ a: 'Qualified' });
  });

  it.each([7, CURRENT_RULES])('under rules %d, a finding that is held again is a change up to 7', (rules) => {
    const run = failed();
    const act = (payload: FindingAct, user: string, at: number) =>
      run.fold(event(payload, at, { kind: 'user', user }, { rules }));
    const on = { findingId: run.finding('a')!.id, seenVersion: null, rationale: null };
    act({ ...on, type: 'FindingAccepted', rationale: 'known', until: null }, 'ana', T0 + 1);
    act({ ...on, type: 'FindingReverted', to: 'Failed' }, 'ana', T0 + 2);
    const held = run.finding('a')!;
    expect(held.heldFailed).toEqual({ by: 'ana', at: T0 + 2 });
    act({ ...on, type: 'FindingReverted', to: 'Failed' }, 'ben', T0 + 3);
    expect(run.effects.acts).toMatchObject([{ action: 'finding.reverted', refused: null }]);
    expect(run.finding('a')).toEqual(
      rules === 7
        ? { ...held, heldFailed: { by: 'ben', at: T0 + 3 }, version: held.version + 1, updatedAt: T0 + 3 }
        : held,
    );
    act({ ...on, type: 'FindingReverted', to: 'NotAssessed' }, 'ben', T0 + 4);
    expect(run.finding('a')).toMatchObject({ state: 'NotAssessed', heldFailed: null });
  });

  it('becomes Not Assessed after the end date', () => {
    const run = accept(failed(), T0 + DAY_MS);
    run.fold(event({ type: 'EntitySwept', deleteIdleSince: null }, T0 + DAY_MS));
    expect(run.finding('a')).toMatchObject({ state: 'NotAssessed', accepted: null });
  });

  it('survives a replacing upload and a retirement: it returns as it stood', () => {
    const run = accept(failed());
    run.fold(...upload(2, T0 + 2, [signal('b'), closed('va')]));
    expect(run.states).toEqual({ a: 'AcceptedFailed', b: 'Failed' });
    run.fold(
      event({ type: 'AssetDeleted', assetId: run.entity.assets[0]!.asset.id, seenVersion: null }, T0 + 3),
    );
    expect(run.finding('a')).toMatchObject({ state: 'Retired', retiredReason: 'assetDeleted' });
    run.fold(...upload(3, T0 + 4, [signal('a')]));
    expect(run.states).toMatchObject({ a: 'AcceptedFailed' });
    expect(run.changes).toEqual(['asset returned', 'finding returned']);
  });

  it.each([
    ['what is not Failed', (run: Scenario) => accept(accept(run)), 'notFailed'],
    ['a revert of what nobody accepted', (run: Scenario) => revert(run, 'Failed'), 'notAccepted'],
    [
      'a stale version (R-FOLD-6)',
      (run: Scenario) =>
        run.fold(
          event(
            {
              type: 'FindingAccepted',
              findingId: run.finding('a')!.id,
              seenVersion: 9,
              rationale: 'x',
              until: null,
            },
            T0 + 1,
          ),
        ),
      'stale',
    ],
    [
      'an unknown finding',
      (run: Scenario) =>
        run.fold(
          event(
            { type: 'FindingAccepted', findingId: 'none', seenVersion: null, rationale: 'x', until: null },
            T0 + 1,
          ),
        ),
      'unknown',
    ],
  ])('rejects %s, as a recorded outcome', (_what, act, refused) => {
    expect(act(failed()).effects.acts).toEqual([expect.objectContaining({ refused })]);
  });
});

describe('the number of an asset', () => {
  it('is unique in the installation: a count of its partition and the partition', () => {
    const of = (name: string) =>
      signal('a', 'fail', { entity: entity({ name, fqdn: name }), assetRules: rules({ matching: 'fqdn' }) });
    const state = { ...initialPartition(5), assetCounter: 3 };
    const numbers = upload(1, T0, [of('web01.a.com'), of('web01.b.com'), of('web01.a.com')])
      .reduce(({ partition, entity }, one) => fold(partition, entity, one), {
        partition: state,
        entity: initialEntity('machine:web01'),
      })
      .entity.assets.map(({ asset: { number, version } }) => ({ number, version }));
    expect(numbers).toEqual([
      { number: 4 * 1024 + 5, version: 1 },
      { number: 5 * 1024 + 5, version: 1 },
    ]);
  });
});

describe('assets that are deleted and return (R-DEL-3)', () => {
  it('deletes an idle asset without active findings, and gives it its id again', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a', 'fail', { expiresAt: T0 + DAY_MS })]));
    const { id } = run.entity.assets[0]!.asset;
    run.fold(event({ type: 'EntitySwept', deleteIdleSince: T0 + DAY_MS }, T0 + 91 * DAY_MS));
    expect(run.entity.assets[0]!.asset.deletedAt).toBe(T0 + 91 * DAY_MS);
    run.fold(...upload(2, T0 + 92 * DAY_MS, [signal('a')]));
    expect(run.entity.assets[0]!.asset).toMatchObject({ id, deletedAt: null, version: 3 });
    expect(run.counts(2)).toMatchObject({ assetsCreated: 1, assetsUpdated: 0 });
    expect(run.states).toEqual({ a: 'Failed' });
  });

  it.each([
    [6, 'expired', 'passed'],
    [7, 'assetDeleted', null],
  ])(
    'ends the verdict on a control that had expired, from rules 7 on (R-DEL-2): %d',
    (of, reason, verdict) => {
      const expiresAt = T0 + DAY_MS;
      const sent = (['ca', 'va'] as const).map((type) =>
        signal('a', 'pass', { expiresAt, observations: [observation(type, [instance('pass')])] }),
      );
      const run = new Scenario().fold(...upload(1, T0, sent, { rules: of }));
      const swept = event(
        { type: 'EntitySwept', deleteIdleSince: T0 + DAY_MS },
        T0 + 91 * DAY_MS,
        {},
        { rules: of },
      );
      run.fold(swept, ...upload(2, T0 + 92 * DAY_MS, [signal('b')], { rules: of }));
      const control = run.finding('a', 'ca')!;
      expect(control).toMatchObject({ state: 'Retired', retiredReason: reason });
      expect(lastVerdict(control, null)).toBe(verdict);
      expect(run.finding('a', 'va')).toMatchObject({
        state: 'Retired',
        retiredReason: 'expired',
        version: 2,
      });
    },
  );

  it('deletes by a user’s act only the version that the user saw, also a live asset', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a'), signal('b')]));
    const { id: assetId, version } = run.entity.assets[0]!.asset;
    const deleted = (given: { assetId?: string; seenVersion?: number | null }) =>
      run.fold(event({ type: 'AssetDeleted', assetId, seenVersion: null, ...given }, T0 + 1)).effects.acts;
    expect(deleted({ seenVersion: version + 1 })).toMatchObject([{ refused: 'stale' }]);
    expect(deleted({ assetId: 'none' })).toMatchObject([{ refused: 'unknown' }]);
    expect(run.changes).toEqual([]);
    expect(deleted({ seenVersion: version })).toMatchObject([{ refused: null }]);
    expect(run.changes).toEqual(['finding retired', 'finding retired', 'asset deleted']);
    expect(deleted({})).toMatchObject([{ refused: 'unknown' }]);
    expect(run.changes).toEqual([]);
  });

  it('keeps an asset that was seen at the very instant since which others are idle', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a', 'fail', { expiresAt: T0 + DAY_MS })]));
    const swept = (deleteIdleSince: number) =>
      run.fold(event({ type: 'EntitySwept', deleteIdleSince }, T0 + 91 * DAY_MS)).entity.assets[0]!.asset;
    expect(swept(T0).deletedAt).toBeNull();
    expect(swept(T0 + 1).deletedAt).toBe(T0 + 91 * DAY_MS);
    swept(T0 + 1);
    expect(run.changes).toEqual([]);
  });

  it('keeps an asset with an active finding, and all if deletion is off', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a')]));
    run.fold(event({ type: 'EntitySwept', deleteIdleSince: T0 + DAY_MS }, T0 + 91 * DAY_MS));
    expect(run.entity.assets[0]!.asset.deletedAt).toBeNull();
  });
});

describe('slow clocks (R-FOLD-3)', () => {
  it('dates asset data by the partition’s clock: never seen before it was created', () => {
    const run = new Scenario().fold(event({ type: 'EntitySwept', deleteIdleSince: null }, T0));
    run.fold(...upload(1, T0 - DAY_MS, [signal('a')]));
    expect(run.entity.assets[0]).toMatchObject({ lastSeen: T0, asset: { firstSeen: T0 } });
    run.fold(event({ type: 'EntitySwept', deleteIdleSince: null }, T0 + DAY_MS));
    run.fold(...upload(2, T0, [signal('a')]));
    expect(run.entity.assets[0]?.lastSeen).toBe(T0 + DAY_MS);
  });
});

describe('resends and repeats', () => {
  it('writes only the fields that every signal updates for an unchanged resend', () => {
    const run = new Scenario().fold(...upload(1, T0, [signal('a')]));
    run.fold(
      ...upload(2, T0 + 1, [
        signal('a', 'fail', { signalId: 'another', lastSeen: T0 + 1, expiresAt: T0 + 400 * DAY_MS }),
      ]),
    );
    expect(run.effects.changes).toEqual([]);
    expect([...run.effects.touchedFindings.keys()]).toEqual([run.finding('a')!.id]);
    expect(run.counts(2)).toMatchObject({ unchanged: 1, updated: 0 });
  });

  it('folds an event once if the log contains it twice (R-FOLD-5)', () => {
    const [first, second] = upload(1, T0, [signal('a'), signal('b')]);
    const run = new Scenario().fold(first!, second!, first!, second!);
    expect(run.counts(1)).toMatchObject({ created: 2, unchanged: 0 });
  });

  it('continues with its first stamp if an upload is retried under its key: it does not replace its own findings', () => {
    const first = upload(1, T0, [signal('a'), signal('b'), closed('va')]);
    const retried = upload(1, T0 + 5_000, [signal('a'), signal('b'), closed('va')]);
    const run = new Scenario().fold(first[0]!, ...retried);
    expect(run.states).toEqual({ a: 'Failed', b: 'Failed' });
  });

  it('keeps the first header of an upload, whichever of its events has it', () => {
    const header = (signals: number) => ({
      events: 3,
      signals,
      rejected: 0,
      assetMatchingCriteria: [],
      fullAssessmentForTypes: [],
      warnings: [],
    });
    const [one, two, three] = upload(1, T0, [signal('a'), signal('b'), signal('c')]);
    two!.envelope.upload = header(3);
    three!.envelope.upload = header(9);
    const run = new Scenario().fold(one!, two!, three!);
    expect([...run.partition.uploads.values()]).toMatchObject([
      { header: header(3), seen: 3, count: 3, signals: 3 },
    ]);
  });

  it('stops at rules that it does not know', () => {
    const folding = () => new Scenario().fold(event(signal('a'), T0, {}, { rules: 99 }));
    expect(folding).toThrow(UnknownRulesError);
    expect(folding).toThrow('needs rules 99: upgrade this version');
  });

  it('leaves the states it is given as they were', () => {
    const partition = initialPartition(0);
    const state = initialEntity('machine:web01');
    const [one] = upload(1, T0, [signal('a')]);
    const first = fold(partition, state, one!);
    expect(partition).toEqual(initialPartition(0));
    expect(state.assets).toEqual([]);
    expect(first.entity.assets).toHaveLength(1);
    expect(fold(partition, state, one!)).toEqual(first);
  });

  it('leaves uploads, assets and findings that it is given as they were', () => {
    const [one, two] = upload(1, T0, [signal('a'), signal('a', 'pass')]);
    const first = fold(initialPartition(0), initialEntity('machine:web01'), one!);
    const before = structuredClone({ partition: first.partition, entity: first.entity });
    const second = fold(first.partition, first.entity, two!);
    expect({ partition: first.partition, entity: first.entity }).toEqual(before);
    expect([...second.partition.uploads.values()]).toMatchObject([
      { seen: 2, counts: { created: 1, updated: 1 } },
    ]);
    expect([...second.entity.assets[0]!.findings.values()]).toMatchObject([
      { finding: { state: 'Qualified' } },
    ]);
  });
});
