import { describe, expect, it } from '@jest/globals';
import { context, plural, signal } from '../../../../test/fixtures/domain/signals.ts';
import { readExtra } from './extra.ts';
import { Remarks } from './remarks.ts';

/** The stored part of these additional properties of a signal, and the names of the fields that are not stored. */
function read(more: object) {
  const remarks = new Remarks();
  const extra = readExtra({ ...signal(), ...more }, remarks);
  return { extra, dropped: remarks.warnings.map(({ field }) => field) };
}

describe('unknown properties of a signal', () => {
  it('are empty if all are known, with any content of tags and lists', () => {
    expect(
      read(
        plural([context({ tags: { stage: 'live' }, cves: [{ id: 'CVE-2024-3094' }] })], {
          tags: { app: ['shop'] },
          port: [443],
          entity: {
            type: 'machine',
            name: 'web01',
            entityAttributes: { tags: { os: 'Linux' }, networkInterface: [{ ipv4: ['10.0.0.5'] }] },
          },
        }),
      ),
    ).toEqual({ extra: null, dropped: [] });
  });

  it('are stored at their place, with sorted keys, including null', () => {
    expect(read({ zone: { b: null, a: [null, 1, { d: 2, c: 3 }] }, area: 'x', none: null }).extra).toBe(
      '{"area":"x","zone":{"a":[null,1,{"c":3,"d":2}],"b":null}}',
    );
  });

  it('are kept of items of a list under their index', () => {
    const { extra } = read({
      ...plural([context(), { ...context(), effect: 'x' } as never]),
      cves: ['CVE-1'],
    });
    expect(extra).toBe('{"securityContexts":{"1":{"effect":"x"}}}');
  });

  it('are empty for a value that should be an object and is not', () => {
    expect(read({ entity: null, source: 'scanner', securityContexts: [null, 7] })).toEqual({
      extra: null,
      dropped: [],
    });
  });

  it.each([
    'connectionAttributes',
    'connectionString',
    'password',
    'privilegedPassword',
    'sshKey',
    'SSHPASSPHRASE',
  ])('are not stored if they may contain credentials, and are named: %s', (name) => {
    expect(read({ [name]: 'hunter2' })).toEqual({ extra: null, dropped: [name] });
    expect(read({ entity: { type: 'machine', name: 'web01', [name]: { user: 'root' } } })).toEqual({
      extra: null,
      dropped: [`entity.${name}`],
    });
    expect(read({ zone: [[{ [name]: 'hunter2', a: 1 }]] })).toEqual({
      extra: '{"zone":[[{"a":1}]]}',
      dropped: [`zone[0][0].${name}`],
    });
    expect(read(plural([context(), { ...context(), [name]: 'hunter2' } as never]))).toEqual({
      extra: null,
      dropped: [`securityContexts[1].${name}`],
    });
  });

  it('reach no prototype', () => {
    const given = JSON.parse(
      '{"__proto__":{"a":1},"zone":{"__proto__":{"a":1},"b":[{"__proto__":2,"c":3}]}}',
    );
    expect(read(given).extra).toBe('{"zone":{"b":[{"c":3}]}}');
  });

  it('are named by 100 characters of a longer name', () => {
    const [whole, long] = ['x'.repeat(100), 'y'.repeat(101)];
    expect(read({ [whole]: { password: 'p' }, [long]: { password: 'p' } }).dropped).toEqual([
      `${whole}.password`,
      `${'y'.repeat(100)}….password`,
    ]);
  });
});
