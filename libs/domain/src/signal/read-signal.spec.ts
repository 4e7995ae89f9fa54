import { describe, expect, it } from '@jest/globals';
import {
  accepted,
  context,
  plural,
  RECEIVED_AT,
  received,
  refusedFields,
  signal,
} from '../../../../test/fixtures/domain/signals.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import type { Signal } from './signal.ts';

const DAY_MS = 86_400_000;

const machine = (entityAttributes: Signal['entity']['entityAttributes'], name = 'web01'): Signal =>
  signal({ entity: { type: 'machine', name, entityAttributes } });

describe('entities', () => {
  it.each([
    ['machine', 'machine', 'machine:ana'],
    ['user', 'user', 'user:ana'],
    ['Identity', 'user', 'user:ana'],
  ])('entity.type %s is a %s (R-ENT-1)', (type, expected, key) => {
    const read = accepted(signal({ entity: { type, name: 'Ana' } }));
    expect([read.payload.entity.type, read.entityKey]).toEqual([expected, key]);
  });

  it('blank names and unknown entity types are problems (R-ENT-1, R-ENT-2)', () => {
    expect(refusedFields(signal({ name: ' \t', entity: { type: 'file', name: ' . ' } }))).toEqual([
      'entity.type',
      'entity.name',
      'name',
    ]);
  });

  it('a dotted host name is the FQDN, and the name itself comes first (R-SIG-21)', () => {
    const namesOf = (name: string, tags: Record<string, string>) => {
      const { hostname, fqdn } = received(machine({ tags }, name)).entity;
      return [hostname, fqdn];
    };
    expect(namesOf('web01.acme.com', {})).toEqual(['web01', 'web01.acme.com']);
    expect(namesOf('web01', { hostname: 'web01.acme.com' })).toEqual(['web01', 'web01.acme.com']);
    expect(namesOf('web01.acme.com', { fqdn: 'other.acme.com' })).toEqual(['web01', 'web01.acme.com']);
    expect(namesOf('10.0.0.5', {})).toEqual([null, null]);
    expect(namesOf('10.0.0.5', { hostname: 'web01', fqdn: 'web01.acme.com' })).toEqual([
      'web01',
      'web01.acme.com',
    ]);
  });

  it('CIA critical is read as high and info as low, criticality keeps all five (R-SIG-13)', () => {
    const { entity } = received(
      machine({
        criticality: 'Critical',
        confidentialityRequirement: 'critical',
        integrityRequirement: 'INFO',
        availabilityRequirement: 'Medium',
      }),
    );
    expect(entity).toMatchObject({
      criticality: 'critical',
      confidentialityRequirement: 'high',
      integrityRequirement: 'low',
      availabilityRequirement: 'medium',
    });
  });

  it('addresses of ipAddresses and networkInterface are canonical and without repeats (R-SIG-21)', () => {
    const { entity } = received(
      machine({
        ipAddresses: [
          { name: 'Ip', ipv4: '10.0.0.5' },
          { ipv6: '2001:DB8:0::7' },
          { ipv4: '::ffff:10.0.0.5' },
        ],
        networkInterface: [{ ipv4: ['10.0.0.6'], macAddress: '00-50-56-AA-BB-CC' }, { macAddress: 'n/a' }],
      }),
    );
    expect(entity.ipAddresses).toEqual(['10.0.0.5', '2001:db8::7', '10.0.0.6']);
    expect(entity.macAddresses).toEqual(['00:50:56:aa:bb:cc', 'n/a']);
  });

  it.each(['location', 'locationName', 'LOCATION'])('tag %s is the location (R-SIG-11)', (key) => {
    expect(received(machine({ tags: { [key]: ['Mumbai'] } })).entity).toMatchObject({
      location: 'Mumbai',
      tags: {},
      unrecognisedTags: [],
    });
  });

  it.each(['dept', 'department', 'departmentName'])('tag %s is the department (R-SIG-11)', (key) => {
    expect(received(machine({ tags: { [key]: 'Finance' } })).entity.department).toBe('Finance');
  });

  it('format 2.x writes fqdn, department and location as fields; a further value stays a tag (R-SIG-12)', () => {
    const given = machine({ fqdn: 'web01.acme.com', department: ['Finance', 'Tax'], location: 'Mumbai' });
    expect(received(given).entity).toMatchObject({
      fqdn: 'web01.acme.com',
      department: 'Finance',
      location: 'Mumbai',
      tags: { department: ['Tax'] },
    });
  });

  it('defaults are part of the event and are never mixed with sent values (R-ASSET-8)', () => {
    const { entity } = received(signal());
    expect(entity).toMatchObject({ department: null, location: null, typing: null });
    expect(entity.defaults).toMatchObject({ department: 'Unassigned', location: 'Unassigned' });
    expect(entity.defaults.typing.type).toBe('Other');
  });

  it('the asset type is that of the type or the OS; users are typed User on People (R-ASSET-9, R-ASSET-12)', () => {
    const typeOf = (given: Signal) => received(given).entity.typing?.type;
    expect(typeOf(machine({ type: 'Windows Server 2019 Datacenter' }))).toBe('Windows Server');
    expect(typeOf(machine({ tags: { os: ['CentOS 7'] } }))).toBe('CentOS');
    expect(typeOf(machine({ type: 'firewall', tags: { os: 'Linux 5' } }))).toBe('Firewall');
    expect(typeOf(machine({ type: 'Toaster', tags: { os: 'ToastOS' } }))).toBeUndefined();
    expect(received(machine({ type: 'firewall', tags: { os: 'Linux 5' } })).isTypeGiven).toBe(true);
    expect(received(machine({ tags: { os: 'Linux 5' } })).isTypeGiven).toBe(false);
    const user = received(signal({ entity: { type: 'user', name: 'ana' } })).entity;
    expect(user.typing).toMatchObject({ type: 'User', attackSurface: 'People' });
    expect(user.os).toBeNull();
  });

  it('an asset type is no operating system', () => {
    expect(received(machine({ type: 'Firewall' })).entity.os).toBeNull();
    expect(received(machine({ type: 'CentOS Stream 9' })).entity.os).toBe('CentOS Stream 9');
  });
});

describe('custom fields (R-ASSET-17)', () => {
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    customFields: [
      {
        id: 'owner',
        createdAt: 0,
        name: 'owner',
        type: 'Text',
        multiValued: false,
        options: [],
        recognisedAt: RECEIVED_AT,
      },
      {
        id: 'late',
        createdAt: 0,
        name: 'late',
        type: 'Any',
        multiValued: true,
        options: [],
        recognisedAt: RECEIVED_AT + 1,
      },
      {
        id: 'tier',
        createdAt: 0,
        name: 'tier',
        type: 'Select',
        multiValued: true,
        options: ['gold', 'silver'],
        recognisedAt: 0,
      },
    ],
  };
  const read = (tags: Record<string, string | string[]>, route: 'zip' | 'json' = 'zip') =>
    received(machine({ tags }), { settings, route }).entity;

  it('a tag fills a field that is recognised at arrival, and nothing before', () => {
    expect(read({ owner: 'ana', late: 'x' })).toMatchObject({
      customFields: { owner: ['ana'] },
      tags: { late: ['x'] },
      unrecognisedTags: ['late'],
    });
  });

  it('values that are no option stay a plain tag, and the tag is named', () => {
    expect(read({ tier: ['gold', 'bronze'] })).toMatchObject({
      customFields: { tier: ['gold'] },
      tags: { tier: ['bronze'] },
      unrecognisedTags: ['tier'],
    });
  });

  it('a field with one value takes the first', () => {
    expect(read({ owner: ['ana', 'bob'] })).toMatchObject({
      customFields: { owner: ['ana'] },
      tags: { owner: ['bob'] },
    });
  });

  it('built-in keys are never named', () => {
    const tags = {
      location: 'a',
      os: 'b',
      ipAddress: '10.0.0.1',
      port: '1',
      protocol: 'tcp',
      detectionId: 'd',
    };
    expect(read(tags).unrecognisedTags).toEqual([]);
    expect(read(tags).tags).toEqual({
      detectionId: ['d'],
      ipAddress: ['10.0.0.1'],
      port: ['1'],
      protocol: ['tcp'],
    });
  });

  it('names are compared exactly', () => {
    expect(read({ Owner: 'ana' }).unrecognisedTags).toEqual(['Owner']);
  });

  it('the JSON route fills neither them nor department and location, and loses nothing (R-ASSET-13)', () => {
    expect(read({ owner: 'ana', location: 'Mumbai', os: 'CentOS 7' }, 'json')).toMatchObject({
      customFields: {},
      location: null,
      os: 'CentOS 7',
      tags: { location: ['Mumbai'], owner: ['ana'] },
      unrecognisedTags: [],
    });
  });
});

describe('routes (R-ASSET-13, R-ASSET-14)', () => {
  const rules = { importAssets: false, updateMetadata: true, overrideAccepted: true };

  it('only the ZIP route changes metadata, if config.json permits it', () => {
    const updates = (route: 'json' | 'zip', updateMetadata: boolean) =>
      received(signal(), { route, rules: { ...rules, updateMetadata } }).assetRules.updateMetadata;
    expect([updates('zip', true), updates('zip', false), updates('json', true)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('rules and matching are stamped (R-FOLD-1)', () => {
    const read = received(signal(), { rules, settings: { ...DEFAULT_SETTINGS, assetMatching: 'fqdn' } });
    expect(read.assetRules).toEqual({ matching: 'fqdn', importAssets: false, updateMetadata: true });
    expect(read.overrideAccepted).toBe(true);
  });

  it('a JSON signal with metadata gets the advice to send a ZIP; other signals and ZIPs do not', () => {
    const described = machine({ criticality: 'high' });
    const warningsOf = (given: Signal, route: 'json' | 'zip') => accepted(given, { route }).warnings;
    expect(warningsOf(described, 'json')).toEqual([
      { field: 'entity.entityAttributes', message: expect.stringContaining('send a ZIP') },
    ]);
    expect(warningsOf(signal(), 'json')).toEqual([]);
    expect(warningsOf(described, 'zip')).toEqual([]);
  });

  it.each([{ entityOnly: true }, { type: 'entityOnly' }, { type: ['EntityOnly'] }])(
    '%j only describes the entity, its contexts are ignored',
    (given) => {
      const { payload } = accepted(signal({ ...given, securityContext: context({ status: {} }) }));
      expect(payload.type).toBe('AssetDescribed');
      expect(accepted({ ...plural([]), ...given }).payload.type).toBe('AssetDescribed');
    },
  );

  it('no sender can state that an EDR platform manages the entity (R-EDR-8)', () => {
    const given = { entityOnly: true, isEdrManaged: true } as Partial<Signal>;
    const { payload } = accepted(signal({ ...given, source: { name: 'edr' } }), { route: 'zip' });
    expect(payload).toMatchObject({ type: 'AssetDescribed', isEdrManaged: false });
  });

  it('type may be a list (R-SIG-10)', () => {
    expect(received(signal({ type: ['default'] })).type).toBe('SignalReceived');
  });
});

describe('expiry (R-EXP-1, R-EXP-5)', () => {
  const expiryOf = (expiresAt: Signal['expiresAt'], settings = DEFAULT_SETTINGS) => {
    const read = accepted(signal({ expiresAt, lastSeen: '2020-01-01T00:00:00Z' }), { settings });
    if (read.payload.type !== 'SignalReceived') throw new Error(read.payload.type);
    const { expiresAt: at, ignored, retainUntil } = read.payload;
    return { at, ignored, retainUntil, warned: read.warnings.map(({ field }) => field) };
  };
  const policy = RECEIVED_AT + 90 * DAY_MS;

  it('is the signal’s own, else arrival and the policy; lastSeen never dates it', () => {
    const own = '2026-03-02T00:00:00.000Z';
    expect(expiryOf(own)).toMatchObject({ at: Date.parse(own), ignored: null, warned: [] });
    expect(expiryOf(undefined)).toEqual({ at: policy, ignored: null, retainUntil: policy, warned: [] });
  });

  it.each([
    '2026-03-01',
    '03/01/2030',
    '2030-01-01T00:00:00',
    1_893_456_000,
    'soon',
    '9999-12-31T23:59:59-05:00',
  ])('%s is accepted without it, the policy applies and a warning names it', (text) => {
    expect(expiryOf(text)).toMatchObject({ at: policy, ignored: null, warned: ['expiresAt'] });
  });

  it('in the past: logged, ignored as expired', () => {
    expect(expiryOf('2026-03-01T11:59:59.999Z').ignored).toBe('expired');
    expect(expiryOf('2026-03-01T12:00:00.001Z').ignored).toBeNull();
  });

  it('in the past of a revoked signal: it still revokes (R-FIND-12)', () => {
    const read = received(signal({ revoked: true, expiresAt: '2026-01-01T00:00:00Z' }));
    expect(read).toMatchObject({ revoked: true, ignored: null });
  });

  it('policy and retention are settings, by finding type, the longest of several', () => {
    const settings: Settings = {
      ...DEFAULT_SETTINGS,
      retentionDays: 30,
      retirementDays: { ...DEFAULT_SETTINGS.retirementDays, va: 7, ca: 14 },
    };
    expect(expiryOf(undefined, settings)).toMatchObject({
      at: RECEIVED_AT + 7 * DAY_MS,
      retainUntil: RECEIVED_AT + 30 * DAY_MS,
    });
    const both = plural([context(), context({ type: 'ca' })]);
    expect(received(both, { settings }).expiresAt).toBe(RECEIVED_AT + 14 * DAY_MS);
  });
});

describe('stored fields', () => {
  it('times, source, confidence and revocation (R-SIG-15, R-SIG-20)', () => {
    const read = received(
      signal({
        openSince: '2026-01-01T00:00:00Z',
        lastSeen: '2026-02-01T00:00:00Z',
        source: { name: 'scanner', nextSubmissionIntervalInMins: 1440 },
        confidence: 80,
        revoked: true,
        createdAt: 'whenever',
      }),
    );
    expect(read).toMatchObject({
      firstSeen: Date.parse('2026-01-01'),
      lastSeen: Date.parse('2026-02-01'),
      source: { name: 'scanner', nextSubmissionIntervalInMins: 1440 },
      confidence: 80,
      revoked: true,
      extra: null,
    });
  });

  it('firstSeen takes precedence over openSince; an invalid instant is reported and not used', () => {
    const firstSeen = '2025-01-01T00:00:00Z';
    expect(received(signal({ firstSeen, openSince: '2026-01-01T00:00:00Z' })).firstSeen).toBe(
      Date.parse(firstSeen),
    );
    expect(accepted(signal({ firstSeen: 'x' })).warnings.map(({ field }) => field)).toEqual(['firstSeen']);
  });

  it('a negative interval is a problem', () => {
    expect(refusedFields(signal({ source: { nextSubmissionIntervalInMins: -1 } }))).toEqual([
      'source.nextSubmissionIntervalInMins',
    ]);
  });

  it('unknown properties at any depth, nested as they were, keys sorted (R-SIG-16)', () => {
    const given = {
      ...plural([context(), { ...context(), effect: ['x'] } as never]),
      zone: { b: 1, a: [{ d: 1, c: 2 }] },
      businessContext: 'y',
    };
    given.entity = { ...given.entity, owner: 'ana' } as never;
    expect(received(given).extra).toBe(
      '{"businessContext":"y","entity":{"owner":"ana"},"securityContexts":{"1":{"effect":["x"]}},' +
        '"zone":{"a":[{"c":2,"d":1}],"b":1}}',
    );
  });

  it('connectionAttributes and other credentials are dropped wherever they are, and named (R-SIG-17)', () => {
    const secret = { username: 'root', password: 'hunter2' };
    const given = signal();
    given.entity = {
      ...given.entity,
      connectionAttributes: secret,
      entityManagement: { type: 'ldap', connectionString: 'hunter2', nested: [{ Password: 'hunter2' }] },
    } as never;
    const read = accepted(given);
    expect(JSON.stringify(read.payload)).not.toContain('hunter2');
    expect(read.payload.type === 'SignalReceived' && read.payload.extra).toBe(
      '{"entity":{"entityManagement":{"nested":[{}],"type":"ldap"}}}',
    );
    expect(read.warnings.map(({ field }) => field)).toEqual([
      'entity.connectionAttributes',
      'entity.entityManagement.connectionString',
      'entity.entityManagement.nested[0].Password',
    ]);
  });

  it('names at most 20 problems', () => {
    const bad = Array.from({ length: 1_000 }, () => context({ status: {} }));
    expect(refusedFields(plural(bad))).toHaveLength(20);
  });
});
