import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { plainSignal } from '../support/api-client.ts';
import { until } from '../support/until.ts';
import { posture } from '../support/verify.ts';
import { ConsoleSite, signIn } from './console-site.ts';
import { describeConsole } from './describe-console.ts';
import { oneDecimal } from './shown.ts';

const START_MS_MAX = 240_000;
const DAY_MS = 86_400_000;
jest.setTimeout(300_000);

const press = (within: Pick<Page, 'getByRole'>, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true }).click();
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const go = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
/** The boxes of findings, not the one of the page. */
const FINDING_BOX = /^Select (?!all on this page)/;

const isLoaded = async (page: Page) =>
  (await page.locator('#main').locator('[role=status], [data-stale], [aria-busy=true]').count()) === 0;

/** Each day continues what the people before have left. */
describeConsole('a working day', () => {
  let site: ConsoleSite;
  let worked: { id: string; name: string };
  const person = async (username: string, role: string) => {
    const given = JSON.stringify({ username, role });
    const { status, body } = await site.client.request('POST', '/api/v3/credentials', given);
    expect(status).toBe(200);
    return { username, password: body.password as string };
  };
  /** Opens the start page and signs in, as at the beginning of a day. */
  const begin = async (username: string, role: string) => {
    const page = await site.open('/', { as: null, on: 'wide' });
    await signIn(page, await person(username, role));
    await heading(page, 'Overview').waitFor();
    return page;
  };

  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: 'past' });
    const auditors = {
      name: 'auditors',
      scopes: ['audit:read', 'changes:read', 'findings:read', 'assets:read', 'scores:read'],
    };
    expect((await site.client.request('POST', '/api/v3/roles', JSON.stringify(auditors))).status).toBe(200);
    // The demo ends yesterday: shortly before midnight, its last scan is a day ago and more.
    await site.client.signal(plainSignal('found today', 'today01'));
    await until('a score change of today', async () => {
      const since = new Date(Date.now() - DAY_MS).toISOString();
      const { causes } = await site.client.get(`/api/v3/scores/organization/explain?from=${since}`);
      return causes.some(({ assetName }: { assetName: string }) => assetName === 'today01');
    });
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 120_000);
  afterEach(() => site.endTest());

  const SECTIONS = [
    'Score changes since yesterday',
    'Most effective fixes',
    'Risk by',
    'Failed findings',
    'Due dates',
    'Time to remediate',
    'Assets not seen for',
    'Expected annual loss',
    'Fixes that avoid most loss',
  ];
  const QUEUE = ['My queue', 'New since my last visit'];

  it.each([
    ['viewer', 'vera', 'viewer', SECTIONS],
    // Amounts need `settings:read`.
    ['auditor', 'orla', 'auditors', SECTIONS.filter((section) => !/loss$/.test(section))],
    ['analyst of the demo', 'ines.costa', 'analyst', [...QUEUE, ...SECTIONS]],
    ['admin', null, '', ['Site', ...SECTIONS, ...QUEUE]],
  ])(
    'begins for a newcomer with an overview without an empty section: as %s',
    async (_, username, role, sections) => {
      const page = username === null ? await site.open('/', { on: 'wide' }) : await begin(username, role);
      await until('every section is loaded', async () => {
        await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
        const titles = await page.locator('#main h2').allTextContents();
        return sections.every((section) => titles.includes(section)) && (await isLoaded(page));
      });
      expect(await page.locator('#main').locator('.tabler-icon-inbox').count()).toBe(0);
      await page.evaluate('window.scrollTo(0, 0)');
      await site.look(page, `day-newcomer-${role || 'admin'}`);
    },
  );

  it('begins for a newcomer with plans, syncs and notifications of the past', async () => {
    const page = await site.open('/plans', { on: 'wide' });
    await page.getByRole('link', { name: 'Hardening of configurations' }).waitFor();
    await page.getByText('Active, overdue').waitFor();
    await page.getByRole('link', { name: 'Machines with open detections' }).click();
    await region(page, 'Burn-down').waitFor();
    await region(page, 'Promised and brought').getByText('Brought by the plan').waitFor();
    await site.look(page, 'plan');
    await go(page, 'Integrations');
    await page.getByRole('link', { name: 'endpoint-agent' }).click();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('region', { name: 'History of syncs' }).locator('tbody tr').nth(10).waitFor();
    await site.look(page, 'integration-history');
    await go(page, 'Settings');
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByLabel('Action', { exact: true }).selectOption('finding.ticketsChanged');
    await press(page, 'Filter');
    await page.getByText('https://tickets.halden.example/browse/HAL-', { exact: false }).first().waitFor();
    expect(await page.getByText('[object Object]').count()).toBe(0);
  });

  it('of an analyst: takes the worst findings, discusses, plans and accepts them, and keeps the view', async () => {
    const page = await begin('ana', 'analyst');
    await region(page, 'Failed findings')
      .getByRole('link', { name: /^Critical/ })
      .click();
    await heading(page, 'Findings').waitFor();
    const boxes = page.getByRole('checkbox', { name: FINDING_BOX });
    await boxes.nth(1).waitFor();
    for (const i of [0, 1]) await boxes.nth(i).check();

    await press(page, 'Triage');
    await page.getByRole('menuitem', { name: 'Assign …' }).click();
    const assign = page.getByRole('dialog', { name: 'Assign: many findings' });
    await press(assign, 'Me');
    await press(assign, 'Preview');
    await assign.getByText('2 findings will be assigned to ana.').waitFor();
    await press(assign, 'Assign: 2 findings');
    await assign.getByText('2 findings assigned to ana', { exact: false }).waitFor();
    await assign.getByRole('button', { name: 'Close', exact: true }).last().click();

    await page
      .getByRole('combobox', { name: 'Search and filter' })
      .fill('assignee:ana severity:critical state:Failed ');
    await until('the list shows hers', async () => (await boxes.count()) === 2);
    await press(page, 'Views');
    await page.getByRole('menuitem', { name: 'Save as a view' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('My worst');
    await press(page, 'Save');
    await page.getByRole('button', { name: 'My worst', exact: true }).waitFor();
    await site.look(page, 'day-analyst-queue');

    const link = page
      .getByRole('region', { name: 'Findings' })
      .locator('tbody a[href*="/findings/"]')
      .first();
    const name = (await link.textContent())!;
    await link.click();
    await heading(page, name).waitFor();
    worked = { id: new URL(page.url()).pathname.split('/').at(-1)!, name };
    await region(page, 'Triage').getByRole('link', { name: 'ana' }).waitFor();
    await region(page, 'Comments')
      .getByRole('textbox', { name: 'Comment' })
      .fill('Vendor has **no patch**, @mia');
    await press(region(page, 'Comments'), 'Comment');
    await region(page, 'Comments').getByRole('listitem').getByText('no patch').waitFor();
    await press(page, 'Accept the risk');
    const accept = page.getByRole('dialog');
    await accept.getByLabel('Rationale').fill('No patch before the spring release');
    await press(accept, 'Accept');
    await accept.getByText('Enter an end', { exact: false }).waitFor();
    await accept.getByLabel('Until').fill('2099-04-01T00:00:00');
    await press(accept, 'Accept');
    await accept.waitFor({ state: 'detached' });
    await region(page, 'Status').getByText('No patch before the spring release').waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('Uploads');
    await page
      .getByRole('option', { name: /^Uploads/ })
      .first()
      .click();
    await heading(page, 'Uploads').waitFor();
    const steps = await site.client.all(`/api/v3/findings/${worked.id}/history`);
    expect(steps.at(-1)).toMatchObject({ to: 'AcceptedFailed' });
    expect(await site.client.get(`/api/v3/findings/${worked.id}`)).toMatchObject({
      assignee: { type: 'user', name: 'ana' },
      accepted: { by: 'ana', until: '2099-04-01T00:00:00.000Z' },
    });
  });

  it('of a manager: reads score, causes, groups and due dates, and takes the board report home', async () => {
    const page = await begin('mia', 'viewer');
    const { score } = await site.client.get('/api/v3/scores/organization');
    expect(await page.getByTestId('score').textContent()).toBe(oneDecimal(score));
    await page.getByRole('list', { name: 'Causes, largest first' }).getByRole('listitem').first().waitFor();
    await page
      .getByRole('list', { name: 'Fixes, most effective first' })
      .getByRole('listitem')
      .first()
      .waitFor();
    await region(page, 'Due dates').getByRole('link').first().waitFor();
    await site.look(page, 'day-manager-overview');

    const download = page.waitForEvent('download');
    await press(page, 'Board report');
    const report = await (await download).path();
    const { env, url } = { env: site.service.env, url: site.url };
    const checked = await posture(
      { ...env, POSTURE_URL: url, ...(await asEnv('board-checker')) },
      'report',
      '--check',
      report,
    );
    expect(checked).toMatch(/matches/);

    await region(page, 'Risk by').getByRole('link').first().click();
    await page.getByTestId('score').first().waitFor();
    await page.goBack();
    await go(page, 'ATT&CK matrix');
    await heading(page, 'ATT&CK matrix').waitFor();
    await go(page, 'Findings');
    await heading(page, 'Findings').waitFor();
    expect(await page.getByRole('checkbox', { name: FINDING_BOX }).count()).toBe(0);
  });

  it('of an auditor: asks who accepted what and why, and what was known before', async () => {
    const page = await begin('otto', 'auditors');
    await go(page, 'Settings');
    await heading(page, 'Sessions').waitFor();
    expect(await page.getByRole('navigation', { name: 'Settings' }).getByText('Policies').count()).toBe(0);
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByLabel('User', { exact: true }).fill('ana');
    await page.getByLabel('Action', { exact: true }).selectOption('finding.accepted');
    await press(page, 'Filter');
    // The list before the filter has it too.
    const details = page.getByRole('button', { name: 'Details', exact: true });
    await until('the filtered acts', async () => (await details.count()) === 1);
    await page.getByText('Rationale: No patch before the spring release').waitFor();
    await site.look(page, 'day-auditor-trail');
    await details.click();
    await page.getByRole('link', { name: 'Finding', exact: true }).click();
    await heading(page, worked.name).waitFor();
    const steps = region(page, 'History').getByRole('listitem');
    await steps.getByText('by ana').first().waitFor();
    await steps.first().getByRole('link', { name: 'Show at this time' }).click();
    await page.waitForURL(/asOf=/);
    await region(page, 'Status')
      .getByText('No patch before the spring release')
      .waitFor({ state: 'detached' });
    expect(await region(page, 'Triage').getByRole('link', { name: 'ana' }).count()).toBe(0);
    await press(page, 'Back to now');
    await region(page, 'Status').getByText('No patch before the spring release').waitFor();
  });

  const asEnv = async (username: string) => {
    const { password } = await person(username, 'viewer');
    return { POSTURE_USERNAME: username, POSTURE_PASSWORD: password };
  };
});
