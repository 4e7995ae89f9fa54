import { afterEach, describe, expect, it } from '@jest/globals';
import { patchedGroup, patchedUser } from './scim-body.ts';
import { attributesOf, conditionsOf } from './scim-query.ts';
import { GroupSchema, UserSchema } from './scim-schemas.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const FILTERS = new Map([['username', 'userName']]);
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** What every object of the process shares. */
const shared = () =>
  [Object.prototype, Object, Function.prototype, Array.prototype, Array.prototype.push, String.prototype].map(
    (object) => Object.entries(Object.getOwnPropertyDescriptors(object)),
  );
const before = shared();
afterEach(() => expect(shared()).toEqual(before));

const group = () => new GroupSchema({ id: ID, displayName: 'g' } as never, 'out', '/g');

// As a body is parsed.
const bodyOf = (operations: object[]) =>
  JSON.parse(JSON.stringify({ schemas: [PATCH_OP], Operations: operations }));

const patchGroup = (...operations: object[]) => patchedGroup(group(), [ID], bodyOf(operations));

const patchUser = (...operations: object[]) =>
  patchedUser(
    new UserSchema({ id: ID, userName: 'u', active: true } as never, 'out', '/u'),
    bodyOf(operations),
  );

const refusal = (scimType: string) =>
  expect.objectContaining({ status: 400, response: expect.objectContaining({ scimType }) });

const HOSTILE = [
  '__proto__.zz',
  'constructor.entries',
  'Constructor.keys',
  'a.__proto__.zz',
  'members.push.call',
  'members,members.push.call',
  'members,members.length',
  'members[__proto__.zz eq "1"]',
  'not__proto__.zz',
  '"a.__proto__.zz"',
  `"${'\n'.repeat(60)}`,
  'x'.repeat(1_001),
];

describe('texts of clients do not change what all objects share', () => {
  it.each(HOSTILE)('filter %j', (name) => {
    for (const filter of [`${name} eq "1"`, name, `userName eq "a" and ${name} eq "1"`]) {
      expect(() => conditionsOf({ filter }, FILTERS)).toThrow(refusal('invalidFilter'));
    }
  });

  it.each(HOSTILE)('attributes and excludedAttributes %j', (names) => {
    for (const parameter of ['attributes', 'excludedAttributes']) {
      try {
        attributesOf({ [parameter]: names }, GroupSchema);
      } catch (error) {
        expect(error).toEqual(refusal('invalidFilter'));
      }
    }
  });

  it.each(HOSTILE)('path and key %j', async (path) => {
    for (const [at, op] of [path, `members[${path} eq "1"]`, `members[value eq "${path}"]`].flatMap((one) =>
      ['add', 'remove', 'replace'].map((name) => [one, name] as const),
    )) {
      const isMatch = at === `members[value eq "${path}"]`;
      const work = patchGroup({ op, path: at, value: 'x' });
      // A comparison of a value is no path: it finds nothing.
      if (isMatch)
        await work.catch((error) => expect(error).toEqual(expect.objectContaining({ status: 400 })));
      else await expect(work).rejects.toEqual(refusal('invalidPath'));
    }
    await expect(patchGroup({ op: 'add', value: { [path]: 'x' } })).rejects.toEqual(refusal('invalidPath'));
  });

  it.each([
    [{ '__proto__.zz eq "1" or value': ID }],
    [{ 'constructor.keys': ID }],
    [{ value: 'a" or __proto__.zz eq "1' }],
    [{ value: ['a or __proto__.zz eq 1'] }],
    [{ value: '\n'.repeat(60) }],
    [{ value: '\\a'.repeat(60) }],
    [{ value: ID }, 'x"'],
    [{ value: ID }, null],
  ])('removed values %j', async (...values) => {
    for (const value of values.length > 1 ? [values] : [values, values[0]]) {
      await expect(patchGroup({ op: 'Remove', path: 'members', value })).rejects.toEqual(
        refusal('invalidValue'),
      );
      await expect(patchUser({ op: 'Remove', path: 'groups', value })).rejects.toEqual(
        refusal('invalidPath'),
      );
    }
  });
});

describe('operations of clients', () => {
  it.each([
    { op: 'Remove', path: 'members', value: [{ value: ID }] },
    { op: 'remove', path: `members[value eq "${ID}"]` },
    { op: 'remove', path: `members[value eq "${ID}" and type eq "User"]` },
    { op: 'remove', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:members' },
  ])('%j removes the member', async (operation) => {
    expect((await patchGroup(operation)).members).toEqual([]);
  });

  it('take names of objects as values', async () => {
    expect((await patchGroup({ op: 'replace', value: { displayName: '__proto__.zz' } })).displayName).toBe(
      '__proto__.zz',
    );
    expect(conditionsOf({ filter: 'userName eq "constructor"' }, FILTERS)).toEqual({
      userName: 'constructor',
    });
  });
});

describe('returned attributes', () => {
  const user = {
    id: ID,
    userName: 'ana',
    displayName: 'Ana',
    active: true,
    meta: { created: new Date(0), lastModified: new Date(0) },
  };
  const namesWith = (query: Record<string, unknown>) =>
    Object.keys(
      JSON.parse(JSON.stringify(new UserSchema(user as never, 'out', '/u', attributesOf(query, UserSchema)))),
    ).filter((name) => name !== 'schemas');

  it.each([
    [{}, ['id', 'meta', 'userName', 'displayName', 'active']],
    [{ attributes: 'userName, Active' }, ['id', 'userName', 'active']],
    [{ attributes: `${USER}:userName` }, ['id', 'userName']],
    [{ attributes: 'emails,constructor.keys' }, ['id']],
    [{ excludedAttributes: 'id,meta,emails' }, ['id', 'userName', 'displayName', 'active']],
    [{ excludedAttributes: 'emails' }, ['id', 'meta', 'userName', 'displayName', 'active']],
  ])('of %j are %j', (query, names) => {
    expect(namesWith(query)).toEqual(names);
  });

  it.each(['', ',', 'userName;', ['userName']])('are not %j', (attributes) => {
    expect(() => attributesOf({ attributes }, UserSchema)).toThrow(refusal('invalidFilter'));
  });
});
