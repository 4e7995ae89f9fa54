import { describe, expect, it } from '@jest/globals';
import { patchedGroup } from './scim-body.ts';
import { changeMembers, type MembersOperation } from './scim-members.ts';
import { GroupSchema } from './scim-schemas.ts';

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [A, B, C] = [0xa, 0xb, 0xc].map(idOf) as [string, string, string];

const changedBy = (...operations: MembersOperation[]): string[] => {
  const members = new Set([A, B]);
  for (const operation of operations) changeMembers(members, operation);
  return [...members];
};

describe('members of a group', () => {
  it('are changed in time also by the most operations on the most members', async () => {
    const members = Array.from({ length: 10_000 }, (_, n) => idOf(n));
    const Operations = members
      .slice(0, 1_000)
      .map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` }));
    const group = new GroupSchema({ id: A, displayName: 'g' } as never, 'out', '/g');
    expect((await patchedGroup(group, members, { Operations })).members).toEqual(members.slice(1_000));
  });

  it.each<[MembersOperation, string[]]>([
    [{ op: 'Add', path: 'members', value: [{ value: C }] }, [A, B, C]],
    [{ op: 'add', path: 'members', value: { value: A.toUpperCase(), display: 'Ana' } }, [A, B]],
    [{ op: 'replace', path: 'members', value: [{ value: C, $ref: null }] }, [C]],
    [{ op: 'Replace', path: 'Members', value: [] }, []],
    [{ op: 'remove', path: 'members' }, []],
    [{ op: 'remove', path: 'members', value: [] }, [A, B]],
    [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: A }] }, [B]],
    [{ op: 'remove', path: 'members', value: [A, { value: C }] }, [B]],
    [{ op: 'remove', path: `members[value eq "${A.toUpperCase()}"]` }, [B]],
    [{ op: 'remove', path: `members[type eq "user" and value eq "${A}"]` }, [B]],
    [{ op: 'remove', path: `members[value eq "${C}"]` }, [A, B]],
  ])('after %j are %j', (operation, members) => {
    expect(changedBy(operation)).toEqual(members);
  });

  it.each<[MembersOperation, string]>([
    [{ op: 'add', path: 'members' }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ display: 'Ana' }] }, 'invalidValue'],
    [{ op: 'replace', path: 'members', value: null }, 'invalidValue'],
    [{ op: 'remove', path: 'members', value: null }, 'invalidValue'],
    [{ op: 'remove', path: 'members', value: [{ value: 'a' }] }, 'invalidValue'],
    [{ op: 'remove', path: 'members[value eq "a"]' }, 'invalidValue'],
    [{ op: 'remove', path: 'members[display eq "Ana"]' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[type eq "User"]' }, 'invalidPath'],
    [{ op: 'remove', path: `members[value eq "${A}" and type eq "Group"]` }, 'invalidPath'],
    [{ op: 'remove', path: `members[value eq "${A}" and value eq "${B}"]` }, 'invalidPath'],
    [{ op: 'remove', path: 'members.value' }, 'invalidPath'],
    [{ op: 'replace', path: `members[value eq "${A}"]`, value: { value: C } }, 'invalidPath'],
    [{ op: 'move', path: 'members', value: [] }, 'invalidSyntax'],
  ])('are not changed by %j: %s', (operation, scimType) => {
    expect(() => changedBy(operation)).toThrow(
      expect.objectContaining({ status: 400, response: expect.objectContaining({ scimType }) }),
    );
  });
});
