import { expect } from '@jest/globals';
import { failed, passed, signal } from './signals.ts';
import type { Site } from './site.ts';

/** One transition of the states of findings (R-FIND-9, R-ACC-1 to R-ACC-7). */
export interface StateRow {
  state: string;
  trigger: string;
  condition: string;
  next: string;
  holds: (site: Site) => Promise<void>;
}

const MANUAL_REVERT = 'manual revert by user';
const UPLOAD = 'signal upload';

const seen = (text: string) => ({ evidence: { observationText: text } });

async function expectIgnored(site: Site, config?: object): Promise<void> {
  const host = site.host();
  const before = await site.acceptedOn(host, signal(host, failed(seen('first'))));
  await site.upload([signal(host, failed(seen('second')))], config);
  await site.upload([signal(host, passed(seen('third')))], config);
  expect(await site.get(before.id)).toMatchObject({
    state: 'AcceptedFailed',
    observation: 'first',
    instances: before.instances,
    version: before.version,
  });
}

export const STATES: StateRow[] = [
  {
    state: 'any',
    trigger: UPLOAD,
    condition: 'matching finding, latest status `fail`',
    next: 'Failed',
    holds: async (site) => {
      const host = site.host();
      const { id, state } = await site.findingOf(host, signal(host, passed()));
      expect(state).toBe('Qualified');
      await site.upload([signal(host, failed(seen('now')))]);
      expect(await site.get(id)).toMatchObject({ state: 'Failed', observation: 'now' });
    },
  },
  {
    state: 'any',
    trigger: UPLOAD,
    condition: 'matching finding, latest status `pass`',
    next: 'Qualified',
    holds: async (site) => {
      const host = site.host();
      const { id, state } = await site.findingOf(host, signal(host));
      expect(state).toBe('Failed');
      await site.upload([signal(host, passed(seen('now')))]);
      expect(await site.get(id)).toMatchObject({ state: 'Qualified', observation: 'now' });
    },
  },
  {
    state: 'Accepted Failed',
    trigger: MANUAL_REVERT,
    condition: '',
    next: 'Not Assessed; status and observation are updated again in later assessments',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.acceptedOn(host);
      const { status, body } = await site.revert(id, 'NotAssessed');
      expect([status, body.state, body.accepted]).toEqual([200, 'NotAssessed', null]);
      await site.upload([signal(host, passed(seen('later')))]);
      expect(await site.get(id)).toMatchObject({ state: 'Qualified', observation: 'later' });
    },
  },
  {
    state: 'Accepted Failed',
    trigger: MANUAL_REVERT,
    condition: '',
    next: 'Failed; stays until reverted otherwise',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.acceptedOn(host);
      const { status, body } = await site.revert(id, 'Failed');
      expect([status, body]).toMatchObject([200, { state: 'Failed', heldFailed: { by: 'admin' } }]);
      await site.upload([signal(host, passed())]);
      expect((await site.get(id)).state).toBe('Failed');
      expect((await site.revert(id, 'NotAssessed')).body).toMatchObject({
        state: 'NotAssessed',
        heldFailed: null,
      });
    },
  },
  {
    state: 'Accepted Failed',
    trigger: UPLOAD,
    condition: 'shouldAllowOverrideAFControl true and latest signal fails',
    next: 'Failed',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.acceptedOn(host);
      await site.upload([signal(host, failed(seen('again')))], { shouldAllowOverrideAFControl: true });
      expect(await site.get(id)).toMatchObject({ state: 'Failed', accepted: null, observation: 'again' });
    },
  },
  {
    state: 'Accepted Failed',
    trigger: UPLOAD,
    condition: 'flag absent',
    next: 'Accepted Failed; control ignored',
    holds: (site) => expectIgnored(site),
  },
  {
    state: 'Accepted Failed',
    trigger: UPLOAD,
    condition: 'flag false',
    next: 'Accepted Failed; control ignored',
    holds: (site) => expectIgnored(site, { shouldAllowOverrideAFControl: false }),
  },
];
