import { describe, expect, it } from '@jest/globals';
import {
  arrival,
  context,
  plural,
  received,
  refusedFields,
  signal,
} from '../../../../test/fixtures/domain/signals.ts';

const keysOf = (given: Parameters<typeof received>[0]) =>
  received(given).observations.map(({ mode, instances }) => [mode, ...instances.map(({ key }) => key)]);

describe('identity of findings (R-FIND-1)', () => {
  it('contexts of different type are different findings', () => {
    const { observations } = received(plural([context({ type: 'va' }), context({ type: 'CA' }), context()]));
    expect(observations.map(({ type, instances }) => [type, instances.length])).toEqual([
      ['va', 2],
      ['ca', 1],
    ]);
  });

  it('white space of the name is collapsed, its case kept', () => {
    expect(received(signal({ name: '  Outdated \n TLS ' })).name).toBe('Outdated TLS');
  });
});

describe('instances (R-FIND-3, R-FIND-4, R-FIND-5)', () => {
  it('a singular signal without a port speaks for the whole finding', () => {
    expect(keysOf(signal())).toEqual([['whole', '']]);
  });

  it.each([
    ['a signal-level tag', signal({ tags: { port: ['443', '80'] } }), ['merge', '443', '80']],
    [
      'a context tag of another case',
      signal({ securityContext: context({ tags: { Port: 443 } }) }),
      ['merge', '443'],
    ],
    [
      'tags of several spellings',
      signal({ tags: { Port: 443, port: 80 }, securityContext: context({ tags: { PORT: 22 } }) }),
      ['merge', '22', '443', '80'],
    ],
    [
      'a field, which wins over tags of its name in any spelling,',
      signal({
        tags: { Port: ['80'] },
        securityContext: context({ port: 443, tags: { port: 22 } }),
        port: 53,
      }),
      ['merge', '53', '443'],
    ],
    [
      'a tag beside a blank field',
      signal({ securityContext: context({ port: ' ', tags: { Port: 443 } }) }),
      ['merge', '443'],
    ],
    ['a field', signal({ securityContext: context({ port: 443, protocol: 'TCP' }) }), ['merge', '443/tcp']],
    ['a signal-level field', signal({ port: [53], protocol: ['tcp', 'udp'] }), ['merge', '53/tcp', '53/udp']],
    ['pairs', signal({ port: [443, 53], protocol: ['tcp', 'udp'] }), ['merge', '443/tcp', '53/udp']],
    ['repeats', signal({ port: [443, '443'], tags: { port: '443' } }), ['merge', '443']],
  ])('a singular one with %s as the port sets those instances', (_, given, expected) => {
    expect(keysOf(given)).toEqual([expected]);
  });

  it('each of them has only its own port and protocol as tags', () => {
    const given = signal({ tags: { port: ['443', '80'], protocol: 'tcp', app: 'nginx' } });
    expect(received(given).observations[0]!.instances.map(({ tags }) => tags)).toEqual([
      { app: ['nginx'], port: ['443'], protocol: ['tcp'] },
      { app: ['nginx'], port: ['80'], protocol: ['tcp'] },
    ]);
  });

  it('also with tags of several spellings, and beside a field without the tags of its name', () => {
    const tagsOf = (given: Parameters<typeof signal>[0]) =>
      received(signal(given)).observations[0]!.instances.map(({ tags }) => tags);
    expect(tagsOf({ tags: { Port: '443', port: '80' } })).toEqual([{ Port: ['443'] }, { Port: ['80'] }]);
    expect(tagsOf({ tags: { Port: ['80'], app: 'nginx' }, port: 443 })).toEqual([
      { app: ['nginx'], port: ['443'] },
    ]);
  });

  it('fields of format 2.x are ordinary tags, and only the given ones', () => {
    const tagsOf = (given: Parameters<typeof signal>[0]) =>
      received(signal(given)).observations[0]!.instances.map(({ tags }) => tags);
    expect(tagsOf({ port: 443 })).toEqual([{ port: ['443'] }]);
    expect(tagsOf({ securityContext: context({ port: 443, protocol: 'TCP' }) })).toEqual([
      { port: ['443'], protocol: ['TCP'] },
    ]);
    expect(tagsOf({ detectionId: 'd1' })).toEqual([{ detectionId: ['d1'] }]);
    expect(tagsOf({})).toEqual([{}]);
  });

  it('a blank port is ignored', () => {
    expect(keysOf(signal({ tags: { port: [' '] } }))).toEqual([['whole', '']]);
  });

  it('securityContexts is the whole set, keyed by detection id, field or tag, before port', () => {
    const given = plural([
      context({ detectionId: 'd-1', port: 443 }),
      context({ tags: { detectionId: ['d-2'] } }),
      context({ tags: { port: ['22'], protocol: ['TCP'] } }),
      context({ port: 25 }),
      context({ detectionId: 'd-3', tags: { DetectionID: 'policy' } }),
      context({ tags: { DetectionID: 'd-4', detectionid: 'd-5' } }),
    ]);
    expect(keysOf(given)).toEqual([['whole', 'd-1', 'd-2', '22/tcp', '25', 'd-3', 'd-4', 'd-5']]);
  });

  it('without either by a hash of the observation, the same in every upload, repeats numbered', () => {
    const seen = (text: string, status = 'fail') =>
      context({ evidence: { observationText: text }, status: { complianceStatus: status } });
    const [[, first, second, third]] = keysOf(plural([seen('a'), seen('b'), seen('a')])) as [string[]];
    const [[, again]] = keysOf(plural([seen('a', 'pass')])) as [string[]];
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
    expect(third).toBe(`${first}#2`);
    expect(again).toBe(first);
  });

  it('a repeated key hides no instance', () => {
    const given = plural([context({ port: 443 }), context({ port: 443 }), context({ port: '443#2' })]);
    expect(keysOf(given)).toEqual([['whole', '443', '443#3', '443#2']]);
  });

  it('signal-level tags are in every instance', () => {
    const given = plural([context({ tags: { app: 'a' } }), context({ tags: { app: 'b' } })], {
      tags: { stage: 'production', app: ['common'] },
    });
    expect(received(given).observations[0]!.instances.map(({ tags }) => tags)).toEqual([
      { app: ['common', 'a'], stage: ['production'] },
      { app: ['common', 'b'], stage: ['production'] },
    ]);
  });

  it('what would repeat without bound is a problem', () => {
    const long = 'x'.repeat(20_000);
    const many = plural(
      Array.from({ length: 100 }, () => context()),
      { tags: { note: long } },
    );
    expect(refusedFields(many)).toEqual(['securityContexts[49]']);
    const ports = Array.from({ length: 200 }, (_, i) => i);
    const wide = signal({ port: ports, securityContext: context({ evidence: { observationText: long } }) });
    expect(refusedFields(wide)).toEqual(['port']);
    const cross = { port: ports, protocol: ports.map(String).slice(1) };
    expect(refusedFields(plural([context(cross)]))).toEqual(['securityContexts[0]']);
  });

  it('CVEs of the signal count in every context, and all ports with their protocols (R-SIG-22)', () => {
    const cves = Array.from({ length: 1_000 }, (_, i) => ({ id: `${i}`.padEnd(200, 'x') }));
    const contexts = Array.from({ length: 10_000 }, () => context());
    expect(refusedFields(plural(contexts, { cves }))).toEqual(['securityContexts[4]']);
    const long = Array.from({ length: 14 }, (_, i) => `${i}`.padEnd(65_536, 'x'));
    const tags = { port: ['1', ...long], protocol: Array.from({ length: 200 }, (_, i) => `${i}`) };
    expect(refusedFields(signal({ tags }))).toEqual(['port']);
    expect(refusedFields(plural([context({ tags })]))).toEqual(['securityContexts[0]']);
  });
});

describe('the common values of an observation', () => {
  const said = {
    description: { technical: 'TLS 1.0 is on', businessImpact: 'traffic can be read' },
    controlType: 'preventive',
    remediation: { description: 'turn it off', reference: ' ', impact: 'none' },
  };
  const read = {
    technical: 'TLS 1.0 is on',
    businessImpact: 'traffic can be read',
    controlType: 'preventive',
    remediation: { description: 'turn it off', reference: null, impact: 'none' },
  };

  it('is kept, and null if it is blank or absent', () => {
    expect(received(signal({ securityContext: context(said) })).observations).toMatchObject([read]);
    const nothing = {
      technical: null,
      businessImpact: null,
      controlType: null,
      remediation: null,
      subtype: null,
    };
    const blank = context({ description: { technical: ' ' }, controlType: '', subType: ' ' });
    expect(received(signal({ securityContext: blank })).observations).toMatchObject([nothing]);
  });

  it('is that of the first context that says it', () => {
    const other = {
      ...said,
      controlType: 'detective',
      subType: 'tls',
      remediation: { description: 'other' },
    };
    const given = plural([context(), context(said), context(other)]);
    expect(received(given).observations).toMatchObject([{ ...read, subtype: 'tls' }]);
  });

  it('is said for each instance if it is about that: evidence, workflow status and the parts of a severity', () => {
    const cvss = { version: 3.1, vector: 'AV:N', baseScore: 9.8, temporalScore: 11, environmentalScore: -1 };
    const given = context({
      evidence: { observationText: 'port 443' },
      status: { complianceStatus: 'fail', workflowStatus: 'open' },
      severity: { type: 'cvss', level: 'High', value: 0, cvss },
    });
    const [instance] = received(signal({ securityContext: given })).observations[0]!.instances;
    expect(instance).toMatchObject({
      evidence: 'port 443',
      workflowStatus: 'open',
      counted: true,
      severity: {
        value: 0,
        level: 'high',
        type: 'cvss',
        version: '3.1',
        vector: 'AV:N',
        baseScore: 9.8,
        temporalScore: null,
        environmentalScore: null,
      },
    });
  });

  it('is of any length, if one instance has it', () => {
    const evidence = { observationText: 'x'.repeat(1_000_001) };
    expect(keysOf(signal({ port: 443, securityContext: context({ evidence }) }))).toEqual([['merge', '443']]);
  });
});

describe('status (R-SIG-6)', () => {
  it.each([
    ['pass', 'pass'],
    ['FAIL', 'fail'],
    ['unknown', 'unknown'],
    ['Qualified', 'pass'],
    ['Failed', 'fail'],
    ['NotAssessed', 'unknown'],
  ])('%s is read as %s on either documented path', (word, status) => {
    const first = context({ status: { complianceStatus: word } });
    const second = context({ status: undefined, complianceStatus: { status: word } });
    for (const given of [first, second]) {
      expect(received(signal({ securityContext: given })).observations[0]!.instances[0]!.status).toBe(status);
    }
  });

  it('both may say the same, and must not disagree', () => {
    const both = (status: string) => signal({ securityContext: context({ complianceStatus: { status } }) });
    expect(received(both('Failed')).observations[0]!.instances[0]!.status).toBe('fail');
    expect(refusedFields(both('Qualified'))).toEqual(['securityContext.complianceStatus.status']);
  });

  it('none is a problem, with the path of the instance', () => {
    expect(refusedFields(plural([context(), context({ status: { workflowStatus: 'new' } })]))).toEqual([
      'securityContexts[1].status.complianceStatus',
    ]);
  });
});

describe('what real senders do (ADR-0020)', () => {
  const instanceOf = (given: Parameters<typeof context>[0]) =>
    received(signal({ securityContext: context(given) })).observations[0]!.instances[0]!;

  it.each([
    ['critical', 9.5],
    ['High', 8],
    ['medium', 5.5],
    ['low', 2.5],
    ['info', 0],
  ])('a level %s without a value means %d', (level, value) => {
    expect(instanceOf({ severity: { level } }).severity).toMatchObject({ value, level: level.toLowerCase() });
  });

  it('a value takes precedence over its level; without both there is a problem', () => {
    expect(instanceOf({ severity: { level: 'low', value: 9 } }).severity.value).toBe(9);
    for (const severity of [undefined, { type: 'cvss' }]) {
      expect(refusedFields(signal({ securityContext: context({ severity }) }))).toEqual([
        'securityContext.severity.value',
      ]);
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -0.1, 10.1])('a severity of %d is a problem', (value) => {
    const given = signal({ securityContext: context({ severity: { value, level: 'high' } }) });
    expect(refusedFields(given)).toEqual(['securityContext.severity.value']);
  });

  it('several CVEs in one value are taken apart, in capitals, without repeats; ill-formed ones stay as standards', () => {
    const read = instanceOf({
      standardsMapping: [
        { name: 'CVE', value: 'cve-2024-3094, CVE-2021-44228;CVE-2024-3094' },
        { name: 'cve', value: 'CVE-21-1' },
        { name: 'cve', value: ['CVE-2014-0160', 'CVE-2020-123'] },
        { name: 'cisBenchMark', value: '9.1.1' },
      ],
      cves: [{ id: 'CVE-2017-0144' }, {}],
    });
    expect(read.cves).toEqual(['CVE-2024-3094', 'CVE-2021-44228', 'CVE-2014-0160', 'CVE-2017-0144']);
    expect(read.standards).toEqual([
      { name: 'cve', value: 'CVE-21-1' },
      { name: 'cve', value: 'CVE-2020-123' },
      { name: 'cisBenchMark', value: '9.1.1' },
    ]);
  });

  it('the text of a value besides its ids stays as a standard, in single spaces; blank text is not stored', () => {
    const read = instanceOf({
      standardsMapping: [
        { name: 'cve', value: ' see CVE-2024-3094;; | and  notes ' },
        { name: 'cis', value: ' 9.1.1 ' },
        { name: 'cis', value: ' - ' },
        { name: 'nist' },
        { name: 'score', value: 7 },
        { name: 'cve', value: 'aCVE-2024-1111 CVE-2024-2222-x' },
      ],
      attackPattern: [
        { mapping: { techniqueId: '  ' } },
        { mapping: { techniqueId: ' cst1 ' } },
        { mapping: { techniqueName: 'Phishing' }, name: 'x' },
        {},
      ],
      cves: ['cve-2017-0144', 'unknown'],
    });
    expect(read).toMatchObject({ cves: ['CVE-2024-3094', 'CVE-2017-0144'], techniques: ['CST1'] });
    expect(read.standards).toEqual([
      { name: 'cve', value: 'see and notes' },
      { name: 'cis', value: '9.1.1' },
      { name: 'score', value: '7' },
      { name: 'cve', value: 'aCVE-2024-1111 CVE-2024-2222-x' },
      { name: 'cve', value: 'unknown' },
      { name: 'attackPattern', value: 'Phishing' },
    ]);
  });

  it('format 2.x also has cves outside the contexts', () => {
    const cves = [{ id: 'CVE-2017-0144' }];
    for (const given of [signal({ cves }), plural([context()], { cves })]) {
      expect(received(given).observations[0]!.instances[0]!.cves).toEqual(['CVE-2017-0144']);
    }
  });

  it('techniques come from attackPattern and from standardsMapping as ttp, mitre or attack', () => {
    const read = instanceOf({
      attackPattern: [
        { name: 'x', mapping: { techniqueId: 't1059.001' } },
        { name: 'Vendor', sourceName: 'vendor', mapping: { techniqueId: 'cst0007' } },
        { name: 'Unmapped', sourceName: 'capec' },
      ],
      standardsMapping: [
        { name: 'TTP', value: 'T1486, t1059.001' },
        { name: 'Mitre', value: 'Phishing (T1566)' },
        { name: 'ATT&CK', value: 'T1003' },
        { name: 'attack', value: 'TA0002' },
      ],
    });
    expect(read.techniques).toEqual(['T1486', 'T1059.001', 'T1566', 'T1003', 'CST0007']);
    expect(read.standards).toContainEqual({ name: 'capec', value: 'Unmapped' });
    expect(read.standards).toContainEqual({ name: 'attack', value: 'TA0002' });
  });

  it.each(['outsideIn', 'log', 'backup', 'network', 'dlp', 'email', 'EMAIL'])(
    'type %s becomes others and keeps its name as subtype',
    (type) => {
      const { observations } = received(signal({ securityContext: context({ type }) }));
      expect(observations[0]).toMatchObject({ type: 'others' });
      expect(observations[0]!.subtype!.toLowerCase()).toBe(type.toLowerCase());
    },
  );

  it('a sender’s own subtype is kept', () => {
    const subtypeOf = (type: string) =>
      received(signal({ securityContext: context({ type, subType: 'x' }) })).observations[0]!.subtype;
    expect([subtypeOf('uba'), subtypeOf('dlp')]).toEqual(['x', 'dlp/x']);
  });

  it('both kinds of security context, or neither, is a problem; an empty list is none', () => {
    expect(refusedFields({ ...plural([context()]), securityContext: context() })).toEqual([
      'securityContexts',
    ]);
    expect(refusedFields(plural([]))).toEqual(['securityContext']);
    expect(keysOf({ ...plural([]), securityContext: context() })).toEqual([['whole', '']]);
  });

  it('a tag value may be text, number, boolean or a list; keys are sorted', () => {
    const given = signal({ tags: { z: 1, a: true, m: ['x', 2, 'x'], constructor: 'c' } });
    const { tags } = received(given).observations[0]!.instances[0]!;
    expect(Object.entries(tags)).toEqual([
      ['a', ['true']],
      ['constructor', ['c']],
      ['m', ['x', '2']],
      ['z', ['1']],
    ]);
  });

  it('a tag named __proto__ reaches no prototype', () => {
    const tags = JSON.parse('{"__proto__": ["x"], "a": "b"}');
    const read = received(
      signal({ tags, entity: { type: 'machine', name: 'h', entityAttributes: { tags } } }),
    );
    const unkeyed = received(plural([context({ tags })])).observations[0]!.instances[0]!.tags;
    for (const map of [read.observations[0]!.instances[0]!.tags, unkeyed, read.entity.tags]) {
      expect(Object.entries(map)).toEqual([['a', ['b']]]);
      expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
    }
  });
});

describe('platform version (R-SIG-18)', () => {
  const bare = signal();
  const mapped = [
    signal({ securityContext: context({ standardsMapping: [{ name: 'cve', value: 'CVE-2024-3094' }] }) }),
    signal({ securityContext: context({ standardsMapping: [{ name: 'ttp', value: 'T1059' }] }) }),
    signal({ securityContext: context({ type: 'ca' }) }),
  ];

  it('below 4.1 a va signal without CVE and TTP is a problem', () => {
    const settings = { ...arrival().settings, platformVersion: '4.0' };
    expect(refusedFields(bare, { settings })).toEqual(['securityContext.standardsMapping']);
    for (const given of mapped) expect(received(given, { settings }).ignored).toBeNull();
    const attackPattern = [{ mapping: { techniqueId: 'CST0004' } }];
    const vendors = signal({ securityContext: context({ attackPattern }) });
    expect(refusedFields(vendors, { settings })).toEqual(['securityContext.standardsMapping']);
  });

  it('from 4.1 on both are optional', () => {
    expect(received(bare).observations[0]!.instances[0]!.cves).toEqual([]);
  });
});
