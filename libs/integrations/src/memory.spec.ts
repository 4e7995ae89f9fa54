import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '#libs/domain';
import { TestRetryTiming } from '../../../test/fixtures/integrations/retry-timing.ts';
import { json, ScriptedVendor, type Turn } from '../../../test/fixtures/integrations/scripted-vendor.ts';
import { retainedBytes } from '../../../test/support/retained-bytes.ts';
import { connectorOf } from './connector-of.ts';

const HOSTS = 20_000;
const ALERTS = 50_000;
const PAGE_SIZE = 1_000;
/** Of memory that stays after a page is processed; a page of alerts is some 2 MB. */
const GROWTH_BYTES_MAX = 30 * 1024 * 1024;

let vendor: ScriptedVendor;
beforeAll(async () => {
  vendor = await ScriptedVendor.start();
});
afterAll(() => vendor.stop());

/** A platform of any size that keeps nothing: a cursor is the number that the next page begins with. */
const platform: Turn = (response, request, body) => {
  const { pathname, searchParams } = new URL(request.url!, vendor.url);
  if (pathname === '/oauth2/token')
    return json(201, { access_token: 't', expires_in: 1799 })(response, request, body);
  const isHosts = pathname.startsWith('/devices');
  const asked = isHosts ? Object.fromEntries(searchParams) : JSON.parse(body);
  const from = Number(asked.offset ?? asked.after ?? 0);
  const total = isHosts ? HOSTS : ALERTS;
  const end = Math.min(from + Number(asked.limit), total);
  const resources = Array.from({ length: end - from }, (_, i) =>
    isHosts ? host(from + i) : alert(from + i),
  );
  const next = end < total ? { [isHosts ? 'next' : 'after']: String(end) } : {};
  vendor.asked.length = 0;
  json(200, { meta: { pagination: { total, ...next } }, resources, errors: [] })(response, request, body);
};

const instant = (number: number) =>
  new Date(Date.parse('2026-01-01T00:00:00Z') + number * 1000).toISOString();

const host = (number: number) => ({
  device_id: number.toString(16).padStart(32, '0'),
  hostname: `host-${number}`,
  machine_domain: 'acme.com',
  os_version: 'Windows 10',
  platform_name: 'Windows',
  tags: ['FalconGroupingTags/x'],
  modified_timestamp: instant(number),
});

const alert = (number: number) => ({
  composite_id: `cid:ind:${number}`,
  agent_id: host(number % HOSTS).device_id,
  device: host(number % HOSTS),
  technique_id: `T10${10 + (number % 50)}`,
  status: 'new',
  severity: 50,
  cmdline: `${number} ${'c'.repeat(1_000)}`,
  description: 'd'.repeat(500),
  updated_timestamp: instant(number),
});

it('20,000 hosts and 50,000 detections are pulled page by page, and no page stays', async () => {
  vendor.plays(platform);
  const connector = connectorOf(
    {
      subType: 'falcon',
      config: {
        url: vendor.url,
        clientId: 'id',
        tagFilters: [],
        autoOnboardNewAssets: true,
        updateExistingAssetsMetadata: true,
      },
      secrets: { clientSecret: 'secret' },
    },
    vendor.egress,
    {
      settings: () => DEFAULT_SETTINGS,
      assets: async () => new Map(),
      retryTiming: new TestRetryTiming(),
      pageSize: PAGE_SIZE,
    },
  );
  let pages = 0;
  let records = 0;
  let instances = 0;
  const kept: number[] = [];
  for await (const page of connector.pull(null, new AbortController().signal)) {
    records += page.records;
    expect(page.failed).toEqual([]);
    for (const { securityContexts = [] } of page.signals) instances += securityContexts.length;
    if (++pages % 10 === 0) kept.push(retainedBytes('heapUsed'));
  }
  expect({ records, instances }).toEqual({ records: HOSTS + ALERTS, instances: ALERTS });
  expect(kept).toHaveLength(7);
  expect(Math.max(...kept) - kept[0]!).toBeLessThan(GROWTH_BYTES_MAX);
}, 600_000);
