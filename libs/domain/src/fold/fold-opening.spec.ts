import { describe, expect, it } from '@jest/globals';
import { DAY_MS, event, Scenario, T0 } from '../../../../test/support/scenario.ts';
import type { LogOpened } from '../events.ts';
import { initialOrganization, ORGANIZATION_KEY } from '../organization/organization.ts';

const opening = (scoringModel: LogOpened['scoringModel'], receivedAt = T0) => {
  const opened: LogOpened = { type: 'LogOpened', logId: 'l', partitions: 3, scoringModel };
  return event(opened, T0, { kind: 'system', user: null, receivedAt }, { entityKey: ORGANIZATION_KEY });
};
const OPENED = [
  {
    action: 'log.opened',
    target: 'settings',
    detail: { before: null, after: { scoringModel: 'posture-2' } },
    refused: null,
  },
];

describe('the opening of a log', () => {
  it('begins the settings of its organization with the model that it states, as version 0', () => {
    const run = new Scenario().fold(opening('posture-2'));
    const initial = initialOrganization();
    const settings = { ...initial.settings, scoringModel: 'posture-2' };
    expect(run.entity.organization).toEqual({ ...initial, settings });
    expect(run.effects).toMatchObject({ organization: run.entity.organization, acts: OPENED });
  });

  it('changes nothing if it states none', () => {
    const run = new Scenario().fold(opening(null));
    expect(run.entity.organization).toBeNull();
    expect(run.effects).toMatchObject({ organization: null, acts: [] });
  });

  it('changes nothing if it is repeated after another selection', () => {
    const changes = { scoringModel: '"posture-1"' };
    const chosen = event(
      { type: 'SettingsChanged', seenVersion: 0, changes },
      T0,
      {},
      { entityKey: ORGANIZATION_KEY },
    );
    const run = new Scenario().fold(opening('posture-2'), chosen, opening('posture-2'));
    expect(run.entity.organization?.settings).toMatchObject({ version: 1, scoringModel: 'posture-1' });
    expect(run.effects.acts.map(({ action }) => action)).toEqual(['log.opened', 'settings.changed']);
  });

  it('states the model by a wrong clock too', () => {
    const run = new Scenario().fold(opening('posture-2', T0 - DAY_MS));
    expect(run.entity.organization?.settings.scoringModel).toBe('posture-2');
    expect(run.effects).toMatchObject({ acts: OPENED, setAside: 1 });
  });
});
