import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  AXONIUS_KEYS,
  FALCON_CLIENTS,
  type Simulators,
  startSimulators,
} from '../../apps/simulators/src/index.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';

const START_MS_MAX = 240_000;
const TEST_MS_MAX = 120_000;
const SYNC_MS_MAX = 60_000;
const EGRESS_IP = '203.0.113.7';
const { full, hostsOnly } = FALCON_CLIENTS;

/** In order: each test continues with the state of the previous one. */
describeInRun({ shares: 3, turn: 1, ...CONSOLE }, 'integrations', () => {
  let site: ConsoleSite;
  let platforms: Simulators;
  let viewer: { username: string; password: string };
  /** Id of the EDR integration, after it is added. */
  let id: string;
  /** Response bodies of all pages. */
  const answers: string[] = [];

  beforeAll(async () => {
    platforms = await startSimulators({ hosts: 60, alerts: 150, devices: 60, seed: 7 });
    site = await ConsoleSite.start({ demo: false, env: { EGRESS_PUBLISHED_IP: EGRESS_IP } });
    await send('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
    const { username, password } = await send('POST', '/api/v3/credentials', {
      username: 'vera',
      role: 'viewer',
    });
    viewer = { username, password };
  }, START_MS_MAX);
  afterAll(async () => {
    await site?.stop();
    await platforms?.close();
  }, 60_000);
  afterEach(() => site?.endTest({ but: [/status of 40[049]/] }));

  async function send(method: string, path: string, body: object = {}) {
    const { status, body: answer } = await site.client.request(method, path, JSON.stringify(body));
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${answer.message}`);
    return answer;
  }

  async function open(path: string, options?: Parameters<ConsoleSite['open']>[1]): Promise<Page> {
    const page = await site.open(path, options);
    page.on('response', (response) => {
      // A body cannot be read after the page navigates.
      if (response.url().includes('/integration'))
        void response.text().then(
          (text) => answers.push(text),
          () => {},
        );
    });
    return page;
  }

  const history = (): Promise<any[]> => site.client.all(`/integrations/${id}/history`);
  const ended = () =>
    until('the sync', async () => ['COMPLETED', 'ERROR'].includes((await history())[0]?.stage), SYNC_MS_MAX);

  /** The HTML of a page with the values of its fields. */
  const held = (page: Page) =>
    page.evaluate<string>(
      "[document.documentElement.outerHTML, ...Array.from(document.querySelectorAll('input'), ({ value }) => value)].join()",
    );

  const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
  const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click();
  const testConnection = (page: Page) => page.getByRole('button', { name: 'Test connection' }).click();
  const syncNow = (page: Page) => page.getByRole('button', { name: 'Sync now' });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  it('shows the types of integrations if none exists', async () => {
    const page = await open('/integrations');
    await page.getByText('No integrations yet').waitFor();
    await page.getByText(EGRESS_IP).waitFor();
    await page.getByRole('link', { name: 'Add Falcon EDR' }).waitFor();
    await page.getByRole('link', { name: 'Add Axonius asset inventory' }).waitFor();
    await page.getByRole('link', { name: 'Add Tenable vulnerability scanner' }).waitFor();
    await site.look(page, 'integrations-empty');
    await page.getByRole('link', { name: 'Add Tenable vulnerability scanner' }).click();
    await heading(page, 'Add Tenable vulnerability scanner');
    await page.getByLabel('Access key').waitFor();
    expect(await page.getByLabel('Tag filters').count()).toBe(0);
    await site.look(page, 'integrations-add-scanner');
  });

  it(
    'adds one: shows missing fields and test results, then saves it',
    async () => {
      const page = await open('/integrations');
      await page.getByRole('link', { name: 'Add Falcon EDR' }).click();
      await heading(page, 'Add Falcon EDR');
      await save(page);
      expect(await page.getByText('This field is required.').count()).toBe(2);
      await site.look(page, 'integrations-add');

      await page.getByLabel('URL').fill(platforms.url);
      await page.getByLabel('Client ID').fill(full.id);
      const secret = page.getByLabel('Client secret');
      expect(await secret.getAttribute('type')).toBe('password');
      await secret.fill('not-the-secret');
      await testConnection(page);
      await page.getByText('The connection does not work').waitFor();
      const checks = page.getByRole('list', { name: 'Checks of the connection' }).getByRole('listitem');
      expect(await checks.count()).toBe(4);
      await checks.nth(0).getByRole('img', { name: 'passed' }).waitFor();
      await checks.nth(1).getByRole('img', { name: 'failed' }).waitFor();
      await checks.nth(2).getByRole('img', { name: 'not checked' }).waitFor();
      await checks.nth(3).scrollIntoViewIfNeeded();
      await site.look(page, 'integrations-test-failed');

      await page.getByLabel('Client ID').fill(hostsOnly.id);
      await page.getByText('Changes since the last test are not tested.').waitFor();
      await secret.fill(hostsOnly.secret);
      await testConnection(page);
      await checks.nth(3).getByText('give the API client the scope Alerts: Read', { exact: false }).waitFor();

      await page.getByLabel('Client ID').fill(full.id);
      await secret.fill(full.secret);
      await testConnection(page);
      await page.getByText('The connection works').waitFor();
      await page.getByLabel('Name').fill('EDR Berlin');
      await page.getByText('The connection works').scrollIntoViewIfNeeded();
      await site.look(page, 'integrations-test-passed');
      expect((await site.client.get('/integrations')).items).toEqual([]);

      await save(page);
      await heading(page, 'EDR Berlin');
      const [added] = (await site.client.get('/integrations')).items;
      id = added.id;
      expect(added).toMatchObject({ name: 'EDR Berlin', subType: 'falcon', configState: 'complete' });
      expect(added.config).toMatchObject({ url: platforms.url, clientId: full.id, autoSyncDays: 1 });
      expect(await held(page)).not.toContain(full.secret);
      await site.look(page, 'integration-new');

      await page.getByRole('link', { name: 'Integrations' }).first().click();
      await page.getByRole('listitem').filter({ hasText: 'EDR Berlin' }).getByText('Never synced').waitFor();
    },
    TEST_MS_MAX,
  );

  it(
    'keeps what is typed, also the secret, while a past time is displayed',
    async () => {
      const page = await open('/integrations?add=falcon');
      const lookBack = async () => {
        await page.getByRole('button', { name: /^Time travel/ }).click();
        await page.getByLabel('Exact time').fill('2020-05-31T12:30:15');
        await page.getByRole('button', { name: 'Show', exact: true }).click();
        await page.keyboard.press('Escape');
      };
      await page.getByLabel('URL').fill('https://edr.example');
      await page.getByLabel('Client secret').fill('shown-once');
      await lookBack();
      await heading(page, 'Integrations');
      expect(await page.getByLabel('URL').isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Back to now' }).click();
      await heading(page, 'Add Falcon EDR');
      expect(await page.title()).toContain('Add Falcon EDR');
      expect(await page.getByLabel('URL').inputValue()).toBe('https://edr.example');
      expect(await page.getByLabel('Client secret').inputValue()).toBe('shown-once');

      await page.goto(`${site.url}/app/integrations/${id}?tab=configuration`);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Name').fill('EDR Bremen');
      await lookBack();
      await page.getByText('Stored encrypted, never shown').waitFor();
      await page.getByRole('button', { name: 'Back to now' }).click();
      await page.getByText('Stored encrypted, never shown').waitFor({ state: 'detached' });
      expect(await page.getByLabel('Name').inputValue()).toBe('EDR Bremen');
    },
    TEST_MS_MAX,
  );

  it(
    'syncs: shows stage and percentage, and its data without a reload',
    async () => {
      const findings = await open(`/integrations/${id}?tab=findings`);
      await findings.getByText('No findings yet').waitFor();
      const assets = await open(`/integrations/${id}?tab=assets`);
      await assets.getByText('No assets yet').waitFor();

      const list = await open('/integrations');
      const page = await open(`/integrations/${id}`);
      platforms.control.fault({ path: '/alerts', nth: 2, act: { kind: 'slow', delayMs: 12_000 } });
      await syncNow(page).click();
      await page.getByRole('heading', { name: 'Pulling' }).waitFor();
      const bar = page.getByRole('progressbar', { name: 'Progress of the sync' });
      await until('a percentage', async () => Number(await bar.getAttribute('aria-valuenow')) > 0);
      expect(Number(await bar.getAttribute('aria-valuenow'))).toBeLessThan(100);
      expect(await syncNow(page).isDisabled()).toBe(true);
      await list.reload();
      await site.look(page, 'integration-sync-running');
      await list.getByText(/In Progress · \d+ %/).waitFor();
      await site.look(list, 'integrations-list');

      await page.getByText('All data was pulled and applied.').waitFor();
      const [row] = await history();
      expect(row).toMatchObject({
        stage: 'COMPLETED',
        statusName: 'Success',
        full: true,
        startedBy: 'admin',
      });
      const last = page.getByRole('region', { name: 'Last sync' });
      await last.getByText(String(row.counts.records), { exact: true }).first().waitFor();
      await site.look(page, 'integration-sync-completed');
      await list.getByRole('listitem').getByText('Success').waitFor();

      await findings.getByRole('region', { name: 'Finding View' }).getByRole('row').nth(50).waitFor();
      await assets.getByRole('region', { name: 'Asset View' }).getByRole('row').nth(1).waitFor();
    },
    TEST_MS_MAX,
  );

  it(
    'filters, sorts and pages the findings in the address bar, and links to findings and assets',
    async () => {
      const page = await open(`/integrations/${id}?tab=findings`);
      const table = page.getByRole('region', { name: 'Finding View' });
      const sorted = page.waitForResponse(/\/findings\?.*sort=-severity/);
      await page.getByRole('button', { name: 'Severity' }).click();
      await sorted;
      const [worst] = (await site.client.get(`/integrations/${id}/findings?sort=-severity&limit=1`)).items;
      await page.waitForURL(/sort=-severity/);
      await table.getByRole('row').nth(1).getByText(worst.severity.value.toFixed(1)).waitFor();
      await site.look(page, 'integration-findings');

      await page.getByRole('button', { name: 'Next page' }).click();
      await page.waitForURL(/cursor=/);
      await page.getByText('on page 2', { exact: false }).waitFor();
      await page.getByRole('button', { name: 'Previous page' }).click();
      await page.getByText('on page 1', { exact: false }).waitFor();

      await page.getByRole('searchbox', { name: 'Search' }).fill('zzzz');
      await page.getByRole('searchbox', { name: 'Search' }).press('Enter');
      await page.getByText('No findings match the filters').waitFor();
      await page.getByRole('searchbox', { name: 'Search' }).and(page.locator(':focus')).waitFor();
      await page.getByRole('searchbox', { name: 'Search' }).fill('');
      await page.getByRole('searchbox', { name: 'Search' }).press('Enter');
      await page.waitForURL((url) => !url.searchParams.has('q'));
      await table.getByRole('row').nth(1).waitFor();
      await page.getByRole('combobox', { name: 'State' }).click();
      await page.getByRole('option', { name: 'Qualified' }).click();
      await page.keyboard.press('Escape');
      const qualified = await site.client.all(`/integrations/${id}/findings?state=Qualified`);
      await page.getByText(`${Math.min(qualified.length, 50)} on page 1`, { exact: false }).waitFor();
      await page.reload();
      await table.getByText('Qualified').first().waitFor();
      expect(await table.getByText('Failed', { exact: true }).count()).toBe(0);

      const row = table.getByRole('row').nth(1);
      await row.getByRole('link').first().click();
      await page.waitForURL(/\/findings\/[0-9a-f-]{36}/);
      await page.goBack();
      await row.getByRole('link').nth(1).click();
      await page.waitForURL(/\/assets\/[0-9a-f-]{36}/);

      await page.goto(`${site.url}/app/integrations/${id}?tab=assets`);
      const assets = page.getByRole('region', { name: 'Asset View' });
      await assets.getByRole('button', { name: 'Asset' }).click();
      const [first] = (await site.client.get(`/integrations/${id}/assets?sort=name&limit=1`)).items;
      await assets.getByRole('row').nth(1).getByRole('link', { name: first.name }).waitFor();
      await site.look(page, 'integration-assets');
    },
    TEST_MS_MAX,
  );

  it(
    'edits: keeps the secret, requires it for another address, and never exposes it',
    async () => {
      const page = await open(`/integrations/${id}?tab=configuration`);
      await page.getByText('Stored encrypted, never shown').waitFor();
      await site.look(page, 'integration-configuration');
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByText('The stored secret is used.', { exact: false }).waitFor();
      await page.getByLabel('Name').fill('EDR Hamburg');
      await page.getByRole('combobox', { name: 'Tag filters' }).fill('Production,also this,');
      await testConnection(page);
      await page.getByText('The connection works').waitFor();
      await site.look(page, 'integration-edit');
      await save(page);
      await heading(page, 'EDR Hamburg');
      expect(await site.client.get(`/integrations/${id}`)).toMatchObject({
        name: 'EDR Hamburg',
        source: 'EDR Berlin',
        configState: 'complete',
        config: { tagFilters: ['Production', 'also this'], clientId: full.id },
      });

      await page.getByRole('button', { name: 'Edit' }).click();
      for (const _ of ['also this', 'Production']) {
        await page.getByRole('combobox', { name: 'Tag filters' }).press('Backspace');
      }
      await page.getByLabel('URL').fill('https://elsewhere.example');
      await page.getByText('Enter the secret again', { exact: false }).waitFor();
      await save(page);
      await page.getByText('This field is required.').waitFor();
      await page.getByLabel('URL').fill(platforms.url);
      await page.getByText('The stored secret is used.', { exact: false }).waitFor();
      await page.getByLabel('URL').fill('https://elsewhere.example');
      await page.getByLabel('Client secret').fill('abandoned');
      await page.getByLabel('URL').fill(platforms.url);
      await page.getByRole('button', { name: 'Keep the stored secret' }).click();
      await page.getByText('The stored secret is used.', { exact: false }).waitFor();
      await page.getByRole('button', { name: 'Replace' }).click();
      await page.getByLabel('Client secret').fill('has a blank');
      await save(page);
      await page.getByText('must contain only visible ASCII characters', { exact: false }).waitFor();
      await page.getByLabel('Client secret').fill(full.secret);
      let send: (() => void) | undefined;
      await page.route(`**/integrations/${id}`, async (route) => {
        if (route.request().method() === 'PATCH') await new Promise<void>((resolve) => (send = resolve));
        return route.fallback();
      });
      await save(page);
      await until('the changes are sent', () => send !== undefined);
      await page.locator('button:disabled', { hasText: 'Cancel' }).waitFor();
      send!();
      await page.getByText('Stored encrypted, never shown').waitFor();
      expect((await site.client.get(`/integrations/${id}`)).config.tagFilters).toEqual([]);
      await testConnection(page);
      await page.getByText('The connection works').waitFor();

      expect(await held(page)).not.toContain(full.secret);
      expect(answers.length).toBeGreaterThan(20);
      expect(answers.join('\n')).not.toContain(full.secret);
    },
    TEST_MS_MAX,
  );

  it(
    'reports a concurrent change',
    async () => {
      const { version } = await site.client.get(`/integrations/${id}`);
      const page = await open(`/integrations/${id}?tab=configuration`);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('combobox', { name: 'Tag filters' }).fill('Mine,');
      await send('PATCH', `/integrations/${id}`, { config: { autoSyncDays: 3 } });
      await save(page);
      if (version !== undefined) {
        await page.getByText('Another user changed this integration').waitFor();
        await page.getByRole('button', { name: 'Load current version' }).click();
      }
      await page.getByText('Every 3 days at 01:15 UTC').waitFor();
      const { config } = await site.client.get(`/integrations/${id}`);
      expect(config).toMatchObject({ autoSyncDays: 3, tagFilters: version === undefined ? ['Mine'] : [] });
      await send('PATCH', `/integrations/${id}`, { config: { tagFilters: [] } });
    },
    TEST_MS_MAX,
  );

  it(
    'reports that a sync is already in progress, and shows it',
    async () => {
      const page = await open(`/integrations/${id}`);
      await page.getByText('All data was pulled and applied.').waitFor();
      platforms.control.fault({ path: '/', act: { kind: 'slow', delayMs: 6_000 } });
      await page.getByRole('switch', { name: 'Pull all data again' }).click({ force: true });
      await send('POST', `/integrations/${id}/sync`, { full: true });
      await syncNow(page).click();
      await page.getByText('A sync is already in progress').waitFor();
      await page.getByRole('region', { name: 'Current sync' }).waitFor();
      await site.look(page, 'integration-sync-refused');
      await ended();
      await page.getByText('A sync is already in progress').waitFor({ state: 'detached' });
    },
    TEST_MS_MAX,
  );

  it(
    'cancels a running sync, and shows it in the history',
    async () => {
      const page = await open(`/integrations/${id}`);
      await page.getByText('All data was pulled and applied.').waitFor();
      platforms.control.fault({ path: '/alerts', act: { kind: 'slow', delayMs: 600_000 } });
      await syncNow(page).click();
      await page.getByRole('heading', { name: 'Pulling' }).waitFor();
      await until('the delayed response', async () => platforms.control.waitingFaults.length === 0);
      await page.getByRole('button', { name: 'Cancel sync' }).click();
      await page.getByText('The sync was cancelled.', { exact: false }).waitFor();
      await page.getByText('Requested by admin: sync of changes only.').waitFor();
      expect((await history())[0]).toMatchObject({
        statusName: 'Error',
        endReason: 'cancelled',
        cancelledBy: 'admin',
      });
      await tab(page, 'History').click();
      const table = page.getByRole('region', { name: 'History of syncs' });
      await table.getByText('Cancelled', { exact: true }).waitFor();
      // The first sync created all findings. Later syncs found them unchanged.
      const whole = (await history()).filter(({ full, status }) => full && status === 0).at(-1);
      const cells = await table.getByRole('row').last().getByRole('cell').allTextContents();
      expect(whole.outcome.created).toBeGreaterThan(0);
      expect(cells).toContain(whole.outcome.created.toLocaleString('en-US'));

      await tab(page, 'Sync').click();
      await syncNow(page).click();
      await page.getByText('All data was pulled and applied.').waitFor();
    },
    TEST_MS_MAX,
  );

  it(
    'shows the errors of a sync, also in the history',
    async () => {
      const page = await open(`/integrations/${id}`);
      await page.getByText('All data was pulled and applied.').waitFor();
      platforms.control.fault({ path: '/alerts', times: 'ever', act: { kind: 'lostScope' } });
      await page.getByRole('switch', { name: 'Pull all data again' }).click({ force: true });
      await syncNow(page).click();
      await page.getByText('Some data could not be pulled. The rest was applied.').waitFor();
      platforms.control.clearFaults();
      const [row] = await history();
      expect(row).toMatchObject({ statusName: 'Partial Success', full: true });
      const [{ what, message }] = row.errors;
      const last = page.getByRole('region', { name: 'Last sync' });
      await last.getByText(what, { exact: true }).waitFor();
      await last.getByText(message, { exact: false }).waitFor();

      platforms.control.fault({ path: '/', times: 'ever', act: { kind: 'lostScope' } });
      await syncNow(page).click();
      await page.getByText('The sync stopped early.', { exact: false }).waitFor();
      platforms.control.clearFaults();
      await site.look(page, 'integration-sync-failed');

      await tab(page, 'History').click();
      const table = page.getByRole('region', { name: 'History of syncs' });
      await table.getByRole('row').nth(1).waitFor();
      expect(await table.getByRole('row').count()).toBe(1 + (await history()).length);
      for (const status of ['Success', 'Partial Success', 'Error']) {
        await table.getByText(status, { exact: true }).last().waitFor();
      }
      const partial = table.getByRole('row').filter({ hasText: 'Partial Success' });
      await partial.getByRole('button').click();
      await table.getByText(message, { exact: false }).waitFor();
      await site.look(page, 'integration-history');
    },
    TEST_MS_MAX,
  );

  it(
    'explains the empty views of the inventory',
    async () => {
      const page = await open('/integrations?add=axonius');
      await heading(page, 'Add Axonius asset inventory');
      await page.getByLabel('Name').fill('Inventory');
      await page.getByLabel('URL').fill(platforms.url);
      await page.getByLabel('API key').fill(AXONIUS_KEYS.full.key);
      await page.getByLabel('API secret').fill(AXONIUS_KEYS.full.secret);
      const [surface] = Object.keys((await site.client.get('/api/v3/assets/counts')).attackSurface);
      await page.getByRole('combobox', { name: 'Attack surfaces' }).click();
      await page.getByRole('option', { name: surface! }).click();
      await testConnection(page);
      await page.getByText('The connection works').waitFor();
      await page.getByRole('switch', { name: 'Sync automatically' }).click({ force: true });
      await save(page);
      await heading(page, 'Inventory');
      await page.getByText('No automatic sync. This integration is synced manually.').waitFor();
      const { items } = await site.client.get('/integrations');
      expect(items.find(({ name }: any) => name === 'Inventory').config).toEqual({
        url: platforms.url,
        apiKey: AXONIUS_KEYS.full.key,
        attackSurfaceTypes: [surface],
        autoSyncDays: null,
      });
      for (const view of ['Finding View', 'Asset View']) {
        await tab(page, view).click();
        await page.getByText('This view is always empty').waitFor();
      }
      await site.look(page, 'integration-inventory-empty');
    },
    TEST_MS_MAX,
  );

  it('shows the error of the service for a duplicate name', async () => {
    const page = await open('/integrations?add=falcon');
    await page.getByLabel('Name').fill('EDR Hamburg');
    await page.getByLabel('URL').fill(platforms.url);
    await page.getByLabel('Client ID').fill(full.id);
    await page.getByLabel('Client secret').fill(full.secret);
    await save(page);
    await page.getByText('Another integration has the name EDR Hamburg: choose another name.').waitFor();
  });

  it(
    'shows all data but no actions to a viewer',
    async () => {
      const page = await open('/integrations', { as: viewer, colorScheme: 'dark' });
      await page.getByRole('link', { name: 'EDR Hamburg' }).waitFor();
      await page.getByText('Next sync').first().waitFor();
      expect(await page.getByRole('link', { name: /^Add/ }).count()).toBe(0);
      await site.look(page, 'integrations-viewer-dark');
      await page.getByRole('link', { name: 'EDR Hamburg' }).click();
      await page.getByRole('region', { name: 'Last sync' }).waitFor();
      expect(await syncNow(page).count()).toBe(0);
      await site.look(page, 'integration-viewer-dark');
      await tab(page, 'Configuration').click();
      await page.getByText('Stored encrypted, never shown').waitFor();
      for (const act of ['Edit', 'Test connection', 'Remove']) {
        expect(await page.getByRole('button', { name: act }).count()).toBe(0);
      }
      await page.goto(`${site.url}/app/integrations?add=falcon`);
      await heading(page, 'Integrations');
    },
    TEST_MS_MAX,
  );

  it(
    'shows past views without actions',
    async () => {
      const { createdAt } = await site.client.get(`/integrations/${id}`);
      const page = await open(`/integrations/${id}?tab=findings&asOf=${createdAt}`);
      await page.getByText('Syncs and configuration show the current state', { exact: false }).waitFor();
      await page.getByText('No findings yet').waitFor();
      await tab(page, 'Sync').click();
      expect(page.url()).toContain('asOf=');
      await page.getByRole('region', { name: 'Last sync' }).waitFor();
      expect(await syncNow(page).isDisabled()).toBe(true);
      await tab(page, 'Configuration').click();
      for (const act of ['Edit', 'Test connection', 'Remove']) {
        expect(await page.getByRole('button', { name: act }).isDisabled()).toBe(true);
      }
      await site.look(page, 'integration-past');
      await page.goto(`${site.url}/app/integrations?asOf=${createdAt}`);
      await page.getByText('Integrations always show the current state', { exact: false }).waitFor();
      expect(await page.getByRole('link', { name: /^Add/ }).count()).toBe(0);
    },
    TEST_MS_MAX,
  );

  it(
    'is usable on a phone',
    async () => {
      const page = await open('/integrations', { on: 'phone' });
      await page.getByRole('link', { name: 'EDR Hamburg' }).waitFor();
      await site.look(page, 'integrations-phone');
      await page.getByRole('link', { name: 'EDR Hamburg' }).click();
      await page.getByRole('region', { name: 'Last sync' }).waitFor();
      await site.look(page, 'integration-phone');
      await tab(page, 'Configuration').click();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByText('The stored secret is used.', { exact: false }).waitFor();
      await site.look(page, 'integration-edit-phone');
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(390);
    },
    TEST_MS_MAX,
  );

  it(
    'removes one only after its name is typed, and keeps its data',
    async () => {
      const page = await open(`/integrations/${id}?tab=configuration`);
      await page.getByRole('button', { name: 'Remove' }).click();
      const dialog = page.getByRole('dialog');
      const sure = dialog.getByRole('button', { name: 'Remove' });
      expect(await sure.isDisabled()).toBe(true);
      await dialog.getByLabel('Type EDR Hamburg to confirm').fill('EDR Ham');
      expect(await sure.isDisabled()).toBe(true);
      await dialog.getByLabel('Type EDR Hamburg to confirm').fill('EDR Hamburg');
      await site.look(page, 'integration-remove');
      let send: (() => void) | undefined;
      await page.route(`**/integrations/${id}`, async (route) => {
        if (route.request().method() === 'DELETE') await new Promise<void>((resolve) => (send = resolve));
        return route.fallback();
      });
      await sure.click();
      await until('the removal is sent', () => send !== undefined);
      await dialog.locator('button:disabled', { hasText: 'Cancel' }).waitFor();
      expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
      send!();
      await heading(page, 'Integrations');
      await page.getByRole('link', { name: 'Inventory', exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'EDR Hamburg' }).count()).toBe(0);
      const { items } = await site.client.get('/integrations');
      expect(items.map(({ name }: any) => name)).toEqual(['Inventory']);
      expect((await site.client.get('/api/v3/assets?limit=1')).items).toHaveLength(1);
      await page.goto(`${site.url}/app/integrations/${id}`);
      await heading(page, 'Integration not found');
    },
    TEST_MS_MAX,
  );
});
