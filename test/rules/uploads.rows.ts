import { expect } from '@jest/globals';
import { interruptUpload } from '../support/interrupt-upload.ts';
import { appendingFails } from './appending-fails.ts';
import type { Row } from './row.ts';
import { described, failed, named, passed, signal } from './signals.ts';
import { DAY_MS, MINUTE_MS, Site } from './site.ts';

const UUID_V5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const text = (value: unknown) => JSON.stringify(value);
const replacing = { fullAssessmentForTypes: ['va'] };
/** Malformed, but its entity can be read. */
const malformed = (host: string) => ({ ...signal(host), ...failed({ type: 'nonsense' }) });
const retired = async (site: Site, host: string) =>
  (await site.findings(host, 'Retired')).map(({ name }) => name);

export const UPLOADS: Row[] = [
  {
    rule: 'R-ZIP-5',
    says: 'any malformed entry: 400, nothing appended, `message` says how many and the first',
    holds: async (site) => {
      const host = site.host();
      const { message, errors } = await site.expectZipRefused(
        { '1.json': signal(host), '2.json': malformed(host), '3.json': '{' },
        /^2 of 3 entries malformed, no signals were stored; the first: "2\.json": /,
      );
      expect(message).toContain('securityContext.type');
      expect(errors).toEqual([
        { entry: '2.json', field: 'securityContext.type', message: expect.any(String) },
        { entry: '3.json', field: '', message: expect.any(String) },
      ]);
      expect(await site.assets(host)).toEqual([]);
    },
  },
  {
    rule: 'R-ZIP-5',
    says: '`errors` lists entry, field and reason, the first 100',
    holds: async (site) => {
      const entries = Array.from({ length: 130 }, (_, i) => [`${i}.json`, malformed('any')]);
      const { errors } = await site.expectZipRefused(Object.fromEntries(entries), /^130 of 130 entries/);
      expect(errors).toHaveLength(100);
    },
  },
  {
    rule: 'R-ZIP-6',
    says: '`?invalid=skip` appends the valid rest and reports the others',
    holds: async (site) => {
      const host = site.host();
      const { status, body } = await site.zip(
        { '1.json': signal(host), '2.json': malformed(host) },
        '?invalid=skip',
      );
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { accepted: 1, rejected: 1, errors: [{ entry: '2.json', field: 'securityContext.type' }] },
      });
      expect(await site.client.folded(body.uploadId)).toMatchObject({ rejected: 1, outcome: { created: 1 } });
    },
  },
  {
    rule: 'R-ZIP-6',
    says: '`?invalid=skip` disables replacement for every entity with a bad entry',
    holds: async (site) => {
      const [bad, good] = [site.host(), site.host()];
      await site.upload([named('old', bad), named('old', good)]);
      const { body } = await site.zip(
        {
          '1.json': named('new', bad),
          '2.json': named('new', good),
          '3.json': malformed(`${bad}.acme.example`),
          'config.json': replacing,
        },
        '?invalid=skip',
      );
      await site.client.folded(body.uploadId);
      expect([await retired(site, bad), await retired(site, good)]).toEqual([[], ['old']]);
    },
  },
  {
    rule: 'R-ZIP-6',
    says: 'or for the whole ZIP if a bad entry’s entity cannot be read',
    holds: async (site) => {
      const host = site.host();
      await site.upload([named('old', host)]);
      for (const unreadable of ['{', text({ ...signal('x'), entity: { type: 'machine' } })]) {
        const { body } = await site.zip(
          { '1.json': named('new', host), '2.json': unreadable, 'config.json': replacing },
          '?invalid=skip',
        );
        await site.client.folded(body.uploadId);
        expect(await site.states(host)).toEqual({ old: 'Failed', new: 'Failed' });
      }
    },
  },
  {
    rule: 'R-ZIP-7',
    says: '`?dryRun=true` appends nothing and returns what would be created, updated, retired and ignored, with reasons',
    holds: async (site) => {
      const host = site.host();
      await site.upload([named('fixed', host), named('gone', host)]);
      const entries = {
        '1.json': named('fixed', host, passed()),
        '2.json': named('new', host),
        '3.json': named('late', host, { expiresAt: '2020-01-01T00:00:00Z' }),
        'config.json': replacing,
      };
      const before = await site.gateway.logSize();
      const { body: previewed } = await site.zip(entries, '?dryRun=true');
      expect(await site.gateway.logSize()).toBe(before);
      expect(await site.states(host)).toEqual({ fixed: 'Failed', gone: 'Failed' });
      expect(previewed.dryRun).toBe(true);
      expect(previewed.findings).toHaveLength(4);
      expect(previewed.findings).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: 'fixed', would: 'stateChanged', from: 'Failed', to: 'Qualified' }),
          expect.objectContaining({ name: 'new', would: 'created', to: 'Failed' }),
          expect.objectContaining({ name: 'gone', would: 'retired', reason: 'replaced' }),
          expect.objectContaining({ name: 'late', would: 'ignored', reason: 'expired' }),
        ]),
      );
      const { body } = await site.zip(entries);
      expect((await site.client.folded(body.uploadId)).outcome).toEqual(previewed.outcome);
    },
  },
  {
    rule: 'R-UPL-1',
    says: 'a 200 is sent only after the log has acknowledged every event',
    holds: () =>
      Site.during(
        {
          folds: false,
          wrapLog: appendingFails(new Error('the disk is gone')),
        },
        async (site) => {
          const given = signal('any');
          const answers = [await site.client.signal(given), await site.zip({ '1.json': given })];
          for (const { status } of answers) expect(status).toBeGreaterThanOrEqual(500);
          expect((await site.client.get('/api/v3/uploads')).items).toEqual([]);
        },
      ),
  },
  {
    rule: 'R-UPL-5',
    says: '`GET /api/v3/uploads/:id` shows how far the fold is',
    holds: () =>
      Site.during({ folds: false }, async (site) => {
        const { body } = await site.zip({ '1.json': signal('one'), '2.json': signal('two') });
        expect(await site.client.get(`/api/v3/uploads/${body.uploadId}`)).toMatchObject({
          kind: 'zip',
          by: 'admin',
          accepted: 2,
          folded: 0,
          done: false,
        });
      }),
  },
  {
    rule: 'R-UPL-5',
    says: 'and outcome counts',
    holds: async (site) => {
      const [host, other] = [site.host(), site.host()];
      await site.upload([named('fixed', host), named('same', host), named('gone', host)]);
      const upload = await site.upload(
        [
          named('fixed', host, passed()),
          named('same', host),
          named('new', host),
          described(other),
          named('late', host, { expiresAt: '2020-01-01T00:00:00Z' }),
        ],
        replacing,
      );
      expect(upload).toMatchObject({
        accepted: 5,
        folded: 5,
        done: true,
        outcome: {
          created: 1,
          updated: 1,
          unchanged: 1,
          retired: 1,
          assetsCreated: 1,
          assetsUpdated: 0,
          ignored: { expired: 1 },
        },
      });
    },
  },
  {
    rule: 'R-HIST-1',
    says: 'a finding’s history names the entry',
    holds: async (site) => {
      const host = site.host();
      const { body } = await site.zip({ 'scan/web server.json': signal(host) });
      await site.client.folded(body.uploadId);
      const [{ cause }] = await site.history((await site.finding(host)).id);
      expect(cause).toMatchObject({
        kind: 'zip',
        uploadId: body.uploadId,
        entry: 'scan/web server.json',
        user: 'admin',
      });
    },
  },
  {
    rule: 'R-UPL-8',
    says: '`Prefer: wait=N` delays the answer until the projections contain it',
    holds: async (site) => {
      const host = site.host();
      const { headers, body } = await site.client.signal(signal(host), { prefer: 'wait=30' });
      expect((await site.client.get(`/api/v3/uploads/${body.uploadId}`)).done).toBe(true);
      expect(await site.assets(host)).toHaveLength(1);
      expect(headers.get('preference-applied')).toBe('wait=30');
    },
  },
  {
    rule: 'R-UPL-8',
    says: '`Prefer: wait=N`: N seconds at most',
    holds: () =>
      Site.during({ folds: false }, async (site) => {
        const start = performance.now();
        expect((await site.client.signal(signal('any'), { prefer: 'wait=1' })).status).toBe(200);
        expect(performance.now() - start).toBeGreaterThanOrEqual(990);
      }),
  },
  {
    rule: 'R-UPL-2',
    says: '`uploadId` is a UUIDv5 if a key is given, event ids are UUIDv5 of upload and entry',
    holds: async (site) => {
      const { body } = await site.zip({ '1.json': signal('any'), '2.json': signal('any') }, '', {
        'idempotency-key': 'ids',
      });
      expect(body.uploadId).toMatch(UUID_V5);
      const ids = (await site.gateway.eventsOf(body.uploadId)).map(({ envelope }) => envelope.id);
      expect(new Set(ids).size).toBe(2);
      for (const id of ids) expect(id).toMatch(UUID_V5);
    },
  },
  {
    rule: 'R-UPL-3',
    says: 'a retry after a crash is counted once',
    holds: async (site) => {
      const host = site.host();
      const headers = { 'idempotency-key': 'crash' };
      const given = { '1.json': signal(host), '2.json': named('another', host) };
      const first = await site.zip(given, '', headers);
      await interruptUpload(site.gateway.database.db, 'crash');
      await site.pass(MINUTE_MS);
      const again = await site.zip(given, '', headers);
      expect(again.body.uploadId).toBe(first.body.uploadId);
      const events = await site.gateway.eventsOf(first.body.uploadId);
      expect(events).toHaveLength(4);
      const last = await site.upload([described(host)]);
      expect(last.done).toBe(true);
      expect(await site.client.get(`/api/v3/uploads/${first.body.uploadId}`)).toMatchObject({
        folded: 2,
        done: true,
        outcome: { created: 2, unchanged: 0 },
      });
    },
  },
  {
    rule: 'R-UPL-3',
    says: 'a key lives 24 hours',
    holds: async (site) => {
      const send = (name: string) =>
        site.client.signal(named(name, 'any'), { 'idempotency-key': 'a-day-long' });
      const first = await send('one');
      expect(first.status).toBe(200);
      await site.pass(DAY_MS - MINUTE_MS);
      expect((await send('one')).body).toEqual(first.body);
      await site.pass(2 * MINUTE_MS);
      const next = await send('two');
      expect(next.status).toBe(200);
      expect(next.body.uploadId).not.toBe(first.body.uploadId);
    },
  },
  {
    rule: 'R-UPL-3',
    says: 'the key belongs to a credential; the same key with another body is a 422',
    holds: async (site) => {
      const headers = { 'idempotency-key': 'shared' };
      const analyst = await site.as('analyst');
      const first = await site.client.signal(named('one', 'any'), headers);
      expect((await site.client.signal(named('two', 'any'), headers)).status).toBe(422);
      const others = await analyst.signal(named('two', 'any'), headers);
      expect(others.status).toBe(200);
      expect(others.body.uploadId).not.toBe(first.body.uploadId);
    },
  },
];
