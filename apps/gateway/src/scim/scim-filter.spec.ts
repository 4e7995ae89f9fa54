import { describe, expect, it } from '@jest/globals';
import { comparisonsOf } from './scim-filter.ts';

describe('a filter', () => {
  it.each([
    ['userName eq "ana"', [['userName', 'ana']]],
    [
      ' userName  EQ  "a b" AND active eq True ',
      [
        ['userName', 'a b'],
        ['active', true],
      ],
    ],
    ['displayName eq "Sales (EMEA) and [x]"', [['displayName', 'Sales (EMEA) and [x]']]],
    ['userName eq "constructor.keys"', [['userName', 'constructor.keys']]],
    ['displayName eq "CORP\\\\Admins \\"x\\""', [['displayName', 'CORP\\Admins "x"']]],
    [
      'id eq "1" and members.value eq "2"',
      [
        ['id', '1'],
        ['members.value', '2'],
      ],
    ],
    [
      'members[value eq "2"] and id eq "1"',
      [
        ['members.value', '2'],
        ['id', '1'],
      ],
    ],
  ])('is %s', (filter, comparisons) => {
    expect(comparisonsOf(filter)).toEqual(comparisons);
  });

  it.each([
    '',
    'userName',
    'userName pr',
    'userName co "a"',
    'userName eq ana',
    'userName eq 1',
    'userName eq "a',
    'userName eq "a" and',
    'userName eq "a" or active eq true',
    'not userName eq "a"',
    '(userName eq "a")',
    'members[value eq "a" or value eq "b"]',
    'userName eq "CORP\\Admins"',
    'userName eq "\\u0000"',
    `"${'\n'.repeat(60)}`,
    `userName eq "${'\\a'.repeat(400)}`,
    '__proto__.zz eq "1"',
    '"a.__proto__.zz" eq 1',
    'eq "a.__proto__.zz" eq 1',
    'not__proto__.zz eq 1',
  ])('is not %j', (filter) => {
    expect(comparisonsOf(filter)).toBeNull();
  });
});
