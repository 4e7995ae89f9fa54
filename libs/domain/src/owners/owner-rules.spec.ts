import { describe, expect, it } from '@jest/globals';
import { ownerRule } from '../../../../test/fixtures/domain/owner-rules.ts';
import type { OwnerRule } from '../events.ts';
import { ownerOf, type RuledAsset } from './owner-rules.ts';

const asset = (given: Partial<RuledAsset> = {}): RuledAsset => ({
  department: 'Sales',
  location: 'Pune',
  tags: { env: ['prod', 'eu'], team: ['payments'] },
  ...given,
});
const tag = (key: string, value: string) => ({ key, value });

describe('an owner by rules', () => {
  it.each<[string, Partial<OwnerRule>, boolean]>([
    ['a rule without conditions matches all', {}, true],
    ['one of the departments', { departments: ['IT', 'Sales'] }, true],
    ['another department', { departments: ['IT'] }, false],
    ['another case', { departments: ['sales'] }, false],
    ['one of the locations', { locations: ['Pune'] }, true],
    ['the department, but not the location', { departments: ['Sales'], locations: ['Oslo'] }, false],
    ['a value of a tag', { tags: [tag('env', 'eu')] }, true],
    ['two values of a tag', { tags: [tag('env', 'eu'), tag('env', 'prod')] }, true],
    ['one tag of two', { tags: [tag('env', 'prod'), tag('team', 'cards')] }, false],
    ['a tag that the asset does not have', { tags: [tag('zone', 'prod')] }, false],
    ['a name that every object has', { tags: [tag('constructor', 'x')] }, false],
    [
      'all kinds of conditions',
      { departments: ['Sales'], locations: ['Pune'], tags: [tag('env', 'prod')] },
      true,
    ],
  ])('%s', (_, given, matches) => {
    const expected = matches ? { owner: { team: 'blue' }, rule: 0 } : null;
    expect(ownerOf([ownerRule({ ...given, team: 'blue' })], asset())).toEqual(expected);
  });

  it('is that of the first rule that matches', () => {
    const rules = [
      ownerRule({ departments: ['IT'], team: 'it' }),
      ownerRule({ tags: [tag('env', 'prod')], user: 'ana' }),
      ownerRule({ team: 'rest' }),
    ];
    expect(ownerOf(rules, asset())).toEqual({ owner: { user: 'ana' }, rule: 1 });
    expect(ownerOf(rules, asset({ tags: {} }))).toEqual({ owner: { team: 'rest' }, rule: 2 });
    expect(ownerOf(rules, asset({ department: 'IT' }))).toEqual({ owner: { team: 'it' }, rule: 0 });
  });

  it('is nobody without rules, and by a rule of a log that names nobody', () => {
    expect(ownerOf([], asset())).toBeNull();
    expect(ownerOf([ownerRule({}), ownerRule({ team: 'rest' })], asset())).toBeNull();
  });
});
