import { describe, expect, it } from '@jest/globals';
import { FINDINGS_LISTED_MAX, KINDS, type NewNotification, type Person } from './notification.ts';
import { type ActedFinding, gathered, kindFor, type NotifyingAct, namesIn } from './who-is-notified.ts';

const ALL = { departments: null, locations: null };
const ana: Person = {
  ...{ id: '1', name: 'ana', canReadFindings: true, rows: ALL, kinds: KINDS, teams: [] },
};
const FINDING: ActedFinding = { department: 'Sales', location: 'Berlin', assignee: null };
const commented = (mentions: string[] = [], user: string | null = 'bo'): NotifyingAct => ({
  ...{ action: 'finding.commented', user, detail: { mentions } },
});
const assigned = (detail: NotifyingAct['detail'], user = 'bo'): NotifyingAct => ({
  ...{ action: 'finding.assigned', user, detail },
});

describe('who is notified by an act (R-NOTE-1)', () => {
  it.each<[string, NotifyingAct, Partial<ActedFinding>, Partial<Person>, string | null]>([
    ['a mention', commented(['cy', 'ana']), {}, {}, 'mentioned'],
    ['a mention of another', commented(['anatole']), {}, {}, null],
    ['a comment on a finding of the person', commented(), { assignee: { user: 'ana' } }, {}, 'commented'],
    [
      'a comment on one of a followed team',
      commented(),
      { assignee: { team: 'blue' } },
      { teams: ['blue'] },
      'commented',
    ],
    [
      'a comment on one of another team',
      commented(),
      { assignee: { team: 'blue' } },
      { teams: ['red'] },
      null,
    ],
    ['a comment on one of a team named as the person', commented(), { assignee: { team: 'ana' } }, {}, null],
    ['both: a mention', commented(['ana']), { assignee: { user: 'ana' } }, {}, 'mentioned'],
    [
      'both, without mentions',
      commented(['ana']),
      { assignee: { user: 'ana' } },
      { kinds: ['commented'] },
      'commented',
    ],
    ['an assignment', assigned({ user: 'ana', team: null }), {}, {}, 'assigned'],
    [
      'an assignment to a followed team',
      assigned({ user: null, team: 'blue' }),
      {},
      { teams: ['blue'] },
      'assigned',
    ],
    ['an assignment to another', assigned({ user: 'bo', team: null }), {}, {}, null],
    [
      'the end of an assignment',
      assigned({ user: null, team: null }),
      { assignee: { user: 'ana' } },
      {},
      null,
    ],
    ['what the person switched off', assigned({ user: 'ana' }), {}, { kinds: [] }, null],
    ['an own act', assigned({ user: 'ana' }, 'ana'), {}, {}, null],
    ['an act of nobody', commented(['ana'], null), {}, {}, 'mentioned'],
    ['without the scope', commented(['ana']), {}, { canReadFindings: false }, null],
    ['another department', commented(['ana']), {}, { rows: { departments: ['IT'], locations: null } }, null],
    ['another location', commented(['ana']), {}, { rows: { departments: null, locations: ['Pune'] } }, null],
    [
      'the own department',
      commented(['ana']),
      {},
      { rows: { departments: ['Sales'], locations: null } },
      'mentioned',
    ],
    ['another act', { ...commented(['ana']), action: 'finding.tagged' }, {}, {}, null],
  ])('%s', (_, act, finding, person, kind) => {
    expect(kindFor(act, { ...FINDING, ...finding }, { ...ana, ...person })).toBe(kind);
  });

  it('are among the names of the act and of the finding', () => {
    expect(namesIn(commented(['cy']), { ...FINDING, assignee: { user: 'dan' } })).toEqual({
      ...{ users: ['cy', 'dan'], teams: [] },
    });
    expect(namesIn(assigned({ user: null, team: 'blue' }), FINDING)).toEqual({ users: [], teams: ['blue'] });
  });
});

describe('notifications with the same key', () => {
  const one = (findingId: string, personId = '1'): NewNotification => ({
    ...{ personId, key: 'assigned:r1', kind: 'assigned', at: 1, by: 'bo' },
    ...{ findings: 1, findingIds: [findingId] },
  });

  it('are one of a person, with a bounded list of findings', () => {
    const many = Array.from({ length: 30 }, (_, i) => one(`f${i}`));
    const [of1, of2, ...others] = gathered([...many, one('f0', '2')]);
    expect(others).toEqual([]);
    expect(of1).toMatchObject({ personId: '1', findings: 30 });
    expect(of1!.findingIds).toHaveLength(FINDINGS_LISTED_MAX);
    expect(of2).toEqual(one('f0', '2'));
  });
});
