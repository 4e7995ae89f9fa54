import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { described, entity, event, Scenario, signal, T0, upload } from '../../../../test/support/scenario.ts';
import {
  type AssetDescribed,
  type AssetTyping,
  CURRENT_RULES,
  type EntityDescription,
  type IntakePayload,
} from '../events.ts';
import type { Statement } from '../state.ts';
import { ALL_STATEMENTS_MAX, STATEMENTS_MAX, shownAttributes } from './statements.ts';

const typing = (type: string) => ({ type, attackSurface: 'x', supports: [] });
const source = (name: string | null) => ({ name, nextSubmissionIntervalInMins: null });

/** A device of an integration. */
const device = (
  name: string,
  deviceId: string | null,
  given: Partial<EntityDescription> = {},
  more: Partial<AssetDescribed> = {},
) => described({ entity: entity(given), source: source(name), deviceId, ...more });

/** A signal of a scanner that may change metadata. */
const scan = (name: string | null, given: Partial<EntityDescription> = {}) =>
  signal('a', 'fail', { entity: entity(given), source: source(name) });

/** Each payload as an upload of its own, a millisecond after the one before. */
const folded = (payloads: IntakePayload[], settingsVersion = 1, rules = CURRENT_RULES) =>
  payloads.reduce(
    (run, payload, i) => run.fold(...upload(i + 1, T0 + i, [payload], { settingsVersion, rules })),
    new Scenario(),
  );
const assetOf = (run: Scenario) => run.entity.assets[0]!.asset;
const saidBy = (run: Scenario) =>
  (assetOf(run).statements ?? []).map(({ source, deviceId }: Statement) => [source, deviceId]);
const ended = (source: string, deviceId: string, run: Scenario): IntakePayload => ({
  type: 'StatementEnded',
  assetId: assetOf(run).id,
  source,
  deviceId,
});
const end = (run: Scenario, source: string, deviceId: string) =>
  run.fold(event(ended(source, deviceId, run), T0 + 100));

describe('two sources of one asset', () => {
  const edr = device('edr', 'e1', { ipAddresses: ['10.0.0.1'], os: 'Windows Server 2019', location: 'Pune' });
  const cmdb = device('cmdb', 'c1', { ipAddresses: ['10.0.0.2'], os: 'Windows', location: 'Mumbai' });

  it('do not replace the values of each other', () => {
    const run = folded([edr, cmdb]);
    expect(assetOf(run)).toMatchObject({
      ipAddresses: ['10.0.0.2', '10.0.0.1'],
      os: 'Windows Server 2019',
      location: 'Mumbai',
    });
    const before = structuredClone(assetOf(run));
    run.fold(...upload(3, T0 + 50, [edr]), ...upload(4, T0 + 60, [cmdb]), ...upload(5, T0 + 70, [edr]));
    expect(assetOf(run)).toEqual(before);
    expect(run.changes).toEqual([]);
    expect(run.counts(5).assetsUpdated).toBe(0);
  });

  it('are kept each with what it said and since when', () => {
    expect(assetOf(folded([edr, cmdb])).statements).toEqual([
      {
        source: 'cmdb',
        deviceId: 'c1',
        name: 'web01',
        since: T0 + 1,
        ipAddresses: ['10.0.0.2'],
        os: 'Windows',
        location: 'Mumbai',
      },
      {
        source: 'edr',
        deviceId: 'e1',
        name: 'web01',
        since: T0,
        ipAddresses: ['10.0.0.1'],
        os: 'Windows Server 2019',
        location: 'Pune',
      },
    ]);
  });

  it('show the value of the more trusted one, whichever came last', () => {
    const trusting = { trustedSources: ['EDR'] };
    const run = folded([
      { ...edr, ...trusting },
      { ...cmdb, ...trusting },
    ]);
    expect(assetOf(run)).toMatchObject({ location: 'Pune', trustedSources: ['EDR'] });
    const [ofCmdb, ofEdr] = shownAttributes(assetOf(run));
    expect(ofCmdb!.shown).toEqual(['ipAddresses']);
    expect(ofEdr!.shown).toEqual(['os', 'location', 'ipAddresses']);
  });

  it('are merged by another list from its next description on, not by an older one', () => {
    const run = folded([edr, cmdb]);
    run.fold(...upload(3, T0 + 10, [{ ...cmdb, trustedSources: ['edr'] }], { settingsVersion: 2 }));
    expect(assetOf(run).location).toBe('Pune');
    run.fold(...upload(4, T0 + 11, [{ ...edr, trustedSources: ['cmdb'] }], { settingsVersion: 1 }));
    expect(assetOf(run).location).toBe('Pune');
    run.fold(...upload(5, T0 + 12, [cmdb], { settingsVersion: 3 }));
    expect(assetOf(run)).toMatchObject({ location: 'Mumbai', trustedSources: [] });
  });

  it.each([
    [7, 'Oslo'],
    [CURRENT_RULES, 'Mumbai'],
  ])(
    'under rules %d, are merged by the list of the last description, also if it changed nothing then',
    (rules, location) => {
      const listing = (at: number, settingsVersion: number, trustedSources: string[]) =>
        [edr, cmdb, device('scanner', null, { location: 'Oslo' })].flatMap((one, i) =>
          upload(at + i, T0 + at + i, [{ ...one, trustedSources }], { settingsVersion, rules }),
        );
      const run = new Scenario().fold(...listing(1, 1, ['edr']));
      expect(assetOf(run).location).toBe('Pune');
      run.fold(...listing(11, 2, ['edr', 'cmdb']));
      expect(assetOf(run).location).toBe('Pune');
      expect(run.changes).toEqual(rules === 7 ? [] : ['asset updated']);
      run.fold(...listing(21, 2, ['edr', 'cmdb']));
      expect(run.changes).toEqual([]);
      run.fold(
        event(
          { type: 'StatementEnded', assetId: assetOf(run).id, source: 'edr', deviceId: 'e1' },
          T0 + 100,
          {},
          { rules },
        ),
      );
      expect(assetOf(run).location).toBe(location);
    },
  );

  it.each([
    [8, []],
    [CURRENT_RULES, ['prod']],
  ])(
    'under rules %d, a device without values of a custom field shows %j of the other one',
    (rules, shown) => {
      const payloads = [
        device('edr-a', 'a1', { customFields: { field: ['prod'] } }),
        device('edr-b', 'b1', { customFields: { field: [] } }),
      ];
      const run = folded(payloads, 1, rules);
      expect(assetOf(run).customFields).toEqual({ field: shown });
      expect(shownAttributes(assetOf(run)).map((one) => one.shown)).toEqual([
        rules === 8 ? [] : ['customFields.field'],
        [],
      ]);
      run.fold(event(ended('edr-a', 'a1', run), T0 + 100, {}, { rules }));
      expect(assetOf(run).customFields).toEqual(rules === 8 ? { field: [] } : {});
    },
  );

  it('share tags and custom fields key by key', () => {
    const run = folded([
      device('edr', 'e1', { tags: { a: ['1'], both: ['edr'] }, customFields: { team: ['x'] } }),
      device('cmdb', 'c1', { tags: { b: ['2'], both: ['cmdb'] }, customFields: { owner: ['y'] } }),
    ]);
    expect(assetOf(run)).toMatchObject({
      tags: { a: ['1'], b: ['2'], both: ['cmdb'] },
      customFields: { owner: ['y'], team: ['x'] },
    });
    expect(shownAttributes(assetOf(run)).map(({ shown }) => shown)).toEqual([
      ['tags.b', 'tags.both', 'customFields.owner'],
      ['tags.a', 'customFields.team'],
    ]);
  });

  it('said at the same time: the smaller name wins', () => {
    const run = new Scenario().fold(...upload(1, T0, [edr, cmdb]));
    expect(assetOf(run).location).toBe('Mumbai');
  });
});

describe('a statement', () => {
  it('of a device is whole: values that it no longer has end', () => {
    const run = folded([
      device('edr', 'e1', { location: 'Pune', tags: { a: ['1'] } }),
      device('edr', 'e1', { tags: { b: ['2'] } }),
    ]);
    expect(assetOf(run)).toMatchObject({ location: null, tags: { b: ['2'] } });
  });

  it('of a source without a device keeps the values that a later signal does not have', () => {
    const run = folded([
      scan('scanner', { location: 'Pune', tags: { a: ['1'] } }),
      device('edr', 'e1', { location: 'Mumbai' }),
      scan('scanner', { department: 'IT', tags: { b: ['2'] } }),
    ]);
    expect(assetOf(run)).toMatchObject({ location: 'Pune', department: 'IT', tags: { a: ['1'], b: ['2'] } });
    expect(saidBy(run)).toEqual([
      ['edr', 'e1'],
      ['scanner', null],
    ]);
  });

  it('is not made of a name alone, unless it is of a device', () => {
    const run = folded([scan('scanner'), scan('other', { name: 'web01.corp.example' })]);
    expect(assetOf(run)).toMatchObject({
      name: 'web01.corp.example',
      hostname: 'web01',
      fqdn: 'web01.corp.example',
    });
    expect(assetOf(run)).not.toHaveProperty('statements');
    run.fold(...upload(9, T0 + 9, [device('edr', 'e1')]));
    expect(saidBy(run)).toEqual([['edr', 'e1']]);
  });

  it('is not made if metadata may not change', () => {
    const kept = { assetRules: { matching: 'name', importAssets: true, updateMetadata: false } as const };
    const run = folded([
      scan('scanner', { location: 'Pune' }),
      device('edr', 'e1', { location: 'Mumbai' }, kept),
    ]);
    expect(assetOf(run).location).toBe('Pune');
    expect(saidBy(run)).toEqual([['scanner', null]]);
  });

  it('keeps several devices of one host name apart', () => {
    const both = [
      device('edr', 'e1', { ipAddresses: ['10.0.0.1'] }),
      device('edr', 'e2', { ipAddresses: ['10.0.0.2'] }),
    ];
    const run = folded([...both, ...both]);
    expect(assetOf(run)).toMatchObject({ version: 2, ipAddresses: ['10.0.0.1', '10.0.0.2'] });
  });

  it('of another FQDN gives neither name nor host name', () => {
    const run = folded([
      scan('a', { name: 'web01.a.example', fqdn: 'web01.a.example' }),
      device('edr', 'e1', {
        name: 'web01.b.example',
        fqdn: 'web01.b.example',
        hostname: 'other',
        location: 'Pune',
      }),
    ]);
    expect(assetOf(run)).toMatchObject({
      name: 'web01.a.example',
      hostname: 'web01',
      fqdn: 'web01.a.example',
      location: 'Pune',
    });
  });

  it('takes neither OS nor typing of older settings', () => {
    const run = folded([device('edr', 'e1', { os: 'Ubuntu', typing: typing('Server') })], 2);
    run.fold(
      ...upload(2, T0 + 1, [device('edr', 'e1', { os: 'Debian', typing: typing('Old'), location: 'Pune' })]),
    );
    expect(assetOf(run)).toMatchObject({ os: 'Ubuntu', typing: typing('Server'), location: 'Pune' });
  });

  it('has the type of a new mapping, which a repeat does not undo', () => {
    const edr = device('edr', 'e1', { os: 'Ubuntu', typing: typing('Server') });
    const run = folded([edr, device('cmdb', 'c1', { location: 'Pune' })]);
    const assetId = assetOf(run).id;
    run.fold(
      event({ type: 'AssetRetyped', assetId, typing: typing('Linux') }, T0 + 9, {}, { settingsVersion: 2 }),
    );
    run.fold(...upload(9, T0 + 10, [device('cmdb', 'c1', { location: 'Mumbai' })], { settingsVersion: 2 }));
    expect(assetOf(run)).toMatchObject({ typing: typing('Linux'), location: 'Mumbai' });
  });
});

describe('a new mapping', () => {
  const old = typing('Old server');
  const windows = device('cmdb', 'c1', { os: 'Windows Server 2019', typing: old });
  const ubuntu = device('edr', 'e1', { os: 'Ubuntu 24.04', typing: typing('Linux') });
  const retyped = (run: Scenario, os: string, from: AssetTyping | null, to: string, settingsVersion = 2) =>
    run.fold(
      event(
        { type: 'AssetRetyped', assetId: assetOf(run).id, os, from, typing: typing(to) },
        T0 + 50,
        {},
        { settingsVersion },
      ),
    );
  const shownBy = (run: Scenario) => [assetOf(run).os, assetOf(run).typing?.type];

  it('types an operating system that the asset does not show', () => {
    const run = retyped(folded([windows, ubuntu]), 'Windows Server 2019', old, 'Server');
    expect(shownBy(run)).toEqual(['Ubuntu 24.04', 'Linux']);
    end(run, 'edr', 'e1');
    expect(shownBy(run)).toEqual(['Windows Server 2019', 'Server']);
  });

  it('leaves an asset that has another operating system by now', () => {
    const run = folded([windows]);
    run.fold(
      ...upload(2, T0 + 1, [{ ...ubuntu, source: source('cmdb'), deviceId: 'c1' }], { settingsVersion: 2 }),
    );
    expect(retyped(run, 'Windows Server 2019', old, 'Server').changes).toEqual([]);
    expect(shownBy(run)).toEqual(['Ubuntu 24.04', 'Linux']);
  });

  it('leaves a type that a source has given since, also the one of before', () => {
    const given = {
      ...windows,
      entity: { ...windows.entity, typing: typing('Firewall') },
      isTypeGiven: true,
    };
    for (const one of [given, { ...windows, isTypeGiven: true }]) {
      const run = folded([windows]).fold(...upload(2, T0 + 1, [one], { settingsVersion: 2 }));
      expect(retyped(run, 'Windows Server 2019', old, 'Server').changes).toEqual([]);
    }
  });

  it('types one that the mapping of before did not know, and changes nothing if it is repeated', () => {
    const run = folded([device('cmdb', 'c1', { os: 'Acme 10' })]);
    expect(retyped(run, 'Acme 10', null, 'Acme').changes).toEqual(['asset updated']);
    expect(shownBy(run)).toEqual(['Acme 10', 'Acme']);
    expect(retyped(run, 'Acme 10', null, 'Acme').changes).toEqual([]);
    expect(retyped(run, 'Acme 10', typing('Acme'), 'Old', 1).changes).toEqual([]);
  });

  it('types an asset without statements', () => {
    const run = folded([scan('scanner', { os: 'Ubuntu 24.04', typing: typing('Linux') })], 1, 4);
    expect(retyped(run, 'Ubuntu 24.04', typing('Linux'), 'Server').changes).toEqual(['asset updated']);
    expect(shownBy(run)).toEqual(['Ubuntu 24.04', 'Server']);
    expect(retyped(run, 'Ubuntu 24.04', typing('Linux'), 'Other').changes).toEqual([]);
  });
});

describe('the type of an asset', () => {
  const linux = { os: 'Linux', typing: typing('Firewall') };
  const precise = { os: 'Acme Linux 10', typing: typing('Acme') };
  const typeOf = (run: Scenario) => assetOf(run).typing?.type;
  const typedBy = (run: Scenario) =>
    shownAttributes(assetOf(run)).flatMap(({ statement, shown }) =>
      shown.includes('typing') ? [statement.source] : [],
    );

  it.each([
    [9, undefined, []],
    [CURRENT_RULES, 'Firewall', ['cmdb']],
  ])(
    'under rules %d, is %s if another source names the operating system more precisely and has no type',
    (rules, type, by) => {
      const run = folded([scan('cmdb', linux), scan('scanner', { os: precise.os })], 1, rules);
      expect(assetOf(run).os).toBe(precise.os);
      expect(typeOf(run)).toBe(type);
      expect(typedBy(run)).toEqual(by);
    },
  );

  it('is that of the more precise operating system', () => {
    const run = folded([scan('scanner', precise), scan('cmdb', linux)]);
    expect([typeOf(run), ...typedBy(run)]).toEqual(['Acme', 'scanner']);
  });

  it('stays if the most trusted or newest source has given it', () => {
    const given = { ...scan('cmdb', linux), isTypeGiven: true };
    const trusting = (payload: IntakePayload) => ({ ...payload, trustedSources: ['cmdb'] }) as IntakePayload;
    for (const run of [
      folded([scan('scanner', precise), given]),
      folded([trusting(given), trusting(scan('scanner', precise))]),
    ]) {
      expect([typeOf(run), ...typedBy(run)]).toEqual(['Firewall', 'cmdb']);
      expect(assetOf(run).os).toBe(precise.os);
    }
  });

  it('has been given until the source names another one, or only an operating system', () => {
    const given = { ...scan('cmdb', linux), isTypeGiven: true };
    const isGiven = (...payloads: IntakePayload[]) =>
      assetOf(folded([given, ...payloads])).statements![0]!.isTypeGiven ?? false;
    expect(isGiven(scan('cmdb', { location: 'Pune' }), scan('cmdb', { os: 'Acme' }))).toBe(true);
    expect(isGiven(scan('cmdb', { os: 'Linux', typing: typing('Linux') }))).toBe(false);
    const late = upload(2, T0 + 1, [scan('cmdb', precise)], { settingsVersion: 0 });
    expect(assetOf(folded([given]).fold(...late)).statements).toMatchObject([
      { ...linux, isTypeGiven: true },
    ]);
  });

  it('is no newer value if only who gave it is known since', () => {
    const run = folded([scan('cmdb', { ...linux, location: 'Pune' }), scan('other', { location: 'Oslo' })]);
    const given = { ...scan('cmdb', { ...linux, location: 'Pune' }), isTypeGiven: true };
    run.fold(...upload(3, T0 + 2, [given], { settingsVersion: 1 }));
    expect(assetOf(run).location).toBe('Oslo');
    expect(assetOf(run).statements![0]).toMatchObject({ since: T0, isTypeGiven: true });
  });
});

describe('a statement that ends', () => {
  it('takes its values with it, and leaves those of others', () => {
    const run = folded([
      device('edr', 'e1', { location: 'Pune', ipAddresses: ['10.0.0.1'], department: 'IT' }),
      device('cmdb', 'c1', { location: 'Mumbai', ipAddresses: ['10.0.0.2'] }),
    ]);
    end(run, 'cmdb', 'c1');
    expect(assetOf(run)).toMatchObject({ location: 'Pune', ipAddresses: ['10.0.0.1'], department: 'IT' });
    expect(run.changes).toEqual(['asset updated']);
    end(run, 'cmdb', 'c1');
    expect(run.changes).toEqual([]);
    end(run, 'edr', 'e1');
    expect(assetOf(run)).toMatchObject({
      location: null,
      ipAddresses: [],
      department: null,
      hostname: 'web01',
      statements: [],
    });
  });

  it('with its asset: what it showed stays until a source says it anew', () => {
    const run = folded([device('edr', 'e1', { location: 'Pune', department: 'IT' })]);
    run.fold(event({ type: 'AssetDeleted', assetId: assetOf(run).id, seenVersion: null }, T0 + 5));
    expect(assetOf(run)).toMatchObject({ statements: [], location: 'Pune' });
    run.fold(...upload(7, T0 + 7, [device('edr', 'e2', { location: 'Mumbai' })]));
    expect(assetOf(run)).toMatchObject({ location: 'Mumbai', department: 'IT' });
    end(run, 'edr', 'e2');
    expect(assetOf(run)).toMatchObject({ location: null, department: 'IT' });
  });
});

describe('an asset of earlier rules', () => {
  const ofRules4 = () =>
    new Scenario().fold(
      ...upload(
        1,
        T0,
        [
          device('edr', 'e1', {
            hostname: 'web01',
            location: 'Pune',
            department: 'IT',
            ipAddresses: ['10.0.0.1'],
          }),
        ],
        {
          rules: 4,
        },
      ),
    );

  it('has no statements, and shows the last description', () => {
    expect(assetOf(ofRules4())).not.toHaveProperty('statements');
  });

  it('begins with what it shows, which ends when a source says it anew', () => {
    const run = ofRules4().fold(...upload(2, T0 + 1, [device('cmdb', 'c1', { ipAddresses: ['10.0.0.2'] })]));
    expect(assetOf(run)).toMatchObject({ location: 'Pune', department: 'IT', ipAddresses: ['10.0.0.2'] });
    expect(assetOf(run).statements![0]).toEqual({
      source: null,
      deviceId: null,
      isEarlier: true,
      since: T0,
      department: 'IT',
      location: 'Pune',
    });
    run.fold(...upload(3, T0 + 2, [device('edr', 'e1', { location: 'Pune', department: 'IT' })]));
    expect(saidBy(run)).toEqual([
      ['cmdb', 'c1'],
      ['edr', 'e1'],
    ]);
  });

  it('does not change by a signal without metadata', () => {
    const run = ofRules4().fold(...upload(2, T0 + 1, [scan('edr')]));
    expect(run.changes).not.toContain('asset updated');
  });
});

describe('a tag whose key is a custom field by now', () => {
  const tagged = scan('scanner', { tags: { env: ['prod'], site: ['hq'] } });
  const fields = { customFields: { env: ['test'] } };
  const shownBy = (run: Scenario) => [assetOf(run).tags, assetOf(run).customFields];

  it.each([
    [8, { env: ['prod'], site: ['hq'] }],
    [CURRENT_RULES, { site: ['hq'] }],
  ])('under rules %d, leaves the tags %j of its source', (rules, tags) => {
    const run = folded([tagged, scan('scanner', fields)], 1, rules);
    expect(shownBy(run)).toEqual([tags, { env: ['test'] }]);
  });

  it.each([
    [8, { env: ['prod'], site: ['hq'] }],
    [CURRENT_RULES, { site: ['hq'] }],
  ])('under rules %d, leaves the tags %j of before statements', (rules, tags) => {
    const run = folded([tagged], 1, 4).fold(...upload(2, T0 + 1, [device('edr', 'e1', fields)], { rules }));
    expect(shownBy(run)).toEqual([tags, { env: ['test'] }]);
  });

  it('ends a statement without other values', () => {
    const run = folded([scan('scanner', { tags: { env: ['prod'] } }), scan('scanner', fields)]);
    expect(assetOf(run).statements).toEqual([
      { source: 'scanner', deviceId: null, since: T0 + 1, customFields: { env: ['test'] } },
    ]);
  });

  it('has the values that the field does not take', () => {
    const run = folded([tagged, scan('scanner', { ...fields, tags: { env: ['other'] } })]);
    expect(shownBy(run)).toEqual([{ env: ['other'], site: ['hq'] }, { env: ['test'] }]);
  });

  it('stays if another source gave it', () => {
    const run = folded([tagged, scan('other', fields)]);
    expect(shownBy(run)).toEqual([{ env: ['prod'], site: ['hq'] }, { env: ['test'] }]);
  });
});

describe('more statements than an asset keeps', () => {
  const many = Array.from({ length: STATEMENTS_MAX }, (_, i) =>
    device('edr', `e${i}`, { ipAddresses: [`10.0.0.${i}`] }),
  );

  it('are not kept of further devices', () => {
    const run = folded(many);
    const before = structuredClone(assetOf(run));
    run.fold(...upload(90, T0 + 90, [device('edr', 'more', { location: 'Pune' })]));
    expect(assetOf(run)).toEqual(before);
  });

  it('are one of further sources without a device, in which the last one wins', () => {
    const run = folded([...many, scan('x', { location: 'Pune' }), scan('y', { location: 'Mumbai' })]);
    expect(assetOf(run).location).toBe('Mumbai');
    expect(assetOf(run).statements).toHaveLength(STATEMENTS_MAX + 1);
    expect(saidBy(run)[0]).toEqual([null, null]);
  });

  it('are at most as many as the interface documents, also after a deletion', () => {
    const run = folded([scan('w', { location: 'Pune' })]);
    run.fold(event({ type: 'AssetDeleted', assetId: assetOf(run).id, seenVersion: null }, T0 + 2));
    const more = [...many, scan('x', { department: 'IT' }), scan('y', { criticality: 'low' })];
    for (const [i, payload] of more.entries()) run.fold(...upload(10 + i, T0 + 10 + i, [payload]));
    expect(assetOf(run).statements).toHaveLength(ALL_STATEMENTS_MAX);
  });
});

describe('any order of sources and repeats', () => {
  const given = fc.record({
    location: fc.constantFrom(null, 'Pune', 'Mumbai'),
    os: fc.constantFrom(null, 'Windows', 'Windows Server 2019', 'Ubuntu'),
    ipAddresses: fc.subarray(['10.0.0.1', '10.0.0.2', '10.0.0.3']),
    tags: fc.dictionary(fc.constantFrom('a', 'b'), fc.subarray(['1', '2'])),
    customFields: fc.dictionary(fc.constantFrom('a', 'f'), fc.subarray(['1', '2'])),
    hostname: fc.constantFrom(null, 'web01', 'other'),
    name: fc.constantFrom('web01', 'WEB01'),
  });
  const said = fc.uniqueArray(
    fc.record({
      source: fc.constantFrom(null, 'a', 'b', 'c'),
      deviceId: fc.constantFrom(null, '1', '2'),
      given,
    }),
    { minLength: 1, maxLength: 8, selector: ({ source, deviceId }) => `${source}|${deviceId}` },
  );
  const trusted = fc.subarray(['a', 'b', 'c']);
  const payloadsOf = (
    list: { source: string | null; deviceId: string | null; given: object }[],
    trust: string[],
  ) => list.map((one) => device(one.source!, one.deviceId, one.given, { trustedSources: trust }));
  /** All at one moment, so that no source is newer. */
  const atOnce = (payloads: IntakePayload[]) => new Scenario().fold(...upload(1, T0, payloads));
  /** Which name came first is kept: the asset is called by it. */
  const contentOf = (run: Scenario) => {
    const { version: _, name: _n, aliases: _a, hostname: _h, id: _i, ...asset } = assetOf(run);
    return asset;
  };

  it('gives the same statements and the same asset', () => {
    fc.assert(
      fc.property(
        said.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        trusted,
        fc.array(fc.nat(20), { maxLength: 10 }),
        ([list, shuffled], trust, repeats) => {
          const once = payloadsOf(list, trust);
          const other = payloadsOf(shuffled, trust);
          const repeated = [...other, ...repeats.map((i) => other[i % other.length]!)];
          expect(contentOf(atOnce(repeated))).toEqual(contentOf(atOnce(once)));
        },
      ),
    );
  });

  it('and an unchanged description changes nothing, at any later time', () => {
    fc.assert(
      fc.property(
        said,
        trusted,
        fc.array(fc.nat(20), { minLength: 1, maxLength: 20 }),
        (list, trust, repeats) => {
          const payloads = payloadsOf(list, trust);
          const run = folded(payloads);
          const before = structuredClone(assetOf(run));
          for (const [i, place] of repeats.entries()) {
            run.fold(...upload(100 + i, T0 + 100 + i, [payloads[place % payloads.length]!]));
            expect(run.changes).toEqual([]);
          }
          expect(assetOf(run)).toEqual(before);
        },
      ),
    );
  });

  it('shows each value of one statement, and only values that a source said', () => {
    fc.assert(
      fc.property(said, trusted, (list, trust) => {
        const asset = assetOf(folded(payloadsOf(list, trust)));
        const shown = shownAttributes(asset).flatMap(({ statement, shown }) =>
          shown.map((attribute) => [attribute, statement] as const),
        );
        const of = (attribute: string) => shown.filter(([name]) => name === attribute).map(([, one]) => one);
        expect(of('location').map(({ location }) => location)).toEqual(
          asset.location === null ? [] : [asset.location],
        );
        expect(of('os').map(({ os }) => os)).toEqual(asset.os === null ? [] : [asset.os]);
        for (const [key, values] of Object.entries(asset.tags)) {
          expect(of(`tags.${key}`).map(({ tags }) => tags![key])).toEqual([values]);
        }
        const ips = new Set(of('ipAddresses').flatMap(({ ipAddresses }) => ipAddresses!));
        expect(new Set(asset.ipAddresses)).toEqual(ips);
      }),
    );
  });
});
