import { expect } from '@jest/globals';
import type { Row } from './row.ts';
import { context, described, entity, failed, named, passed, signal, unknown } from './signals.ts';
import { DAY_MS, HOUR_MS, type Site } from './site.ts';

const FINDING_TYPES = ['finding', 'ca', 'va', 'edr', 'uba', 'waf', 'others'];

const replacing = (...types: string[]) => ({ fullAssessmentForTypes: types });
const evidence = (observationText: string) => ({ evidence: { observationText } });

export const LIFE: Row[] = [
  ...[
    ['Qualified', passed()],
    ['NotAssessed', unknown()],
  ].map(
    ([state, given]): Row => ({
      rule: 'R-ACC-1',
      says: `only a Failed finding can be accepted, otherwise 409: ${state}`,
      holds: async (site) => {
        const host = site.host();
        const { id } = await site.findingOf(host, signal(host, given as object));
        expect((await site.accept(id)).status).toBe(409);
        expect((await site.get(id)).state).toBe(state);
      },
    }),
  ),
  {
    rule: 'R-ACC-1',
    says: 'only a Failed finding can be accepted, otherwise 409: AcceptedFailed, Retired',
    holds: async (site) => {
      const { id } = await site.acceptedOn(site.host());
      expect((await site.accept(id)).status).toBe(409);
      const retired = await site.expiredOn(site.host());
      expect((await site.accept(retired)).status).toBe(409);
      await site.sweep();
      expect((await site.accept(retired)).status).toBe(409);
    },
  },
  {
    rule: 'R-ACC-1',
    says: 'it needs a rationale',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.findingOf(host, signal(host));
      for (const rationale of [undefined, '', ' ']) {
        const { status, body } = await site.accept(id, { rationale });
        expect([status, body.message]).toEqual([400, expect.stringMatching(/rationale/)]);
      }
      expect((await site.accept(id, { rationale: 'compensated' })).body.accepted).toEqual({
        by: 'admin',
        at: site.in(0),
        rationale: 'compensated',
        until: null,
      });
    },
  },
  {
    rule: 'R-ACC-4',
    says: 'it may carry an end date (`until`), after which it is Not Assessed',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.findingOf(host, signal(host));
      await site.accept(id, { until: site.in(DAY_MS) });
      await site.pass(DAY_MS - 1);
      await site.sweep();
      expect((await site.get(id)).state).toBe('AcceptedFailed');
      await site.pass(1);
      await site.sweep();
      expect(await site.get(id)).toMatchObject({ state: 'NotAssessed', accepted: null });
      await site.upload([signal(host)]);
      expect((await site.get(id)).state).toBe('Failed');
    },
  },
  {
    rule: 'R-ACC-4',
    says: 'from `until` on the next signal moves it, whether or not a sweep came before',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.findingOf(host, signal(host));
      await site.accept(id, { until: site.in(DAY_MS) });
      await site.pass(DAY_MS);
      await site.upload([signal(host, passed())]);
      expect((await site.history(id)).map(({ to, reason }) => [to, reason])).toEqual([
        ['Failed', null],
        ['AcceptedFailed', 'user'],
        ['NotAssessed', 'acceptanceEnded'],
        ['Qualified', null],
      ]);
    },
  },
  {
    rule: 'R-ACC-2',
    says: 'while accepted, signals change neither status nor observation, and count as `ignored: accepted`',
    holds: async (site) => {
      const host = site.host();
      const before = await site.acceptedOn(host, signal(host, failed(evidence('first'))));
      for (const given of [failed(evidence('second')), passed(evidence('third')), { revoked: true }]) {
        const { outcome } = await site.upload([signal(host, given)]);
        expect(outcome).toMatchObject({ updated: 0, unchanged: 0, retired: 0, ignored: { accepted: 1 } });
      }
      expect(await site.get(before.id)).toMatchObject({
        state: 'AcceptedFailed',
        observation: 'first',
        instances: before.instances,
        version: before.version,
      });
    },
  },
  {
    rule: 'R-ACC-2',
    says: 'while accepted, signals still extend `lastSeen` and expiry',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.acceptedOn(host);
      await site.pass(30 * DAY_MS);
      await site.upload([signal(host)]);
      const at = site.now;
      expect(await site.get(id)).toMatchObject({
        lastSeen: new Date(at).toISOString(),
        expiresAt: new Date(at + 90 * DAY_MS).toISOString(),
      });
    },
  },
  {
    rule: 'R-ACC-3',
    says: 'with `shouldAllowOverrideAFControl` a failing signal makes it Failed; a passing one does not move it',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.acceptedOn(host);
      const config = { shouldAllowOverrideAFControl: true };
      await site.upload([signal(host, passed())], config);
      expect((await site.get(id)).state).toBe('AcceptedFailed');
      await site.upload([signal(host)], config);
      expect(await site.get(id)).toMatchObject({ state: 'Failed', accepted: null, heldFailed: null });
      await site.upload([signal(host, passed())]);
      expect((await site.get(id)).state).toBe('Qualified');
    },
  },
  {
    rule: 'R-ACC-5',
    says: 'revert to Not Assessed: later signals update it; a finding that is not accepted or held is a 409',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.acceptedOn(host);
      expect((await site.revert(id, 'NotAssessed')).body).toMatchObject({
        state: 'NotAssessed',
        accepted: null,
      });
      expect((await site.revert(id, 'Failed')).status).toBe(409);
      await site.upload([signal(host, failed(evidence('later')))]);
      expect(await site.get(id)).toMatchObject({ state: 'Failed', observation: 'later', heldFailed: null });
    },
  },
  {
    rule: 'R-ACC-6',
    says: 'revert to Failed: it is held, later signals do not move it (`ignored: heldFailed`) until reverted to Not Assessed',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.acceptedOn(host);
      const { body } = await site.revert(id, 'Failed');
      expect(body).toMatchObject({ state: 'Failed', heldFailed: { by: 'admin', at: site.in(0) } });
      for (const given of [passed(), failed(evidence('new'))]) {
        const { outcome } = await site.upload([signal(host, given)], { shouldAllowOverrideAFControl: true });
        expect(outcome.ignored).toEqual({ heldFailed: 1 });
      }
      expect(await site.get(id)).toMatchObject({ state: 'Failed', observation: null });
      expect((await site.revert(id, 'NotAssessed')).body).toMatchObject({
        state: 'NotAssessed',
        heldFailed: null,
      });
      await site.upload([signal(host, passed())]);
      expect((await site.get(id)).state).toBe('Qualified');
    },
  },
  ...[
    [
      'retirement',
      async (site: Site, host: string) => {
        await site.pass(89 * DAY_MS);
        await site.upload([described(host)]);
        await site.pass(2 * DAY_MS);
        await site.sweep();
        expect(await site.findings(host, 'Retired')).toMatchObject([{ retiredReason: 'expired' }]);
      },
    ],
    [
      'replacement',
      async (site: Site, host: string) => {
        await site.upload([described(host)], replacing('va'));
      },
    ],
    [
      'asset deletion',
      async (site: Site, host: string) => {
        await site.pass(91 * DAY_MS);
        await site.sweep();
        expect(await site.assets(host)).toEqual([]);
      },
    ],
  ].flatMap(([what, part]) =>
    (['AcceptedFailed', 'Failed'] as const).map(
      (state): Row => ({
        rule: 'R-ACC-7',
        says: `${state === 'Failed' ? 'the hold' : 'acceptance'} survives ${what}: a returning finding returns in that state`,
        holds: async (site) => {
          const host = site.host();
          const { id } = await site.acceptedOn(host);
          if (state === 'Failed') await site.revert(id, 'Failed');
          const { accepted, heldFailed } = await site.get(id);
          await (part as (site: Site, host: string) => Promise<void>)(site, host);
          await site.upload([signal(host, passed())]);
          expect(await site.get(id)).toMatchObject({ state, accepted, heldFailed });
        },
      }),
    ),
  ),
  ...[
    ['a passing', (host: string) => named('Seen', host, passed())],
    ['an expired', (host: string) => named('Seen', host, { expiresAt: '2020-01-01T00:00:00.000Z' })],
    ['a revoked', (host: string) => named('Seen', host, { revoked: true })],
    ['an `entityOnly`', (host: string) => described(host)],
  ].map(
    ([what, entry]): Row => ({
      rule: 'R-ZIP-10',
      says: `a ZIP replaces the whole assessment of a listed type for each entity that it names: by ${what} entry`,
      holds: async (site) => {
        const host = site.host();
        await site.upload([named('one', host), named('two', host)]);
        const { outcome } = await site.upload([(entry as (host: string) => unknown)(host)], replacing('va'));
        expect(outcome.retired).toBe(2);
        expect(await site.findings(host, 'Retired')).toMatchObject([
          { retiredReason: 'replaced' },
          { retiredReason: 'replaced' },
        ]);
      },
    }),
  ),
  {
    rule: 'R-ZIP-10',
    says: 'other entities, and other types, are untouched',
    holds: async (site) => {
      const [host, other] = [site.host(), site.host()];
      await site.upload([named('va', host), named('ca', host, failed({ type: 'ca' })), named('va', other)]);
      await site.upload([named('new', host)], replacing('va'));
      expect(await site.states(host)).toEqual({ new: 'Failed', ca: 'Failed' });
      expect(await site.states(other)).toEqual({ va: 'Failed' });
    },
  },
  {
    rule: 'R-ZIP-12',
    says: 'accepted and held findings absent from it stay',
    holds: async (site) => {
      const host = site.host();
      await site.upload(['accepted', 'held', 'plain'].map((name) => named(name, host)));
      const byName = Object.fromEntries((await site.findings(host)).map(({ name, id }) => [name, id]));
      await site.accept(byName.accepted);
      await site.accept(byName.held);
      await site.revert(byName.held, 'Failed');
      await site.upload([named('new', host)], replacing('va'));
      expect(await site.states(host)).toEqual({ accepted: 'AcceptedFailed', held: 'Failed', new: 'Failed' });
    },
  },
  ...[undefined, {}, replacing()].map(
    (config): Row => ({
      rule: 'R-ZIP-11',
      says: `an absent or empty list appends: config.json ${JSON.stringify(config) ?? 'absent'}`,
      holds: async (site) => {
        const host = site.host();
        await site.upload([named('old', host)]);
        await site.upload([named('new', host)], config);
        expect(await site.states(host)).toEqual({ old: 'Failed', new: 'Failed' });
      },
    }),
  ),
  {
    rule: 'R-ZIP-13',
    says: 'a type outside the document’s seven is a 400',
    holds: async (site) => {
      const entries = { '1.json': signal(site.host()), 'config.json': replacing('va', 'dlp') };
      await site.expectZipRefused(entries, /fullAssessmentForTypes\[1\]/);
      expect((await site.zip({ ...entries, 'config.json': replacing(...FINDING_TYPES) })).status).toBe(200);
    },
  },
  {
    rule: 'R-EXP-1',
    says: 'the signal’s `expiresAt` decides, to the millisecond',
    holds: async (site) => {
      const host = site.host();
      const expiresAt = site.in(5 * DAY_MS);
      const { id } = await site.findingOf(host, signal(host, { expiresAt }));
      expect((await site.get(id)).expiresAt).toBe(expiresAt);
      await site.pass(Date.parse(expiresAt) - site.now - 1);
      expect((await site.get(id)).state).toBe('Failed');
      await site.pass(1);
      expect(await site.get(id)).toMatchObject({ state: 'Retired', retiredReason: 'expired' });
    },
  },
  ...FINDING_TYPES.map(
    (type): Row => ({
      rule: 'R-EXP-1',
      says: `else arrival and the Finding Retirement Policy, 90 days for ${type} and as set`,
      holds: async (site) => {
        const [before, after] = [site.host(), site.host()];
        const daysOf = ({ expiresAt }: { expiresAt: string }) => (Date.parse(expiresAt) - site.now) / DAY_MS;
        expect(daysOf(await site.findingOf(before, signal(before, failed({ type }))))).toBe(90);
        await site.withSettings({ retirementDays: { [type]: 7 } }, async () => {
          expect(daysOf(await site.findingOf(after, signal(after, failed({ type }))))).toBe(7);
        });
      },
    }),
  ),
  {
    rule: 'R-EXP-2',
    says: 'decided at the edge, stamped on the event: a new policy moves no expiry that was stamped',
    holds: async (site) => {
      const host = site.host();
      const { id, expiresAt } = await site.findingOf(host, signal(host));
      await site.withSettings({ retirementDays: { va: 1 } }, async () => {
        await site.pass(2 * DAY_MS);
        await site.sweep();
        expect(await site.get(id)).toMatchObject({ state: 'Failed', expiresAt });
      });
    },
  },
  {
    rule: 'R-EXP-4',
    says: '`lastSeen` never dates an expiry',
    holds: async (site) => {
      const host = site.host();
      const found = await site.findingOf(host, signal(host, { lastSeen: site.in(-365 * DAY_MS) }));
      expect(found).toMatchObject({ state: 'Failed', expiresAt: site.in(90 * DAY_MS) });
    },
  },
  {
    rule: 'R-EXP-3',
    says: 'an explicit `expiresAt` in the past: logged, not turned into a finding, counted as `ignored: expired`',
    holds: async (site) => {
      const host = site.host();
      await site.upload([described(host)]);
      const given = signal(host, { expiresAt: site.in(-1) });
      const { uploadId, accepted, ignored } = await site.json(given);
      expect([accepted, ignored]).toEqual([1, 1]);
      expect(await site.client.get(`/api/v3/uploads/${uploadId}`)).toMatchObject({
        accepted: 1,
        outcome: { created: 0, ignored: { expired: 1 } },
      });
      expect((await site.upload([given])).outcome.ignored).toEqual({ expired: 1 });
      expect(await site.findings(host)).toEqual([]);
      expect(await site.gateway.eventsOf(uploadId)).toHaveLength(1);
    },
  },
  ...[
    ['2030-05-01T12:00:00.000Z', '2030-05-01T12:00:00.000Z'],
    ['2030-05-01T12:00:00+02:00', '2030-05-01T10:00:00.000Z'],
    ['2030-05-01T12:00-0530', '2030-05-01T17:30:00.000Z'],
    ['20300501T120000Z', '2030-05-01T12:00:00.000Z'],
    ['2030-05-01t12:00:00,5z', '2030-05-01T12:00:00.500Z'],
  ].map(
    ([given, meant]): Row => ({
      rule: 'R-SIG-14',
      says: `any ISO 8601 instant with a zone is accepted: ${given}`,
      holds: async (site) => {
        const host = site.host();
        const { warnings } = await site.json(signal(host, { expiresAt: given }));
        expect(warnings).toEqual([]);
        expect((await site.finding(host)).expiresAt).toBe(meant);
      },
    }),
  ),
  ...['2030-05-01', '2030-05-01T12:00:00', '01/05/2030', 1_903_867_200, 'never', '2030-02-30T00:00:00Z'].map(
    (given): Row => ({
      rule: 'R-SIG-14',
      says: `another format is accepted without it, the policy applies, and \`warnings\` names it: ${given}`,
      holds: async (site) => {
        const host = site.host();
        const { warnings } = await site.json(signal(host, { expiresAt: given }));
        expect(warnings).toMatchObject([{ field: 'expiresAt', message: expect.stringMatching(/Policy/) }]);
        expect((await site.finding(host)).expiresAt).toBe(site.in(90 * DAY_MS));
      },
    }),
  ),
  {
    rule: 'R-SIG-19',
    says: '`source.nextSubmissionIntervalInMins` is kept and shown as `overdueSince`',
    holds: async (site) => {
      const host = site.host();
      const source = { name: 'nightly', nextSubmissionIntervalInMins: 60 };
      const { id, overdueSince } = await site.findingOf(host, signal(host, { source }));
      const due = site.in(HOUR_MS);
      expect(overdueSince).toBeNull();
      await site.pass(HOUR_MS + 1);
      expect((await site.get(id)).overdueSince).toBe(due);
      await site.upload([signal(host, { source })]);
      expect((await site.get(id)).overdueSince).toBeNull();
    },
  },
  {
    rule: 'R-EXP-5',
    says: 'a finding whose last signal is older than the retention (90 days) is retired even if `expiresAt` is later',
    holds: async (site) => {
      const host = site.host();
      const given = signal(host, { expiresAt: site.in(400 * DAY_MS) });
      const { id } = await site.findingOf(host, given);
      await site.pass(60 * DAY_MS);
      await site.upload([given]);
      await site.pass(90 * DAY_MS - 1);
      expect((await site.get(id)).state).toBe('Failed');
      await site.pass(1);
      expect(await site.get(id)).toMatchObject({ state: 'Retired', retiredReason: 'retention' });
    },
  },
  {
    rule: 'R-EXP-5',
    says: 'the retention is a setting',
    holds: (site) =>
      site.withSettings({ retentionDays: 10 }, async () => {
        const host = site.host();
        const { id } = await site.findingOf(host, signal(host));
        await site.pass(10 * DAY_MS);
        expect(await site.get(id)).toMatchObject({ state: 'Retired', retiredReason: 'retention' });
      }),
  },
  {
    rule: 'R-DEL-1',
    says: 'an asset with no active finding and no update in that time is deleted',
    holds: async (site) => {
      const [idle, seen, busy] = [site.host(), site.host(), site.host()];
      await site.upload([described(idle), described(seen), signal(busy)]);
      await site.pass(60 * DAY_MS);
      await site.upload([described(seen), signal(busy)]);
      await site.pass(31 * DAY_MS);
      await site.sweep();
      expect(await site.assets(idle)).toEqual([]);
      for (const host of [seen, busy]) expect(await site.assets(host)).toHaveLength(1);
    },
  },
  {
    rule: 'R-DEL-1',
    says: 'unless `deleteAssetsWithoutData` is off',
    holds: (site) =>
      site.withSettings({ deleteAssetsWithoutData: false }, async () => {
        const host = site.host();
        await site.upload([described(host)]);
        await site.pass(200 * DAY_MS);
        await site.sweep();
        expect(await site.assets(host)).toHaveLength(1);
      }),
  },
  {
    rule: 'R-DEL-3',
    says: 'history stays readable; an asset that comes back keeps its id',
    holds: async (site) => {
      const host = site.host();
      const { id, assetId } = await site.findingOf(host, signal(host, entity(`${host}.acme.example`)));
      await site.pass(91 * DAY_MS);
      await site.sweep();
      expect(await site.assets(host)).toEqual([]);
      expect(await site.get(id)).toMatchObject({ state: 'Retired' });
      expect((await site.client.get(`/api/v3/assets/${assetId}`)).deletedAt).toEqual(expect.any(String));
      const before = await site.history(id);
      expect(before.map(({ change }) => change)).toEqual(['created', 'retired']);
      await site.upload([signal(`${host}.acme.example`, { securityContext: context({ type: 'ca' }) })]);
      expect((await site.asset(host)).id).toBe(assetId);
      expect(await site.history(id)).toEqual(before);
    },
  },
];
