import { describe, expect, it } from '@jest/globals';
import { RECEIVED_AT } from '../../../../test/fixtures/domain/signals.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { isTypeGiven, readEntity, readEntityType } from './read-entity.ts';
import type { RawEntityAttributes } from './signal.ts';

const settings = {
  ...DEFAULT_SETTINGS,
  customFields: [
    {
      id: 'tier',
      createdAt: 0,
      name: 'tier',
      type: 'Select' as const,
      multiValued: true,
      options: ['gold'],
      recognisedAt: 0,
    },
  ],
};
const read = (
  entityAttributes: RawEntityAttributes,
  { type = 'machine' as const, name = 'web01' }: { type?: 'machine' | 'user'; name?: string } = {},
) => readEntity(type, { type, name, entityAttributes }, { route: 'zip', receivedAt: RECEIVED_AT, settings });

describe('a user', () => {
  it('has neither an operating system nor host names, and always has the type of users', () => {
    const given = { type: 'Windows 11', fqdn: 'web01.acme.com', tags: { os: 'Linux', hostname: 'web01' } };
    const { os, hostname, fqdn, typing, defaults } = read(given, { type: 'user', name: 'ana' });
    expect({ os, hostname, fqdn }).toEqual({ os: null, hostname: null, fqdn: null });
    expect([typing?.type, defaults.typing.type]).toEqual(['User', 'User']);
  });

  it('has these values as plain tags (R-ASSET-12)', () => {
    const given = { fqdn: 'web01.acme.com', department: 'Finance', tags: { OS: 'Linux', hostname: 'web01' } };
    const ana = { type: 'user' as const, name: 'ana' };
    expect(read({ ...given, type: 'Windows 11' }, ana)).toMatchObject({
      department: 'Finance',
      tags: { OS: ['Linux'], fqdn: ['web01.acme.com'], hostname: ['web01'], type: ['Windows 11'] },
    });
    expect(read({ type: 'user', tags: { type: 'admin' } }, ana).tags).toEqual({ type: ['admin'] });
    expect(read({ type: 'VIP', tags: { type: 'admin' } }, ana).tags).toEqual({ type: ['VIP', 'admin'] });
  });
});

describe('a machine', () => {
  it.each([
    [{ fqdn: 'web01.acme.com' }, { fqdn: 'web01.acme.com', department: null, location: null }],
    [{ department: 'Finance' }, { fqdn: null, department: 'Finance', location: null }],
    [{ location: ['Mumbai'] }, { fqdn: null, department: null, location: 'Mumbai' }],
    [
      { fqdn: 'web01.acme.com', department: 'Finance', location: 'Mumbai' },
      { fqdn: 'web01.acme.com', department: 'Finance', location: 'Mumbai' },
    ],
  ])('with the fields %j is described by them', (given, expected) => {
    expect(read({ ...given, tags: {} })).toMatchObject({ ...expected, tags: {}, unrecognisedTags: [] });
  });

  it('takes a field before the tag of its name, which stays a tag', () => {
    expect(read({ location: 'Mumbai', tags: { location: ['Pune', 'Mumbai'] } })).toMatchObject({
      location: 'Mumbai',
      tags: { location: ['Pune'] },
    });
  });

  it('takes a field before every tag of its attribute, in any spelling (R-SIG-12)', () => {
    const fields = { department: ['Finance', 'Audit'], fqdn: 'web01.acme.com', location: 'Mumbai' };
    const tags = { Department: 'Sales', Dept: 'IT', FQDN: 'db01.acme.com', Location: 'Pune' };
    expect(read({ ...fields, tags })).toMatchObject({
      department: 'Finance',
      fqdn: 'web01.acme.com',
      location: 'Mumbai',
      tags: {
        Department: ['Sales'],
        Dept: ['IT'],
        FQDN: ['db01.acme.com'],
        Location: ['Pune'],
        department: ['Audit'],
      },
    });
    expect(read({ department: ' ', tags })).toMatchObject({ department: 'Sales' });
  });

  it('takes the first attribute that says something, by the names of tags', () => {
    expect(read({ tags: { dept: [' ', ' IT '], departmentName: 'Sales', location: ' ' } })).toMatchObject({
      department: 'Sales',
      location: null,
      tags: { dept: [' ', ' IT '] },
    });
  });

  it('has no custom field if none of its values is an option', () => {
    expect(read({ tags: { tier: 'bronze' } })).toMatchObject({
      tags: { tier: ['bronze'] },
      unrecognisedTags: ['tier'],
    });
    expect(read({ tags: { tier: 'bronze' } }).customFields).toEqual({});
    expect(read({ tags: { tier: 'gold' } })).toMatchObject({
      customFields: { tier: ['gold'] },
      unrecognisedTags: [],
    });
  });

  it('has its addresses once each, trimmed, and none that is blank', () => {
    const given = {
      networkInterface: [
        { ipv4: [' 10.0.0.5 ', '10.0.0.5'], ipv6: '', macAddress: [' 0050.56aa.bbcc ', '00:50:56:AA:BB:CC'] },
        { ipv4: '10.0.0.999', macAddress: ['00:50:56', ' '] },
      ],
    };
    expect(read(given)).toMatchObject({
      ipAddresses: ['10.0.0.5', '10.0.0.999'],
      macAddresses: ['00:50:56:aa:bb:cc', '00:50:56'],
    });
  });

  it('is typed by its own type, then by its system, and has no type if the mapping knows neither', () => {
    expect(read({ type: 'CentOS 7', tags: { os: 'Windows 11' } })).toMatchObject({
      os: 'Windows 11',
      typing: { type: 'CentOS' },
    });
    expect(read({ type: 'Toaster', tags: { os: 'CentOS 7' } })).toMatchObject({ typing: { type: 'CentOS' } });
    expect(read({ type: 'Toaster' })).toMatchObject({ os: 'Toaster', typing: null });
    expect(read({})).toMatchObject({ os: null, typing: null });
  });
});

describe('the asset type of a machine', () => {
  it.each([
    [{ type: 'CentOS', tags: { os: 'Windows 11' } }, true],
    [{ type: 'CentOS 7', tags: { os: 'Windows 11' } }, true],
    [{ type: 'CentOS' }, true],
    [{ type: 'CentOS 7' }, false],
    [{ tags: { os: 'CentOS 7' } }, false],
    [{ type: 'Toaster', tags: { os: 'CentOS 7' } }, false],
    [{ type: 'Toaster' }, false],
  ])('of %j is given by its source: %s', (given, expected) => {
    expect(isTypeGiven(read(given), settings)).toBe(expected);
  });
});

describe('the type of an entity', () => {
  it.each([
    [' Machine ', 'machine'],
    ['USER', 'user'],
    ['identity', 'user'],
    ['constructor', null],
    ['', null],
  ])('%j is %s', (text, type) => {
    expect(readEntityType(text)).toBe(type);
  });
});
