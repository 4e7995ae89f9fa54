import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { FALCON_CLIENTS, type Simulators, startSimulators } from '../../apps/simulators/src/index.ts';
import { plainSignal, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';

const START_MS_MAX = 240_000;
jest.setTimeout(120_000);
const DAY_MS = 86_400_000;
const LONG_NAME = `com.acme.${'Verylongclassname'.repeat(4)}`;
const EMAIL = `${'a'.repeat(48)}@platform.example`;

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const isWithinWidth = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

const failing = (name: string, severity: number, daysAgo: number) => {
  const { securityContext, ...signal } = plainSignal(name, 'web01.example.com');
  return {
    ...signal,
    firstSeen: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
    securityContext: { ...securityContext, severity: { type: 'cvss', value: severity } },
  };
};

describeInRun({ shares: 3, turn: 2, ...CONSOLE }, 'the overview of each role', () => {
  let database: TestDatabase;
  let site: ConsoleSite;
  let platforms: Simulators;
  let viewer: { username: string; password: string };
  let analyst: { username: string; password: string };

  async function send(method: string, path: string, body: object = {}) {
    const { status, body: answer } = await site.client.request(method, path, JSON.stringify(body));
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${answer.message}`);
    return answer;
  }
  const upload = async (entries: Record<string, unknown>) => {
    const { body } = await site.client.zip(await zipOf(entries), {}, '?invalid=skip');
    await site.client.folded(body.uploadId);
  };
  const named = async (name: string) =>
    (await site.client.get(`/api/v3/findings?name=${encodeURIComponent(name)}`)).items[0];
  const credential = async (username: string, role: string) => {
    const { password } = await send('POST', '/api/v3/credentials', { username, role });
    return { username, password };
  };
  const titles = (page: Page) => page.locator('#main h2').allTextContents();
  const lines = (page: Page, label: string) =>
    page.getByRole('list', { name: label }).getByRole('link').allTextContents();

  /** What an admin triages is loaded when it is in view. */
  const toEnd = async (page: Page) => {
    await region(page, 'Failed findings').getByRole('listitem').first().waitFor();
    await until('the end is in view', async () => {
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
      return (await region(page, 'My queue').count()) === 1;
    });
  };

  beforeAll(async () => {
    platforms = await startSimulators({ hosts: 5, alerts: 5, devices: 5, seed: 7 });
    database = await testDatabase();
    site = await ConsoleSite.start({ demo: false, env: { DATABASE_URL: database.url } });
    viewer = await credential('vera', 'viewer');
    analyst = await credential(EMAIL, 'analyst');
    const sla = { severity: { high: 30 }, ssvc: {}, kev: null, exceptionsNeedEnd: false };
    await send('PATCH', '/api/v3/settings', { sla, egressAllow: ['127.0.0.1'] });
    await upload({
      '1.json': failing('Overdue patch', 7.5, 40),
      '2.json': failing('Patch in time', 7.5, 1),
      '3.json': failing(LONG_NAME, 5, 5),
      '4.json': failing('Of another user', 9.5, 1),
      '5.json': failing('Of long ago', 9.8, 300),
    });
    const assign = async (name: string, assignee: string) =>
      send('POST', `/api/v3/findings/${(await named(name)).id}/assign`, {
        assignee: { type: 'user', name: assignee },
      });
    await assign('Overdue patch', EMAIL);
    await assign('Patch in time', EMAIL);
    for (const name of ['Of another user', 'Of long ago']) await assign(name, 'bo');
    await send('POST', '/api/v3/owner-rules', { rules: [{ owner: { type: 'user', name: EMAIL } }] });
    await until('the asset is scored', async () => {
      const { at, scoredAssets } = await site.client.get('/api/v3/scores/organization');
      return at !== null && scoredAssets === 1;
    });
  }, START_MS_MAX);
  afterAll(async () => {
    await site?.stop();
    await database?.drop();
    await platforms?.close();
  }, 120_000);
  afterEach(() => site.endTest());

  it('of a viewer begins with the score, and asks for nothing to do', async () => {
    const page = await site.open('/', { as: viewer });
    await region(page, 'Failed findings').getByRole('listitem').first().waitFor();
    expect(await titles(page)).toEqual(
      expect.arrayContaining(['Most effective fixes', 'Due dates', 'Time to remediate']),
    );
    expect(await titles(page)).not.toEqual(expect.arrayContaining(['My queue']));
    expect(await titles(page)).not.toEqual(expect.arrayContaining(['Site']));
  });

  it('of a role that no section is for leads to the pages of the role', async () => {
    await send('POST', '/api/v3/roles', { name: 'trail', scopes: ['audit:read', 'changes:read'] });
    const page = await site.open('/', { as: await credential('toni', 'trail') });
    const main = page.locator('#main');
    await main.getByText('Your role cannot read any section of this page', { exact: true }).waitFor();
    await site.look(page, 'overview-other-pages');
    await main.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Audit trail' }).click();
    const row = page.getByRole('row', { name: /Finding assigned/ }).first();
    await row.waitFor();
    // The finding, which the role may not read, is no link.
    expect(await row.getByRole('link').count()).toBe(0);
    await page.goto(`${site.url}/app/?asOf=${new Date().toISOString()}`);
    await main.getByText('Your role cannot read any section of this page at a past time').waitFor();
  });

  it('of an analyst begins with the own findings, by due date, also those of owner rules', async () => {
    const page = await site.open('/', { as: analyst });
    const queue = region(page, 'My queue');
    await queue.getByRole('link', { name: '1 finding overdue' }).waitFor();
    await queue.getByText('1 due, 1 without a due date.', { exact: false }).waitFor();
    expect(await lines(page, 'My findings, next due first')).toEqual([
      'Overdue patch',
      'Patch in time',
      LONG_NAME,
    ]);
    await queue.getByText('Overdue', { exact: true }).waitFor();
    expect((await titles(page))[0]).toBe('My queue');
    expect(await titles(page)).not.toEqual(expect.arrayContaining(['Site']));
    await site.look(page, 'overview-analyst');
    await queue.getByRole('link', { name: '1 finding overdue' }).click();
    await region(page, 'Findings').getByRole('link', { name: 'Overdue patch' }).waitFor();
    expect(await region(page, 'Findings').locator('tbody tr').count()).toBe(1);
    await page.goBack();
    await queue.getByRole('link', { name: 'All 3' }).click();
    await until(
      'the own findings',
      async () => (await region(page, 'Findings').locator('tbody tr').count()) === 3,
    );
    await page.goto(`${site.url}/app/?asOf=${new Date().toISOString()}`);
    await region(page, 'Failed findings').waitFor();
    expect(await queue.count()).toBe(0);
  });

  it('shows what is new since the last visit, which the browser remembers for each user', async () => {
    const page = await site.open('/', { as: analyst });
    const news = region(page, 'New since my last visit');
    await news.getByText('This browser remembers no visit', { exact: false }).waitFor();
    await news.getByRole('link', { name: '5 findings' }).waitFor();
    expect((await lines(page, 'New findings, most severe first'))[0]).toBe('Of long ago');
    const stored = () =>
      page.evaluate<Record<string, { before: number | null; last: number }>>(
        "JSON.parse(localStorage.getItem('posture-visits'))",
      );
    const [[id, visits]] = Object.entries(await stored()) as [[string, { before: null; last: number }]];
    expect([id, visits.before]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), null]);

    // Before the visit sources had seen them, and not sent them. The storage also has what is not readable.
    const ago = Date.now() - 2 * DAY_MS;
    const kept = JSON.stringify({
      [id]: { before: null, last: ago },
      other: 'x',
      'user-2': { before: null, last: 1 },
    });
    await page.evaluate(`localStorage.setItem('posture-visits', ${JSON.stringify(kept)})`);
    await page.reload();
    await news.getByText('Only this browser remembers', { exact: false }).waitFor();
    await news.getByRole('link', { name: '5 findings' }).waitFor();
    await page.reload();
    await news.getByRole('link', { name: '5 findings' }).click();
    await until(
      'the new findings',
      async () => (await region(page, 'Findings').locator('tbody tr').count()) === 5,
    );
    expect(new URL(page.url()).searchParams.get('failedAfter')).toBe(new Date(ago).toISOString());
    await page.goBack();
    await news.getByRole('button', { name: 'Mark as seen' }).click();
    await news.getByText('Nothing new').waitFor();
    expect(Object.keys(await stored()).sort()).toEqual([id, 'user-2'].sort());
    await upload({ '1.json': failing('Of last night', 6, 1) });
    await news.getByRole('link', { name: '1 finding', exact: true }).waitFor();
    await page.evaluate("localStorage.setItem('posture-visits', '{broken')");
    await page.reload();
    await news.getByText('This browser remembers no visit', { exact: false }).waitFor();
  });

  it('of an admin has the state of the site: uploads, syncs, webhooks, refusals', async () => {
    const page = await site.open('/');
    const state = region(page, 'Site');
    await state.getByText('All uploads are processed').waitFor();
    await state.getByText('No failed sync').waitFor();
    await state.getByText(/^The database has [\d.,]+ (MB|GB)\./).waitFor();
    await state.getByText('No webhook has stopped').waitFor();
    await state.getByText('No rejected entries').waitFor();
    await state.getByText('No refused upload').waitFor();
    await toEnd(page);
    await region(page, 'My queue').getByText('Nothing to do').waitFor();
    await region(page, 'New since my last visit').waitFor();

    await upload({ '1.json': failing('Overdue patch', 7.5, 40), '2.json': '{broken' });
    const { full } = FALCON_CLIENTS;
    for (const body of ['{broken', '{}', 'x'.repeat(2_000_000)]) await site.client.signal(body);
    const added = await send('POST', '/integration', {
      type: 'edrplugin',
      subType: 'falcon',
      name: 'Falcon of the platform team',
      config: { url: platforms.url, clientId: full.id, clientSecret: full.secret },
    });
    platforms.control.fault({ path: '/', times: 'ever', act: { kind: 'lostScope' } });
    await send('POST', `/integrations/${added.id}/sync`);
    await until('the sync failed', async () => {
      const { sync } = await site.client.get(`/integrations/${added.id}`);
      return sync?.statusName === 'Error';
    });
    const basic = Buffer.from('vera:wrong').toString('base64');
    const refused = await fetch(`${site.url}/api/v3/auth`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
    });
    expect(refused.status).toBe(401);
    await page.reload();
    await state.getByRole('link', { name: 'Rejected entries' }).waitFor();
    await state.getByText('1 in 1 upload of the last', { exact: false }).waitFor();
    await state.getByText('Falcon of the platform team').waitFor();
    await until('the refused uploads are recorded', async () => {
      await page.reload();
      await state.getByText('Since yesterday').first().waitFor();
      return (await state.getByText('3 refused uploads').count()) === 1;
    });
    await state.getByText('2 with invalid content, 1 too large.', { exact: false }).waitFor();
    await until('the refusal is recorded', async () => {
      await page.reload();
      await state.getByText('Since yesterday').first().waitFor();
      return (await state.getByText(/\d+ refused sign-in/).count()) === 1;
    });
    await site.look(page, 'overview-admin');
    await state.getByRole('link', { name: 'Last sync failed: 1 of 1 integration' }).click();
    await page.getByRole('heading', { level: 1, name: 'Falcon of the platform team' }).waitFor();

    const { pool } = database;
    await pool.query("update syncs set end_reason = 'cancelled' where integration_id = $1", [added.id]);
    await page.goto(`${site.url}/app/`);
    await state.getByText('No failed sync').waitFor();
    await pool.query('delete from integration_secrets where integration_id = $1', [added.id]);
    await page.reload();
    await state.getByRole('link', { name: 'Secret missing: 1 of 1 integration' }).waitFor();
    await state.getByText('No failed sync').waitFor();
    await pool.query('update syncs set end_reason = null where integration_id = $1', [added.id]);
  });

  it('of a role of the site has the sections of its scopes', async () => {
    await send('POST', '/api/v3/roles', {
      name: 'operator',
      scopes: ['changes:read', 'integrations:read', 'integrations:write'],
    });
    const operator = await credential('olga', 'operator');
    const page = await site.open('/', { as: operator });
    await region(page, 'Site').getByText('Last sync failed', { exact: false }).waitFor();
    expect(await titles(page)).toEqual(['Site']);
    const menu = page.getByRole('navigation', { name: 'Main' });
    expect(await menu.getByRole('link').allTextContents()).toEqual(['Overview', 'Integrations', 'Settings']);
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search everything' });
    await dialog.getByRole('combobox').fill('integrations');
    await dialog.getByRole('option', { name: 'Integrations' }).waitFor();
    await dialog.getByRole('combobox').fill('CVE-2024-20001');
    await dialog.getByText('Nothing found').waitFor();
    for (const path of ['/findings', '/plans', '/assets', '/groups']) {
      await page.goto(`${site.url}/app${path}`);
      await page.getByText('Not available').waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    }
    site.expectNoComplaint({ but: [/status of 403/] });
  });

  it.each([
    ['phone', 'dark'],
    ['tablet', 'light'],
    ['wide', 'dark'],
  ] as const)('fits a %s, in %s colours', async (on, colorScheme) => {
    for (const [role, as] of [
      ['analyst', analyst],
      ['admin', undefined],
      ['viewer', viewer],
    ] as const) {
      const page = await site.open('/', { on, colorScheme, ...(as && { as }) });
      await region(page, 'Failed findings').getByRole('listitem').first().waitFor();
      if (role === 'admin') await toEnd(page);
      if (role !== 'viewer')
        await page.getByRole('list', { name: 'New findings, most severe first' }).waitFor();
      expect([role, await isWithinWidth(page)]).toEqual([role, true]);
      await site.look(page, `overview-${role}-${on}-${colorScheme}`);
    }
  });
});
