import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { areWithin } from '#libs/tables';
import { type Claims, rightsOf, userOf } from './user-claims.ts';

const MAPPING = {
  nameClaim: 'preferred_username',
  groupsClaim: 'groups',
  externalIdClaim: 'sub',
  grants: { admins: ['admin'], both: ['analyst', 'audit:read'], again: ['analyst'] },
};

const rightsBy = (claims: Claims, mapping: typeof MAPPING) =>
  rightsOf(userOf({ sub: 's', ...claims }, mapping)!.groups, mapping);

describe('userOf (R-AUTH-21)', () => {
  it.each([
    [['admins'], ['admin']],
    ['admins', ['admin']],
    [
      ['both', 'again', 'unknown'],
      ['analyst', 'audit:read'],
    ],
    [[], []],
    [undefined, []],
    [['constructor', '__proto__', 1, null, ['admins']], []],
    [{ 0: 'admins' }, []],
  ])('the groups %j give %j', (groups, grants) => {
    expect(rightsBy({ groups }, MAPPING).grants).toEqual(grants);
  });

  describe('limited to departments and locations', () => {
    const mapping = {
      ...MAPPING,
      departments: { sales: ['Sales'], two: ['Sales', 'Marketing'], admins: ['*'] },
      locations: { berlin: ['Berlin'], admins: ['*'], sales: ['*'] },
    };
    it.each([
      [['admins'], ['admin'], null, null],
      [['again', 'sales'], ['analyst'], ['Sales'], null],
      [['again', 'two', 'sales', 'berlin'], ['analyst'], ['Marketing', 'Sales'], null],
      [['again', 'two', 'berlin'], ['analyst'], ['Marketing', 'Sales'], ['Berlin']],
      // Without a department, a location or a role there is no access at all.
      [['again', 'berlin'], [], [], []],
      [['again', 'two'], [], [], []],
      [['sales', 'berlin'], [], [], []],
    ])('the groups %j give %j, departments %j and locations %j', (groups, grants, departments, locations) => {
      expect(rightsBy({ groups }, mapping)).toEqual({ grants, departments, locations });
    });

    it('the removal of a group never shows more rows', () => {
      const groups = fc.uniqueArray(fc.constantFrom('admins', 'again', 'sales', 'two', 'berlin'));
      fc.assert(
        fc.property(groups, fc.nat(), (all, at) => {
          const fewer = all.filter((_, i) => i !== at % Math.max(1, all.length));
          const [before, after] = [all, fewer].map((some) => rightsBy({ groups: some }, mapping));
          return areWithin(before!, after!);
        }),
      );
    });
  });

  it.each([
    ['realm_access.roles', { realm_access: { roles: ['admins'] } }],
    ['https://example.com/groups', { 'https://example.com/groups': ['admins'] }],
  ])('finds the claim %s', (groupsClaim, claims) => {
    expect(rightsBy(claims, { ...MAPPING, groupsClaim }).grants).toEqual(['admin']);
  });

  it.each([
    ['alice', 'alice'],
    ['  al\u202eice\u0000 ', 'al ice'],
    ['', 'the-subject'],
    [{}, 'the-subject'],
    [undefined, 'the-subject'],
    ['x'.repeat(300), 'x'.repeat(100)],
  ])('names a user %j as %j', (preferred_username, name) => {
    expect(userOf({ sub: 'the-subject', preferred_username }, MAPPING)?.name).toBe(name);
  });

  it('accepts any claims, and gives only grants of the settings', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (claims, groups) => {
        const user = userOf({ ...claims, groups }, MAPPING);
        const known = new Set(Object.values(MAPPING.grants).flat());
        return user === null || rightsOf(user.groups, MAPPING).grants.every((one) => known.has(one));
      }),
    );
  });

  it.each([undefined, '', 1, 'x'.repeat(256), 'a\0b'])('rejects the subject %j', (sub) => {
    expect(userOf({ sub }, MAPPING)).toBeNull();
  });
});
