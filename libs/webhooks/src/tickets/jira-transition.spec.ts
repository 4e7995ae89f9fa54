import { describe, expect, it } from '@jest/globals';
import { transitionTo } from './jira-transition.ts';

const to = (key: string) => ({ statusCategory: { key } });
const RESOLUTION = { required: true, hasDefaultValue: false, allowedValues: [{ name: 'Done' }] };

describe('transitionTo', () => {
  it('takes the category, not the name; the first category is preferred', () => {
    const offered = [
      { id: '1', name: 'Done', to: to('indeterminate') },
      { id: '2', name: 'Offen', to: to('new') },
      { id: '3', name: 'Weiter', to: to('done') },
    ];
    expect(transitionTo(['done'], offered, undefined)).toEqual({ id: '3' });
    expect(transitionTo(['new', 'indeterminate'], offered, undefined)).toEqual({ id: '2' });
    expect(transitionTo(['new', 'indeterminate'], offered.slice(0, 1), undefined)).toEqual({ id: '1' });
  });

  it('takes none that is not available, and says which fields are missing', () => {
    const closed = { id: '1', isAvailable: false, to: to('done') };
    expect(transitionTo(['done'], [closed], undefined)).toEqual({ missing: [] });
    const asks = {
      id: '2',
      to: to('done'),
      fields: { customfield_1: { required: true }, resolution: RESOLUTION },
    };
    expect(transitionTo(['done'], [closed, asks], undefined)).toEqual({
      missing: ['customfield_1', 'resolution'],
    });
    expect(transitionTo(['done'], [closed, asks, { id: '3', to: to('done') }], undefined)).toEqual({
      id: '3',
    });
    const given = { comment: { required: false }, assignee: { required: true, hasDefaultValue: true } };
    expect(transitionTo(['done'], [{ ...asks, fields: given }], undefined)).toEqual({ id: '2' });
  });

  it('sets the resolution where the transition has one', () => {
    const asks = { id: '1', to: to('done'), fields: { resolution: RESOLUTION } };
    expect(transitionTo(['done'], [asks], 'Done')).toEqual({
      id: '1',
      fields: { resolution: { name: 'Done' } },
    });
    expect(transitionTo(['done'], [asks], 'Erledigt')).toEqual({ missing: ['resolution'] });
    expect(transitionTo(['done'], [{ id: '2', to: to('done'), fields: {} }], 'Done')).toEqual({ id: '2' });
  });

  it.each([[null], [{}], [[null, 1, { id: 2 }, { id: '1' }]]])('finds none in %j', (offered) => {
    expect(transitionTo(['done'], offered, undefined)).toEqual({ missing: [] });
  });
});
