import { expect } from '@jest/globals';
import { createLogger } from '#libs/config';
import { DEFAULT_SETTINGS } from '#libs/domain';
import { JsonQuota } from '../../apps/gateway/src/signals/json-quota.ts';
import type { ApiClient } from '../support/api-client.ts';
import { until } from '../support/until.ts';
import type { Row } from './row.ts';
import { failed, signal } from './signals.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, Site } from './site.ts';

/** Sends `size` JSON signals, 50 in parallel; returns the number of responses by status. */
async function burst(site: Site, size: number): Promise<Record<number, number>> {
  const given = JSON.stringify(signal('burst'));
  const counts: Record<number, number> = {};
  for (let left = size; left > 0; left -= 50) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(left, 50) }, () => site.client.signal(given)),
    );
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

export const LIMITS: Row[] = [
  {
    rule: 'R-LIM-1',
    says: '`jsonRequestsPerMinute` is 6000, and is enforced exactly',
    holds: async (site) => {
      expect((await site.client.get('/api/v3/settings')).jsonRequestsPerMinute).toBe(6000);
      await site.withSettings({ jsonRequestsPerMinute: 60 }, async () => {
        await site.pass(2 * MINUTE_MS);
        expect(await burst(site, 150)).toEqual({ 200: 60, 429: 90 });
        await site.pass(MINUTE_MS);
        expect(await burst(site, 1)).toEqual({ 200: 1 });
      });
    },
  },
  {
    rule: 'R-LIM-1',
    says: 'for the tenant, whatever the number of gateways',
    holds: (site) =>
      site.withSettings({ jsonRequestsPerMinute: 60 }, async () => {
        await site.pass(2 * MINUTE_MS);
        const other = new JsonQuota(
          site.gateway.database.db,
          () => ({ ...DEFAULT_SETTINGS, jsonRequestsPerMinute: 60 }),
          () => site.now,
          createLogger('error', { write: () => {} }),
        );
        for (let taken = 0; taken < 40; taken += 1) await other.take();
        const { 200: taken } = await burst(site, 60);
        expect(taken).toBeGreaterThan(0);
        expect(taken).toBeLessThanOrEqual(20 + 6);
      }),
  },
  {
    rule: 'R-LIM-4',
    says: 'a 429 body’s `message` is the number of seconds, as a string and nothing else; `Retry-After` and `retryIn` say the same',
    holds: (site) =>
      site.withSettings({ jsonRequestsPerMinute: 60 }, async () => {
        await site.pass(2 * MINUTE_MS - (site.now % MINUTE_MS) + 20_000);
        await burst(site, 60);
        const { status, headers, body } = await site.client.signal(signal('burst'));
        expect([status, body.message, body.retryIn]).toEqual([429, '40', 40]);
        expect(headers.get('retry-after')).toBe('40');
      }),
  },
  {
    rule: 'R-LIM-3',
    says: '429 on both upload routes while the fold is further behind than `maxLagSeconds`',
    holds: () =>
      Site.during({ folds: false, settings: { maxLagSeconds: 1 } }, async (site) => {
        const given = signal('any');
        await until('the lag', async () => (await site.client.signal(given)).status === 429);
        for (const { status, body, headers } of [
          await site.client.signal(given),
          await site.zip({ '1.json': given }),
        ]) {
          expect([status, body.message]).toEqual([429, expect.stringMatching(/^\d+$/)]);
          expect(`${body.retryIn}`).toBe(body.message);
          expect(headers.get('retry-after')).toBe(body.message);
        }
      }),
  },
  {
    rule: 'R-LIM-2',
    says: 'over 100 JSON signals of one credential in a rolling 24 hours: `advice` to send ZIPs',
    holds: async (site) => {
      await site.pass(2 * DAY_MS);
      const send = async (client: ApiClient) => (await client.signal(signal('any'))).body.advice;
      await burst(site, 99);
      expect(await send(site.client)).toBeUndefined();
      expect(await send(site.client)).toMatch(/ZIP/);
      expect(await send(await site.as('analyst'))).toBeUndefined();
      await site.pass(25 * HOUR_MS);
      expect(await send(site.client)).toBeUndefined();
    },
  },
  {
    rule: 'R-LIM-2',
    says: 'or 429 if `jsonDailyPolicy` is `enforce`; ZIPs are still accepted',
    holds: (site) =>
      site.withSettings({ jsonDailyPolicy: 'enforce' }, async () => {
        await site.pass(2 * DAY_MS);
        expect(await burst(site, 110)).toEqual({ 200: 100, 429: 10 });
        const { status, body } = await site.client.signal(signal('any'));
        expect([status, body.message]).toEqual([429, expect.stringMatching(/^\d+$/)]);
        expect((await site.zip({ '1.json': signal('any') })).status).toBe(200);
        await site.pass(25 * HOUR_MS);
        expect(await burst(site, 1)).toEqual({ 200: 1 });
      }),
  },
  {
    rule: 'R-SIG-18',
    says: 'the setting `platformVersion` is 4.1: a `va` signal needs neither CVE nor TTP',
    holds: async (site) => {
      expect((await site.client.get('/api/v3/settings')).platformVersion).toBe('4.1');
      const host = site.host();
      const found = await site.findingOf(host, signal(host, failed({ standardsMapping: undefined })));
      expect(found.state).toBe('Failed');
    },
  },
  {
    rule: 'R-SIG-18',
    says: 'below 4.1, a `va` signal without CVE and TTP is a 400',
    holds: async (site) => {
      const bare = (given = {}) => signal('any', failed({ standardsMapping: undefined, ...given }));
      await site.withSettings({ platformVersion: '4.0' }, async () => {
        await site.expectRefused(bare(), /CVE.*technique/);
        await site.upload([
          signal('any'),
          bare({ attackPattern: [{ mapping: { techniqueId: 'T1059' } }] }),
          bare({ type: 'ca' }),
        ]);
      });
    },
  },
];
