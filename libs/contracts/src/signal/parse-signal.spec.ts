import { describe, expect, it } from '@jest/globals';
import { parseSignal } from './parse-signal.ts';
import { signalSchema } from './signal-schema.ts';

const SIGNAL = {
  id: '0a4f1f6e-7c3b-4a55-9d7e-1c2b3a4d5e6f',
  name: 'Outdated TLS',
  entity: { type: 'machine', name: 'web01' },
  securityContext: { type: 'va', status: { complianceStatus: 'fail' }, severity: { value: 7 } },
};

const parsed = (value: unknown) => parseSignal(Buffer.from(JSON.stringify(value)));
const problemsOf = (value: unknown) => {
  const read = parsed(value);
  return read.ok ? [] : read.problems.map(({ field, message }) => `${field}: ${message}`);
};
const withContext = (given: object) => ({
  ...SIGNAL,
  securityContext: { ...SIGNAL.securityContext, ...given },
});
const withAttributes = (entityAttributes: object) => ({
  ...SIGNAL,
  entity: { ...SIGNAL.entity, entityAttributes },
});

describe('parseSignal', () => {
  it('answers the cleansed signal (R-SIG-2, R-SIG-3)', () => {
    const read = parsed({ ...SIGNAL, description: null, source: {}, unknown: { a: 1 } });
    expect(read).toEqual({ ok: true, signal: { ...SIGNAL, unknown: { a: 1 } } });
  });

  it('takes its own published examples', () => {
    for (const example of signalSchema.examples) expect(problemsOf(example)).toEqual([]);
  });

  it.each([[[SIGNAL]], [7], ['x'], [null], [true]])('%j at the top is rejected (R-SIG-1)', (value) => {
    expect(problemsOf(value)).toEqual([expect.stringContaining('must be one signal, an object {…}')]);
  });

  it('a JSON error is one problem of the whole', () => {
    const read = parseSignal(Buffer.from('{"id": 1 "name": 2}'));
    expect(read).toEqual({
      ok: false,
      problems: [{ field: '', message: 'line 1, column 10: expected a comma' }],
    });
  });

  it.each([
    [
      'mandatory fields',
      { securityContext: {} },
      [
        'id: is missing: it must be a GUID of 8-4-4-4-12 hexadecimal digits',
        'name: is missing: it must be text of 1 to 1,000 characters',
        'entity: is missing: it must be an object',
      ],
    ],
    [
      'severity',
      withContext({ severity: { value: '7' } }),
      ['securityContext.severity.value: must be a number, 0 to 10'],
    ],
    [
      'severity above 10',
      withContext({ severity: { value: 11 } }),
      ['securityContext.severity.value: must be a number, 0 to 10'],
    ],
    [
      'entity types that are not taken (R-ENT-1)',
      { ...SIGNAL, entity: { type: 'file', name: 'x' } },
      ['entity.type: must be one of machine, user, identity (case-insensitive)'],
    ],
    [
      'the path of an instance',
      { ...SIGNAL, securityContext: null, securityContexts: [SIGNAL.securityContext, { type: 'ips' }] },
      [
        'securityContexts[1].type: must be one of finding, ca, va, edr, uba, waf, others, outsideIn, log, backup, network, dlp, email (case-insensitive)',
      ],
    ],
    ['a blank id', { ...SIGNAL, id: '' }, ['id: must be a GUID of 8-4-4-4-12 hexadecimal digits']],
    [
      'lists',
      withAttributes({ ipAddresses: '10.0.0.1' }),
      ['entity.entityAttributes.ipAddresses: must be a list of at most 1,000 items'],
    ],
    ['flags', { ...SIGNAL, revoked: 'yes' }, ['revoked: must be true or false']],
    [
      'tags',
      { ...SIGNAL, tags: { a: { b: 1 } } },
      [
        'tags.a: must be text of at most 65,536 characters, or a number, or true or false, or a list of at most 1,000 items, ' +
          'each text of at most 65,536 characters, or a number, or true or false',
      ],
    ],
    [
      'intervals',
      { ...SIGNAL, source: { nextSubmissionIntervalInMins: -1 } },
      ['source.nextSubmissionIntervalInMins: must be a number, 0 to 52,560,000'],
    ],
    [
      'ports',
      withContext({ port: -1 }),
      [expect.stringMatching(/^securityContext\.port: must be .*an integer, 0 or more/)],
    ],
    ['bounds', { ...SIGNAL, name: 'x'.repeat(1_001) }, ['name: must be text of 1 to 1,000 characters']],
    [
      'too many tags',
      { ...SIGNAL, tags: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [i, 1])) },
      ['tags: must be an object of at most 200 properties'],
    ],
    [
      'long tag names',
      { ...SIGNAL, tags: { ['x'.repeat(201)]: 1 } },
      ['tags: must have names of at most 200 characters'],
    ],
  ])('names path and what was expected: %s', (_, value, expected) => {
    expect(problemsOf(value)).toEqual(expected);
  });

  it('an infinite number is not a number', () => {
    const text = JSON.stringify(withContext({ severity: { value: 7.125 } })).replace('7.125', '1e999');
    const read = parseSignal(Buffer.from(text));
    expect(read).toMatchObject({ ok: false, problems: [{ field: 'securityContext.severity.value' }] });
  });

  it('too many instances, or an error far down a long list, is found', () => {
    const contexts = (count: number) => Array.from({ length: count }, () => SIGNAL.securityContext as object);
    const { securityContext: _, ...rest } = SIGNAL;
    expect(problemsOf({ ...rest, securityContexts: contexts(10_001) })).toEqual([
      'securityContexts: must be a list of at most 10,000 items',
    ]);
    const far = [...contexts(500), { type: 'va', revokedX: 1, port: {}, severity: { value: 11 } }];
    expect(problemsOf({ ...rest, securityContexts: far })).toEqual([
      'securityContexts[500].severity.value: must be a number, 0 to 10',
    ]);
  });

  it('never echoes a value', () => {
    const bad = withContext({
      type: 'hunter2',
      severity: 'hunter2',
      status: { complianceStatus: 'hunter2' },
    });
    expect(problemsOf(bad)).toHaveLength(3);
    expect(problemsOf(bad).join()).not.toContain('hunter2');
  });

  it.each([
    [
      'enum values in any case',
      withContext({ type: 'VA', status: { complianceStatus: 'FAIL' }, severity: { level: 'High' } }),
    ],
    ['type as a list', { ...SIGNAL, type: ['default'] }],
    [
      'format 2.x fields',
      withContext({ cves: [{ id: 'CVE-2024-3094' }], detectionId: 'd', port: 443, protocol: 'tcp' }),
    ],
    [
      'format 2.x attributes',
      withAttributes({
        fqdn: 'a.b',
        department: ['x'],
        location: ['y'],
        networkInterface: [{ ipv4: '10.0.0.1', ipv6: '::1' }],
      }),
    ],
    [
      'an instant in another format (R-SIG-14)',
      { ...SIGNAL, expiresAt: '01/31/2030', lastSeen: 1_700_000_000 },
    ],
    ['a severity by level alone', withContext({ severity: { level: 'info' } })],
  ])('takes %s (R-SIG-10)', (_, value) => {
    expect(problemsOf(value)).toEqual([]);
  });

  it('U+0000 and lone surrogates arrive as U+FFFD (R-SIG-3)', () => {
    const text = JSON.stringify({ ...SIGNAL, name: 'NAME' }).replace('NAME', String.raw`a\u0000b\ud800`);
    const read = parseSignal(Buffer.from(text));
    expect(read.ok && read.signal.name).toBe('a\ufffdb\ufffd');
    for (const name of ['\ufdd0v1.x.y\ufdd1', '\\ufdd0v1.x.y\\ufdd1']) {
      const text = JSON.stringify({ ...SIGNAL, name: 'NAME' }).replace('NAME', name);
      const forged = parseSignal(Buffer.from(text));
      expect(forged.ok && forged.signal.name).toBe('\ufffdv1.x.y\ufffd');
    }
  });

  it('every part of the published schema is described', () => {
    const undescribed: string[] = [];
    const walk = (schema: Record<string, unknown>, path: string) => {
      if (!schema.description && !schema.$ref) undescribed.push(path);
      for (const [name, child] of Object.entries((schema.properties as object) ?? {}))
        walk(child, `${path}.${name}`);
    };
    walk(signalSchema, 'signal');
    for (const [name, child] of Object.entries(signalSchema.$defs as object)) walk(child, name);
    expect(undescribed).toEqual([]);
  });
});
