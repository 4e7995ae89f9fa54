import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { plainSignal, zipOf } from '../support/api-client.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { ADMIN } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';
import { oneDecimal } from './shown.ts';

const START_MS_MAX = 240_000;
/** A loaded service responds after 10 s even if it has not folded everything. */
const BULK_MS_MAX = 60_000;
const TEST_MS_MAX = 120_000;

/** Pattern of the outcome of an action. */
const settled = (done: string, count: number | string) =>
  new RegExp(`^${count} findings? (${done}|pending)$`);

/** The rows of the table, by their names. */
const names = (page: Page, table: 'Findings' | 'Assets') =>
  page.getByRole('region', { name: table }).locator(`tbody a[href*="/${table.toLowerCase()}/"]`);

const showsNames = (page: Page, table: 'Findings' | 'Assets', expected: string[]) =>
  until(`the table shows ${expected.length} rows`, async () => {
    const shown = await names(page, table).allTextContents();
    return JSON.stringify(shown) === JSON.stringify(expected);
  });

/** A browser without a screen shows all of its pages: the window says whether it is hidden. */
const HIDEABLE = `
  Object.defineProperty(document, 'hidden', { get: () => window.isHidden === true });
  Object.defineProperty(document, 'visibilityState', { get: () => (document.hidden ? 'hidden' : 'visible') })`;
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`window.isHidden = ${isHidden}; document.dispatchEvent(new Event('visibilitychange'))`);

/** The query of the address. */
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

describeInRun({ shares: 3, turn: 0, ...CONSOLE }, 'lists', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: true });
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 60_000);
  afterEach(() => site.endTest({ but: [/status of 40[039]/] }));

  const findings = async (search = ''): Promise<any[]> =>
    (await site.client.get(`/api/v3/findings?sort=-severity&limit=50${search}`)).items;
  const namesOf = (items: any[]) => items.map(({ name }) => name);

  describe('the search for everything', () => {
    it('opens with Ctrl+K, finds assets, findings, IDs and pages, and opens the chosen result', async () => {
      const { items: assets } = await site.client.get('/api/v3/assets?limit=1');
      const page = await site.open('/findings');
      await page.getByRole('combobox', { name: 'Search and filter' }).fill('x');
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog', { name: 'Search everything' });
      const box = dialog.getByRole('combobox');
      await box.fill(assets[0].name);
      await dialog.getByRole('option', { name: assets[0].name }).first().waitFor();
      await site.look(page, 'search');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: assets[0].name }).waitFor();

      const { cves } = (await findings('&state=Failed')).find(({ cves }) => cves.length > 0);
      await page.keyboard.press('Control+k');
      await box.fill(cves[0].toLowerCase());
      await dialog.getByRole('option', { name: `Findings with ${cves[0]}` }).waitFor();
      await page.keyboard.press('Enter');
      await until('the list shows its findings', () => query(page).cve === cves[0]);

      await page.keyboard.press('Control+k');
      await box.fill('audit');
      await dialog.getByRole('option', { name: 'Audit trail Settings' }).waitFor();
      await page.keyboard.press('Enter');
      await until('the page', () => page.url().includes('/settings/audit'));
    });

    it('opens no result of an earlier text', async () => {
      const { items: assets } = await site.client.get('/api/v3/assets?limit=2');
      const [earlier, later] = assets;
      const search = `q=${encodeURIComponent(later.name)}&limit=5`;
      const [expected] = (await site.client.get(`/api/v3/assets?${search}`)).items;
      const page = await site.open('/uploads');
      const held: (() => void)[] = [];
      await page.route(
        (url) => url.searchParams.get('q') === later.name,
        async (route) => {
          await new Promise<void>((resolve) => held.push(resolve));
          await route.continue();
        },
      );
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog', { name: 'Search everything' });
      await dialog.getByRole('combobox').fill(earlier.name);
      await dialog.getByRole('option', { name: earlier.name }).first().waitFor();
      await dialog.getByRole('combobox').fill(later.name);
      await page.keyboard.press('Enter');
      await until('the service is asked', () => held.length === 2);
      await page.keyboard.press('Enter');
      expect(new URL(page.url()).pathname).toBe('/app/uploads');
      for (const release of held) release();
      await page.waitForURL(`**/app/assets/${expected.id}`);
    });

    it('says that the service is busy or not reached, not that nothing was found', async () => {
      const page = await site.open('/uploads');
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog', { name: 'Search everything' });
      const status = dialog.getByRole('status').filter({ hasText: /./ });
      const json = { statusCode: 429, error: 'Too Many Requests', message: '5', retryIn: 5 };
      await page.route(/[?&]q=busy/, (route) => route.fulfill({ status: 429, json }));
      await dialog.getByRole('combobox').fill('busy');
      await status.waitFor();
      expect(await status.textContent()).toBe('The service is busy. Try again in 5 seconds.');
      await page.context().setOffline(true);
      await dialog.getByRole('combobox').fill('xyzzyplugh');
      await status.filter({ hasText: 'The service is not responding.' }).waitFor();
      expect(await dialog.getByText('Nothing found').count()).toBe(0);
      await page.context().setOffline(false);
      await status.filter({ hasText: 'Nothing found' }).waitFor();
      site.expectNoComplaint({ but: [/status of 429/, /ERR_INTERNET_DISCONNECTED/] });
    });

    it('shows what one list finds by a value that the other does not know', async () => {
      const { items } = await site.client.get('/api/v3/assets?limit=1');
      const page = await site.open('/uploads');
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog', { name: 'Search everything' });
      const refused = page.waitForResponse((response) => response.status() === 400);
      await dialog.getByRole('combobox').fill(`type:"${items[0].type}" ${items[0].name}`);
      await dialog.getByRole('option', { name: items[0].name }).first().waitFor();
      await refused;
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      expect(await dialog.getByText('type must be').count()).toBe(0);
      site.expectNoComplaint({ but: [/status of 400/] });
    });

    it('says that nothing was found, and returns the focus', async () => {
      const page = await site.open('/assets', { on: 'phone' });
      // The heading takes the focus when the page opens.
      await page.getByRole('region', { name: 'Assets' }).getByRole('listitem').first().waitFor();
      const button = page.getByRole('button', { name: 'Search everything' });
      await button.click();
      const dialog = page.getByRole('dialog', { name: 'Search everything' });
      await dialog.getByRole('combobox').fill('xyzzyplugh');
      await dialog.getByText('Nothing found').waitFor();
      await site.look(page, 'search-on-a-phone');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.locator('button[aria-label="Search everything"]:focus').waitFor();
    });
  });

  describe('of findings', () => {
    it('initially shows failed findings, highest severity first, with their number', async () => {
      const page = await site.open('/findings');
      await showsNames(page, 'Findings', namesOf(await findings('&state=Failed')));
      expect(query(page)).toEqual({ state: 'Failed' });
      const { total } = await site.client.get('/api/v3/findings/counts?state=Failed');
      await page.getByText(`${total.toLocaleString('en-GB')} findings`).waitFor();
      const [first] = await findings('&state=Failed');
      const link = page.getByRole('link', { name: first.name }).first();
      expect(await link.getAttribute('href')).toBe(`/app/findings/${first.id}`);
      await site.look(page, 'findings');
    });

    it('saves the technical report of the filter, unless it is by decision', async () => {
      const page = await site.open('/findings?state=Failed&severityMin=9');
      await names(page, 'Findings').first().waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Technical report' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toMatch(/^technical-report-\d{4}-\d\d-\d\d\.html$/);
      const { total } = await site.client.get('/api/v3/findings/counts?state=Failed&severityMin=9');
      expect(await readFile(await file.path(), 'utf8')).toContain(`<h2>Findings: ${total}</h2>`);
      await page.getByText(`${file.suggestedFilename()} is complete`, { exact: false }).waitFor();
      await page.goto(`${site.url}/app/findings?ssvc=Act`);
      await page.locator('button:disabled', { hasText: 'Technical report' }).waitFor();
    });

    it('searches while the user types, keeps all characters and the focus; / focuses the search', async () => {
      const page = await site.open('/findings');
      await names(page, 'Findings').first().waitFor();
      const [, word] = /([A-Za-z]{5,})/.exec((await findings('&state=Failed'))[0].name)!;
      await page.keyboard.press('/');
      const box = page.getByRole('combobox', { name: 'Search and filter' });
      await box.pressSequentially(word!, { delay: 120 });
      await until('the address follows', () => query(page).q === word);
      expect(await box.inputValue()).toBe(word);
      await page.locator('input[role=combobox]:focus').waitFor();
      await showsNames(page, 'Findings', namesOf(await findings(`&state=Failed&q=${word}`)));
      await page.goBack();
      await until('the box follows the history', async () => (await box.inputValue()) !== word);
    });

    it('completes filters and values by keyboard, and reports where a text cannot be read', async () => {
      const page = await site.open('/findings');
      await names(page, 'Findings').first().waitFor();
      await page.keyboard.press('/');
      const box = page.getByRole('combobox', { name: 'Search and filter' });
      await box.pressSequentially('sev', { delay: 50 });
      await page.getByRole('option', { name: 'severity:>=' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      expect(await box.inputValue()).toBe('severity:');
      await page.getByRole('option', { name: 'critical' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await until('the address has the filter', () => query(page).q === 'severity:critical');
      await showsNames(page, 'Findings', namesOf(await findings('&state=Failed&severity=critical')));
      await box.fill('severity:critical ssvc:');
      await page.getByRole('option', { name: 'Attend' }).waitFor();
      await site.look(page, 'findings-query');
      await box.fill('state:Qualified ');
      await until('the text replaces the menu', () => query(page).state === undefined);
      const other = await site.open('/findings?q=rdp+severity%3Aurgent');
      await other.getByText(/q, character 5: severity must be one of/i).waitFor();
    });

    it('filters with counts, and removes active filters', async () => {
      const page = await site.open('/findings');
      const counts = await site.client.get('/api/v3/findings/counts?state=Failed');
      await page.getByRole('button', { name: 'Type', exact: true }).click();
      await page.getByText(counts.type.va.toLocaleString('en-GB'), { exact: true }).first().waitFor();
      await page.getByRole('checkbox', { name: 'Vulnerability' }).check();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Severity', exact: true }).first().click();
      await page.getByRole('radio', { name: 'High and above' }).click();
      await page.getByRole('button', { name: 'More', exact: true }).click();
      const failing = '&state=Failed&type=va&severityMin=7';
      const [{ cves }] = await findings(failing);
      await page.getByLabel('CVE', { exact: true }).fill(cves[0].toLowerCase());
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await showsNames(page, 'Findings', namesOf(await findings(`${failing}&cve=${cves[0]}`)));
      expect(query(page)).toEqual({
        state: 'Failed',
        type: 'va',
        severityMin: '7',
        cve: cves[0].toLowerCase(),
      });
      await site.look(page, 'findings-filtered');
      await page.getByRole('button', { name: 'Remove CVE' }).click();
      await until('the CVE is removed', () => query(page).cve === undefined);
      await page.getByRole('button', { name: 'Clear all' }).click();
      await until('all filters are removed', () => Object.keys(query(page)).join() === 'state');
      expect(query(page)).toEqual({ state: 'any' });
      await showsNames(page, 'Findings', namesOf(await findings()));
    });

    it('replaces a typed filter by that of a menu', async () => {
      const page = await site.open('/findings?q=type%3Aedr+severity%3A%3E%3D0&state=Failed');
      await names(page, 'Findings').first().waitFor();
      await page.getByRole('button', { name: 'Type', exact: true }).click();
      await page.getByRole('checkbox', { name: 'Vulnerability' }).check();
      await page.keyboard.press('Escape');
      await showsNames(page, 'Findings', namesOf(await findings('&state=Failed&type=va')));
      expect(query(page)).toEqual({ q: 'severity:>=0', state: 'Failed', type: 'va' });
      const box = page.getByRole('combobox', { name: 'Search and filter' });
      expect(await box.inputValue()).toBe('severity:>=0');
    });

    it('filters by SSVC decision, and shows the decision in the list and on the page', async () => {
      const page = await site.open('/findings?state=Failed');
      await page.getByRole('button', { name: 'Decision', exact: true }).first().click();
      const [{ ssvc }] = (await findings('&state=Failed')).filter((one) => one.ssvc !== null);
      await page.getByRole('checkbox', { name: `${ssvc.decision}: ` }).check();
      await page.keyboard.press('Escape');
      const matching = await findings(`&state=Failed&ssvc=${ssvc.decision}`);
      await showsNames(page, 'Findings', namesOf(matching));
      expect(query(page)).toEqual({ state: 'Failed', ssvc: ssvc.decision });
      const rows = page.getByRole('region', { name: 'Findings' }).locator('tbody');
      const badges = rows.getByText(ssvc.decision, { exact: true });
      expect(await badges.count()).toBe(matching.length);
      await names(page, 'Findings').first().click();
      const panel = page.getByRole('region', { name: 'SSVC decision' });
      await panel.getByText(matching[0].ssvc.cve).waitFor();
    });

    it('says that public exploit code can be an assumption', async () => {
      const [{ id }] = (await findings('&state=Failed')).filter(({ ssvc }) => ssvc !== null);
      const found = await site.client.get(`/api/v3/findings/${id}`);
      found.ssvc.exploitation = 'poc';
      const page = await site.open('/findings');
      await page.route(`**/api/v3/findings/${id}`, (route) => route.fulfill({ json: found }));
      await page.goto(`${site.url}/app/findings/${id}`);
      const panel = page.getByRole('region', { name: 'SSVC decision' });
      await panel.getByText('Public exploit code, stated by the vector or assumed from EPSS').waitFor();
    });

    it('filters by EPSS from the menu and from a query text', async () => {
      const page = await site.open('/findings?state=Failed');
      await page.getByRole('button', { name: 'EPSS', exact: true }).first().click();
      await page.getByRole('radio', { name: 'at least 10 %' }).click();
      await until('the address has the filter', () => query(page).epssMin === '0.1');
      // The demo has no forecasts.
      expect(await findings('&state=Failed&epssMin=0.1')).toEqual([]);
      await page.getByText('No findings match').waitFor();
      await page.getByRole('combobox', { name: 'Search and filter' }).fill('epss:>=0.5 ');
      await until('the text replaces the menu', () => query(page).epssMin === undefined);
      expect(query(page)).toEqual({ state: 'Failed', q: 'epss:>=0.5' });
      await page.getByText('No findings match').waitFor();
    });

    it('filters by known exploitation and by the end of an acceptance from menus', async () => {
      const page = await site.open('/findings?state=Failed');
      await page.getByRole('button', { name: 'Exploited', exact: true }).first().click();
      await page.getByRole('radio', { name: 'Used by ransomware' }).click();
      await until('the address has the filter', () => query(page).ransomware === 'true');
      await page
        .getByRole('button', { name: /^Exploited/ })
        .first()
        .click();
      await page.getByRole('radio', { name: 'Known exploited (KEV)' }).click();
      await until('one replaces the other', () => query(page).kev === 'true');
      expect(query(page)).toEqual({ state: 'Failed', kev: 'true' });
      // The demo has no catalogue.
      expect(await findings('&state=Failed&kev=true')).toEqual([]);
      await page.getByText('No findings match').waitFor();
      await page.goto(`${site.url}/app/findings?state=Failed`);
      await page.getByRole('button', { name: 'Acceptance', exact: true }).first().click();
      await page.getByRole('radio', { name: 'Ends within 30 days' }).click();
      await until('only accepted findings have an end', () => query(page).state === 'AcceptedFailed');
      const acceptedUntilBefore = query(page).acceptedUntilBefore!;
      expect(Date.parse(acceptedUntilBefore)).toBeGreaterThan(Date.now());
      const ending = await findings(
        `&state=AcceptedFailed&acceptedUntilBefore=${encodeURIComponent(acceptedUntilBefore)}`,
      );
      if (ending.length > 0) await showsNames(page, 'Findings', namesOf(ending));
      else await page.getByText('No findings match').waitFor();
    });

    it('handles two clicks in quick succession', async () => {
      const page = await site.open('/findings?type=va&severityMin=7&sort=name');
      await page.getByRole('button', { name: 'Remove Type' }).waitFor();
      await page.evaluate(`for (const name of ['Type', 'Severity'])
        document.querySelector('button[aria-label^="Remove ' + name + '"]').click()`);
      await until(
        'both are removed',
        () => query(page).type === undefined && query(page).severityMin === undefined,
      );
      expect(query(page)).toEqual({ sort: 'name', state: 'any' });
    });

    it('opens a shared link with filters, and shows the name of the asset', async () => {
      const [asset] = (await site.client.get('/api/v3/assets?sort=-score&limit=1')).items;
      const page = await site.open(`/findings?assetId=${asset.id}&state=Failed&sort=name`);
      await page
        .getByRole('list', { name: 'Active filters' })
        .getByText(asset.name, { exact: true })
        .waitFor();
      const items = await site.client.get(
        `/api/v3/findings?assetId=${asset.id}&state=Failed&sort=name&limit=50`,
      );
      await showsNames(page, 'Findings', namesOf(items.items));
    });

    it('sorts by a header in both directions', async () => {
      const page = await site.open('/findings');
      const header = page.getByRole('columnheader', { name: 'Asset' });
      await header.getByRole('button').click();
      await until('it is sorted', async () => (await header.getAttribute('aria-sort')) === 'ascending');
      await header.getByRole('button').click();
      await until('it is reversed', async () => (await header.getAttribute('aria-sort')) === 'descending');
      expect(query(page)).toEqual({ state: 'Failed', sort: '-assetName' });
      const { items } = await site.client.get('/api/v3/findings?state=Failed&sort=-assetName&limit=50');
      await showsNames(page, 'Findings', namesOf(items));
    });

    it('pages forward and back by cursors, and stores the page size', async () => {
      const page = await site.open('/findings');
      await page.getByLabel('Rows per page').selectOption('25');
      const path = '/api/v3/findings?state=Failed&sort=-severity&limit=25';
      const first = await site.client.get(path);
      await showsNames(page, 'Findings', namesOf(first.items));
      await page.getByRole('button', { name: 'Next page' }).click();
      const second = await site.client.get(`${path}&cursor=${encodeURIComponent(first.nextCursor)}`);
      await showsNames(page, 'Findings', namesOf(second.items));
      await page.getByText('25 on page 2').waitFor();
      await page.reload();
      await showsNames(page, 'Findings', namesOf(second.items));
      await page.getByRole('button', { name: 'Previous page' }).click();
      await showsNames(page, 'Findings', namesOf(first.items));
      await page.goBack();
      await showsNames(page, 'Findings', namesOf(second.items));
    });

    it('keeps the selected columns after a reload', async () => {
      const page = await site.open('/findings');
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('checkbox', { name: 'Source' }).check();
      await page.getByRole('checkbox', { name: 'State' }).uncheck();
      await page.reload();
      await page.getByRole('columnheader', { name: 'Source' }).waitFor();
      expect(await page.getByRole('columnheader', { name: 'State' }).count()).toBe(0);
    });

    it('reports that nothing matches', async () => {
      const page = await site.open('/findings?q=nothinghasthisword');
      await page.getByText('No findings match').waitFor();
      await site.look(page, 'findings-empty');
    });

    it.each(['type=x', 'cve=nonsense', 'severityMin=high', 'sort=colour', 'q=%3F%3F', 'cursor=abc'])(
      'reports an invalid address such as ?%s, and can reset it',
      async (search) => {
        const page = await site.open(`/findings?${search}`);
        await page.getByText('The address of this list is invalid').waitFor();
        if (search === 'type=x') await site.look(page, 'findings-bad-filter');
        await page.getByRole('button', { name: 'Reset filters' }).click();
        await names(page, 'Findings').first().waitFor();
      },
    );

    it('shows a past time sorted, without selection', async () => {
      const { items } = await site.client.get('/api/v3/uploads?limit=500');
      const asOf = items.at(Math.floor(items.length / 2)).receivedAt;
      const page = await site.open(`/findings?asOf=${asOf}`);
      const past = await site.client.get(
        `/api/v3/findings?asOf=${asOf}&state=Failed&sort=-severity&limit=50`,
      );
      expect(past.items[0].severity.value).toBeGreaterThan(past.items.at(-1).severity.value);
      await showsNames(page, 'Findings', namesOf(past.items));
      expect(await page.getByRole('checkbox').count()).toBe(0);
      await page.getByRole('columnheader', { name: 'Asset' }).getByRole('button').click();
      const byAsset = await site.client.get(
        `/api/v3/findings?asOf=${asOf}&state=Failed&sort=assetName&limit=50`,
      );
      await showsNames(page, 'Findings', namesOf(byAsset.items));
      const href = await names(page, 'Findings').first().getAttribute('href');
      expect(href).toContain(`asOf=${encodeURIComponent(asOf)}`);
    });

    it('shows cards on a phone', async () => {
      const page = await site.open('/findings', { on: 'phone' });
      await page.getByRole('region', { name: 'Findings' }).getByRole('listitem').first().waitFor();
      const sorted = page.waitForResponse(/\/findings\?.*sort=assetName/);
      await page.getByLabel('Sort by').selectOption({ label: 'Asset, ascending' });
      await sorted;
      expect(query(page).sort).toBe('assetName');
      await site.look(page, 'findings-phone');
    });

    it('supports dark mode', async () => {
      const page = await site.open('/findings', { colorScheme: 'dark' });
      await names(page, 'Findings').first().waitFor();
      await site.look(page, 'findings-dark');
    });
  });

  describe('of groups of findings', () => {
    const FILTER = 'state=Failed&severityMin=4';
    const groupsOf = (query: string) => site.client.get(`/api/v3/findings/groups?${query}`);
    const table = (page: Page) => page.getByRole('region', { name: 'Groups of findings' });
    const links = (page: Page) => table(page).locator('a[href*="/findings?"]');
    const showsGroups = (page: Page, expected: string[]) =>
      until('the table shows the groups', async () => {
        const shown = await links(page).allTextContents();
        return JSON.stringify(shown) === JSON.stringify(expected);
      });

    it.each([
      ['cve', 'CVE', 'cve', 'finding-groups-cve'],
      ['technique', 'ATT&CK technique', 'technique', 'finding-groups-technique'],
      ['asset', 'Asset', 'assetId', 'finding-groups-asset'],
      ['title', 'Title', 'title', 'finding-groups-title'],
    ])('by %s, with the filters; each leads to its findings', async (by, label, filter, picture) => {
      const page = await site.open(`/findings?${FILTER}`);
      await page.getByLabel('Group by').selectOption({ label });
      const { groups, totalGroups } = await groupsOf(`by=${by}&${FILTER}`);
      expect(groups.length).toBeGreaterThan(1);
      const isNamed = by === 'asset' || by === 'title';
      await showsGroups(
        page,
        groups.map(({ key, name }: any) => (isNamed ? name : key)),
      );
      await page.getByText(`${totalGroups} groups`, { exact: true }).waitFor();
      await site.look(page, picture);
      const [first] = groups;
      await links(page).first().focus();
      await page.keyboard.press('Enter');
      await until('the list of the group', () => query(page)[filter] === first.key);
      expect(query(page)).toEqual({ state: 'Failed', severityMin: '4', [filter]: first.key });
      await page
        .getByText(first.findings === 1 ? '1 finding' : `${first.findings} findings`)
        .first()
        .waitFor();
      await page.goBack();
      await showsGroups(
        page,
        groups.map(({ key, name }: any) => (isNamed ? name : key)),
      );
      expect(query(page).by).toBe(by);
    });

    it('of another grouping are not shown while the new ones load', async () => {
      const page = await site.open(`/findings?${FILTER}&by=title`);
      await links(page).first().waitFor();
      let answer = () => {};
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/findings/groups?*', async (route) => {
        await held;
        await route.continue();
      });
      await page.getByLabel('Group by').selectOption({ label: 'CVE' });
      await until('the address has the grouping', () => query(page).by === 'cve');
      await until('no group is shown', async () => (await links(page).count()) === 0);
      answer();
      const { groups } = await groupsOf(`by=cve&${FILTER}`);
      await showsGroups(
        page,
        groups.map(({ key }: any) => key),
      );
    });

    it('are shown up to 500, most findings first', async () => {
      const page = await site.open('/findings?state=any&by=title');
      const { groups, totalGroups } = await groupsOf('by=title&limit=500');
      expect(totalGroups).toBeGreaterThan(50);
      await page.getByText(`50 of ${totalGroups} groups`).waitFor();
      await page.getByRole('button', { name: 'Show more groups' }).click();
      await showsGroups(
        page,
        groups.map(({ name }: any) => name),
      );
    });

    it('follow the query text, whose filter is not given twice', async () => {
      const { groups } = await groupsOf('by=cve&state=Failed');
      const page = await site.open(`/findings?by=cve&state=Failed&q=cve:${groups[1].key}`);
      await showsGroups(page, [groups[1].key]);
      await links(page).first().click();
      await names(page, 'Findings').first().waitFor();
      expect(query(page)).toEqual({ state: 'Failed', cve: groups[1].key });
    });

    it('show a past time, and are in a saved view', async () => {
      const { items } = await site.client.get('/api/v3/uploads?limit=500');
      const asOf = items.at(Math.floor(items.length / 2)).receivedAt;
      const page = await site.open(`/findings?state=Failed&by=title&asOf=${asOf}`);
      const past = await groupsOf(`by=title&state=Failed&asOf=${asOf}`);
      await showsGroups(
        page,
        past.groups.map(({ name }: any) => name),
      );
      expect(await links(page).first().getAttribute('href')).toContain(`asOf=${encodeURIComponent(asOf)}`);
      await page.getByRole('button', { name: 'Views', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Save as a view' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('By title');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'By title', exact: true }).waitFor();
      const { items: views } = await site.client.get('/api/v3/views');
      expect(views.map((view: any) => view.query)).toEqual(['state=Failed&by=title']);
      await site.client.request('DELETE', `/api/v3/views/${views[0].id}`);
    });

    it('say that there is none, and report an unknown grouping', async () => {
      const page = await site.open('/findings?state=Failed&by=cve&name=xyzzyplugh');
      await page.getByText('No groups').waitFor();
      const unknown = await site.open('/findings?state=Failed&by=component');
      await unknown.getByRole('alert').getByText('by must be one of').waitFor();
    });

    it('show cards on a phone, and support dark mode', async () => {
      const page = await site.open('/findings?state=Failed&by=title', { on: 'phone', colorScheme: 'dark' });
      await table(page).getByRole('listitem').first().waitFor();
      await site.look(page, 'finding-groups-phone');
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    });
  });

  describe('acts on many findings', () => {
    const row = (page: Page, { name, assetName }: any) =>
      page.getByRole('checkbox', { name: `Select ${name} on ${assetName}`, exact: true });

    it(
      'accepts two selected Failed findings, skips a Qualified one, and reports both counts',
      async () => {
        const page = await site.open('/findings');
        const [one, other] = await findings('&state=Failed');
        const [qualified] = await findings('&state=Qualified');
        await page.goto(`${site.url}/app/findings?state=Failed,Qualified&sort=-severity`);
        await page.getByLabel('Rows per page').selectOption('100');
        await row(page, one).check();
        await row(page, other).check();
        await row(page, qualified).check();
        await page.getByRole('button', { name: 'Accept …' }).click();
        const dialog = page.getByRole('dialog', { name: 'Accept findings' });
        await dialog.getByText('1 finding will be skipped (1 Qualified)', { exact: false }).waitFor();
        await dialog.getByLabel('Rationale').fill('behind the firewall');
        await dialog.getByLabel('Until').fill('2099-12-31T23:59');
        await site.look(page, 'findings-accept');
        await dialog.getByRole('button', { name: 'Accept 2 findings' }).click();
        await dialog.getByText(settled('accepted', 2)).waitFor({ timeout: BULK_MS_MAX });
        await site.look(page, 'findings-accepted');
        for (const { id } of [one, other]) {
          expect(await site.client.get(`/api/v3/findings/${id}`)).toMatchObject({
            state: 'AcceptedFailed',
            accepted: { rationale: 'behind the firewall', until: '2099-12-31T23:59:00.000Z' },
          });
        }
        expect(await site.client.get(`/api/v3/findings/${qualified.id}`)).toMatchObject({
          state: 'Qualified',
        });
      },
      TEST_MS_MAX,
    );

    it(
      'reports each rejected finding with the reason',
      async () => {
        const [finding] = await findings('&state=Failed');
        const page = await site.open('/findings?state=Failed');
        await row(page, finding).check();
        await page.getByRole('button', { name: 'Accept …' }).click();
        const json = { 'content-type': 'application/json' };
        const body = JSON.stringify({ rationale: 'first' });
        const dialog = page.getByRole('dialog', { name: 'Accept findings' });
        await dialog.getByLabel('Rationale').fill('second');
        await site.client.request('POST', `/api/v3/findings/${finding.id}/accept`, body, json);
        await dialog.getByRole('button', { name: 'Accept 1 finding' }).click();
        await dialog.getByText('1 finding not accepted').waitFor();
        await dialog.getByText('it has changed since you opened the page', { exact: false }).waitFor();
      },
      TEST_MS_MAX,
    );

    it('sends one request for the selected findings, asks before the page is left, and may not know the outcome', async () => {
      const [one, other] = await findings('&state=Failed');
      const page = await site.open('/assets');
      await page.getByRole('link', { name: 'Findings' }).click();
      await row(page, one).check();
      await row(page, other).check();
      await page.getByRole('button', { name: 'Accept …' }).click();
      const sent: string[][] = [];
      let lose = () => {};
      const held = new Promise<void>((resolve) => {
        lose = resolve;
      });
      await page.route(/\/findings\/(acts|[^/]+\/accept)$/, async (route) => {
        sent.push(route.request().postDataJSON().ids);
        await route.fetch();
        await held;
        await route.abort();
      });
      const dialog = page.getByRole('dialog', { name: 'Accept findings' });
      await dialog.getByLabel('Rationale').fill('behind the firewall');
      await dialog.getByRole('button', { name: 'Accept 2 findings' }).click();
      await until('the request is sent', () => sent.length > 0);
      const asked: string[] = [];
      page.on('dialog', async (question) => {
        asked.push(question.type());
        await question.dismiss();
      });
      await page.evaluate('history.back()');
      await until('the console asks', () => asked.length === 1);
      await page.evaluate('setTimeout(() => location.reload())');
      await until('the browser asks', () => asked.length === 2);
      expect(asked).toEqual(['confirm', 'beforeunload']);
      lose();
      await dialog.getByText('The outcome is unknown').waitFor();
      expect(sent).toEqual([[one.id, other.id]]);
      expect(await dialog.getByRole('button', { name: 'Accept 2 findings' }).isDisabled()).toBe(true);
      expect(await dialog.getByText('not accepted').count()).toBe(0);
      for (const { id } of [one, other]) {
        expect(await site.client.get(`/api/v3/findings/${id}`)).toMatchObject({ state: 'AcceptedFailed' });
      }
      site.expectNoComplaint({ but: [/ERR_FAILED/] });
    });

    it('says that the outcome is unknown if the answer of an act on all that match is lost', async () => {
      const page = await site.open('/findings?type=va&state=Failed');
      await page.route('**/api/v3/findings/acts', (route) =>
        route.request().postDataJSON().dryRun ? route.continue() : route.abort(),
      );
      const selectAll = async () => {
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
        await page.getByRole('button', { name: /^Select all [\d,]+ that match$/ }).click();
      };
      await selectAll();
      await page.getByRole('button', { name: 'Accept …' }).click();
      const accept = page.getByRole('dialog', { name: 'Accept findings' });
      await accept.getByLabel('Rationale').fill('behind the firewall');
      await accept.getByRole('button', { name: /^Accept [\d,]+ findings$/ }).click();
      await accept.getByText('The outcome is unknown').waitFor();
      expect(await accept.getByRole('button', { name: /^Accept [\d,]+ findings$/ }).isDisabled()).toBe(true);
      await accept.getByRole('button', { name: 'Count again' }).click();
      await accept.getByText('The outcome is unknown').waitFor({ state: 'detached' });
      await accept.getByRole('button', { name: 'Cancel' }).click();

      await page.getByRole('button', { name: 'Triage' }).click();
      await page.getByRole('menuitem', { name: 'Comment …' }).click();
      const comment = page.getByRole('dialog', { name: 'Comment: many findings' });
      await comment.getByRole('textbox', { name: 'Comment' }).fill('patched');
      await comment.getByRole('button', { name: 'Preview' }).click();
      const send = comment.getByRole('button', { name: /^Comment: [\d,]+ findings$/ });
      await send.click();
      await comment.getByText('The outcome is unknown').waitFor();
      // A second press would comment twice.
      expect(await send.isDisabled()).toBe(true);
      await site.look(page, 'findings-triage-unknown');
      site.expectNoComplaint({ but: [/ERR_FAILED/] });
    });

    it('says that the outcome of an act on one finding is unknown', async () => {
      const [{ id }] = await findings('&state=Failed');
      const page = await site.open(`/findings/${id}`);
      await page.route(/\/findings\/(acts|[^/]+\/accept)$/, (route) => route.abort());
      const comments = page.getByRole('region', { name: 'Comments' });
      await comments.getByRole('textbox', { name: 'Comment' }).fill('patched');
      await comments.getByRole('button', { name: 'Comment' }).click();
      await comments.getByText('The outcome is unknown').waitFor();
      await page.getByRole('button', { name: 'Accept the risk' }).click();
      const dialog = page.getByRole('dialog', { name: 'Accept the risk' });
      await dialog.getByLabel('Rationale').fill('behind the firewall');
      await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
      await dialog.getByText('The outcome is unknown').waitFor();
      expect(await dialog.getByText('Rejected by the service').count()).toBe(0);
      site.expectNoComplaint({ but: [/ERR_FAILED/] });
    });

    it('reports how many of all that match are accepted, and why others are not', async () => {
      const ids = (await findings('&state=Failed')).map(({ id }) => id);
      const page = await site.open('/findings?type=va&state=Failed');
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await page.getByRole('button', { name: /^Select all [\d,]+ that match$/ }).click();
      await page.getByRole('button', { name: 'Accept …' }).click();
      await page.route('**/api/v3/findings/acts', async (route) => {
        if (route.request().postDataJSON().dryRun) return route.continue();
        const refused = [{ id: ids[0], name: 'weak cipher', assetName: 'web01', reason: 'stale' }];
        const outcome = { matching: 10, done: 7, pending: 0, unchanged: 0, refused, refusedBy: { stale: 3 } };
        return route.fulfill({ json: outcome });
      });
      const dialog = page.getByRole('dialog', { name: 'Accept findings' });
      await dialog.getByLabel('Rationale').fill('behind the firewall');
      await dialog.getByRole('button', { name: /^Accept [\d,]+ findings$/ }).click();
      await dialog.getByText('7 findings accepted').waitFor();
      await dialog.getByText('weak cipher on web01').waitFor();
      await dialog.getByText('it has changed since you opened the page', { exact: false }).waitFor();
      await dialog.getByText('The audit trail lists 2 more.').waitFor();
    });

    it('selects no longer all that match after a change of a tick', async () => {
      const page = await site.open('/findings?type=va');
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      const selected = page.getByRole('region', { name: 'Selection' }).getByRole('status');
      const all = page.getByRole('button', { name: /^Select all [\d,]+ that match$/ });
      const before = await selected.textContent();
      await all.click();
      await selected.getByText(/^All [\d,]+ that match are selected$/).waitFor();
      const box = page.getByRole('row').nth(1).getByRole('checkbox');
      await box.uncheck();
      await box.check();
      await all.waitFor();
      expect(await selected.textContent()).toBe(before);
    });

    it(
      'reverts those of all that match that are held as Failed',
      async () => {
        const json = { 'content-type': 'application/json' };
        const ids = (await findings('&state=Failed&type=va')).slice(0, 2).map(({ id }) => id);
        for (const act of [{ accept: { rationale: 'x' } }, { revert: { to: 'Failed' } }]) {
          const body = JSON.stringify({ ids, ...act });
          const { status } = await site.client.request('POST', '/api/v3/findings/acts', body, json);
          expect(status).toBe(200);
        }
        const failed = await site.client.all('/api/v3/findings?type=va&state=Failed');
        const held = failed.filter(({ heldFailed }: any) => heldFailed !== null).length;
        const page = await site.open('/findings?type=va&state=Failed');
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
        await page.getByRole('button', { name: `Select all ${failed.length} that match` }).click();
        await page.getByRole('button', { name: 'Revert …' }).click();
        const revert = page.getByRole('dialog', { name: 'Revert findings' });
        await revert
          .getByText(`${failed.length - held} findings that match will be skipped`, { exact: false })
          .waitFor();
        await revert.getByRole('button', { name: `Revert ${held} findings` }).click();
        await revert.getByText(settled('reverted', held)).waitFor({ timeout: BULK_MS_MAX });
        expect(await revert.getByText('not reverted', { exact: false }).count()).toBe(0);
        await until('no finding is held', async () => {
          const left = await site.client.all('/api/v3/findings?type=va&state=Failed');
          return left.every(({ heldFailed }: any) => heldFailed === null);
        });
      },
      TEST_MS_MAX,
    );

    it(
      'accepts all that match a filter, and reverts them',
      async () => {
        const [{ name }] = await findings('&state=Failed&type=va');
        const page = await site.open('/findings?type=va');
        await page.getByLabel('Rows per page').selectOption('25');
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
        const counts = () => site.client.get('/api/v3/findings/counts?type=va');
        const { total, state } = await counts();
        await page.getByRole('button', { name: `Select all ${total} that match` }).click();
        await page.getByRole('button', { name: 'Accept …' }).click();
        const accept = page.getByRole('dialog', { name: 'Accept findings' });
        await accept.getByLabel('Rationale').fill(`all such as ${name}`);
        await accept.getByRole('button', { name: `Accept ${state.Failed} findings` }).click();
        await accept.getByText(settled('accepted', state.Failed)).waitFor({ timeout: BULK_MS_MAX });
        await until('no finding is Failed', async () => (await counts()).state.Failed === undefined);
        await accept.getByRole('button', { name: 'Close', exact: true }).last().click();

        await page.goto(`${site.url}/app/findings?type=va&state=AcceptedFailed`);
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
        await page.getByRole('button', { name: /^Select all \d+ that match$/ }).click();
        await page.getByRole('button', { name: 'Revert …' }).click();
        const revert = page.getByRole('dialog', { name: 'Revert findings' });
        await revert.getByRole('radio', { name: 'Failed', exact: true }).check();
        await revert.getByLabel('Rationale').fill('a mistake');
        await revert.getByRole('button', { name: /^Revert \d+ findings$/ }).click();
        await revert.getByText(settled('reverted', '\\d+')).waitFor({ timeout: BULK_MS_MAX });
        await until(
          'no finding is accepted',
          async () => (await counts()).state.AcceptedFailed === undefined,
        );
        const [held] = await findings('&state=Failed&type=va');
        expect(held).toMatchObject({ heldFailed: { by: expect.any(String) } });
      },
      TEST_MS_MAX,
    );

    it(
      'assigns findings after a preview, skips those that have changed, and finds them by assignee and due date',
      async () => {
        const post = (path: string, body: object) =>
          site.client.request('POST', path, JSON.stringify(body), { 'content-type': 'application/json' });
        const page = await site.open('/findings', { on: 'wide' });
        const [one, other, changed] = await findings('&state=Failed');
        for (const finding of [one, other, changed]) await row(page, finding).check();
        await page.getByRole('button', { name: 'Triage' }).click();
        await page.getByRole('menuitem', { name: 'Assign …' }).click();
        const dialog = page.getByRole('dialog', { name: 'Assign: many findings' });
        await dialog.getByRole('radio', { name: 'Team' }).check();
        await dialog.getByLabel('Name').fill('blue');
        await post(`/api/v3/findings/${changed.id}/tags`, { add: ['moved'] });
        await dialog.getByRole('button', { name: 'Preview' }).click();
        await dialog.getByText('2 findings will be assigned to the team blue.').waitFor();
        await dialog.getByText('it has changed since you opened the page', { exact: false }).waitFor();
        await site.look(page, 'findings-triage-preview');
        await dialog.getByRole('button', { name: 'Assign: 2 findings' }).click();
        await dialog.getByText(settled('assigned to the team blue', 2)).waitFor({ timeout: BULK_MS_MAX });
        await dialog.getByText('1 finding not assigned to the team blue').waitFor();
        await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

        await page.goto(`${site.url}/app/findings?assignee=blue&sort=-severity`);
        await showsNames(page, 'Findings', [one.name, other.name]);
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
        await page.getByRole('button', { name: 'Triage' }).click();
        await page.getByRole('menuitem', { name: 'Set due date …' }).click();
        const due = page.getByRole('dialog', { name: 'Set due date: many findings' });
        // Only a month: that is not the same as no due date.
        await due.getByLabel('Due date').pressSequentially('3');
        await due.getByRole('button', { name: 'Preview' }).click();
        expect(await due.getByText('will be given', { exact: false }).count()).toBe(0);
        await due.getByLabel('Due date').fill('2026-01-31');
        await due.getByRole('button', { name: 'Preview' }).click();
        await due.getByRole('button', { name: 'Set due date: 2 findings' }).click();
        await due.getByText(settled('given the due date 2026-01-31', 2)).waitFor({ timeout: BULK_MS_MAX });
        await due.getByRole('button', { name: 'Close', exact: true }).last().click();
        await page.getByRole('button', { name: 'Due', exact: true }).first().click();
        await page.getByRole('radio', { name: 'Overdue', exact: true }).click();
        await page.waitForURL(/sla=overdue/);
        await showsNames(page, 'Findings', [one.name, other.name]);
        await page.getByText('Due: Overdue').waitFor();
        await page.getByRole('button', { name: 'Columns' }).click();
        await page.getByRole('checkbox', { name: 'Assignee' }).check();
        await page.getByRole('checkbox', { name: 'Due', exact: true }).check();
        await page.keyboard.press('Escape');
        await page.getByRole('cell', { name: 'blue (team)' }).first().waitFor();
        await page.getByRole('cell', { name: 'Overdue' }).first().waitFor();
        await site.look(page, 'findings-overdue');
        await page.getByRole('button', { name: 'Assignee' }).first().click();
        await page.getByRole('radio', { name: 'Not assigned' }).click();
        await page.waitForURL(/assigned=false/);
        await page.getByText('No findings match').waitFor();
      },
      TEST_MS_MAX,
    );

    it('requires a filter for an action on all findings', async () => {
      const page = await site.open('/findings');
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await page.getByRole('button', { name: /^Select all \d+ that match$/ }).click();
      await page.getByRole('button', { name: 'Accept …' }).hover();
      await page.getByText('Filter the list first', { exact: false }).waitFor();
      await site.look(page, 'findings-selection');
    });

    it('of all that match a query text have its states', async () => {
      const page = await site.open('/findings?q=state%3AQualified+severity%3A%3E%3D0');
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await page.getByRole('button', { name: /^Select all [\d,]+ that match$/ }).click();
      await page.getByRole('button', { name: 'Revert …' }).hover();
      await page.getByText('The filter excludes these findings', { exact: false }).waitFor();
      await page.goto(`${site.url}/app/findings?q=state%3AFailed+severity%3A%3E%3D0.5`);
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await page.getByRole('button', { name: /^Select all [\d,]+ that match$/ }).click();
      await page.getByRole('button', { name: 'Accept …' }).click();
      const { total } = await site.client.get('/api/v3/findings/counts?state=Failed&severityMin=0.5');
      const dialog = page.getByRole('dialog', { name: 'Accept findings' });
      await dialog
        .getByRole('button', { name: `Accept ${total.toLocaleString('en-GB')} findings` })
        .waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'What if …' }).click();
      const whatIf = page.getByRole('dialog', { name: 'What if they were fixed?' });
      await whatIf.getByText(/^(Score after|More than 1,000 findings match)/).waitFor();
      await page.keyboard.press('Escape');
      await page.route(/\/findings\?.*limit=500/, (route) =>
        route.fulfill({ json: { items: [], nextCursor: null } }),
      );
      await page.getByRole('button', { name: 'What if …' }).click();
      await whatIf.getByText('No failed finding matches', { exact: false }).waitFor();
      await page.goto(`${site.url}/app/findings?state=Qualified`);
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await page.getByRole('button', { name: 'What if …' }).click();
      await whatIf.getByText('Score after').waitFor();
      expect(await whatIf.getByRole('listitem').count()).toBe(0);
      expect(await whatIf.getByText(/more assets? change/).count()).toBe(0);
    });

    it('of more than 1,000 says at once that What if does not take so many', async () => {
      const page = await site.open('/findings');
      await page.route('**/api/v3/findings/counts?*', async (route) => {
        const counts = await (await route.fetch()).json();
        return route.fulfill({ json: { ...counts, total: 1_254 } });
      });
      let listings = 0;
      page.on('request', (request) => {
        if (/\/findings\?.*limit=500/.test(request.url())) listings += 1;
      });
      await page.goto(`${site.url}/app/findings?state=Failed`);
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await page.getByRole('button', { name: 'Select all 1,254 that match' }).click();
      await page.getByRole('button', { name: 'What if …' }).click();
      const whatIf = page.getByRole('dialog', { name: 'What if they were fixed?' });
      await whatIf.getByText('More than 1,000 findings match: narrow the filter.').waitFor();
      expect(await whatIf.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      expect(listings).toBe(0);
    });

    it('is not offered to a viewer', async () => {
      const { body } = await site.client.request(
        'POST',
        '/api/v3/credentials',
        JSON.stringify({ username: 'viewer', role: 'viewer' }),
        { 'content-type': 'application/json' },
      );
      const page = await site.open('/findings', { as: { username: 'viewer', password: body.password } });
      await names(page, 'Findings').first().waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);
    });
  });

  describe('as a remediation plan', () => {
    const send = async (method: string, path: string, body: object): Promise<any> => {
      const type = { 'content-type': 'application/json' };
      const answer = await site.client.request(method, `/api/v3/${path}`, JSON.stringify(body), type);
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
      return answer.body;
    };
    const change = (id: string, body: object) => send('PATCH', `plans/${id}`, body);

    it('adds to a plan that exists after the name of a new one was refused', async () => {
      const [{ id: one }] = await findings('&state=Failed');
      const { id } = await send('POST', 'plans', { name: 'Existing', add: [one] });
      const page = await site.open('/findings?state=Failed');
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await page.getByRole('button', { name: 'Plan …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add to a remediation plan' });
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('existing');
      await dialog.getByRole('button', { name: 'Create plan' }).click();
      await dialog.getByText('This name is already in use.', { exact: false }).waitFor();
      let refusal: object = { statusCode: 409, message: 'not today' };
      await page.route(`**/api/v3/plans/${id}`, (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({ status: 409, json: refusal })
          : route.fallback(),
      );
      await dialog.getByLabel('Plan', { exact: true }).selectOption('Existing');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.getByText('not today').waitFor();
      refusal = { statusCode: 409, message: 'the plan has changed', reason: 'stale' };
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.getByText('Another user changed this plan at the same time. Try again.').waitFor();
      await page.close();
      await send('DELETE', `plans/${id}`, {});
    });

    it('does not overwrite what another user has changed while a name was refused', async () => {
      const [{ id: one }] = await findings('&state=Failed');
      const taken = await send('POST', 'plans', { name: 'Taken', add: [one] });
      const { id } = await send('POST', 'plans', { name: 'Mine', add: [one] });
      const page = await site.open(`/plans/${id}`);
      const versions: [sent: number, status: number][] = [];
      page.on('response', (response) => {
        const request = response.request();
        if (request.method() === 'PATCH') versions.push([request.postDataJSON().version, response.status()]);
      });
      await page.getByRole('button', { name: 'Edit …' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit the plan' });
      const name = edit.getByRole('textbox', { name: 'Name', exact: true });
      const save = edit.getByRole('button', { name: 'Save' });
      /** Another user's change, which the page shows behind the dialog. */
      const changeByOther = async (team: string) => {
        await change(id, { owner: { type: 'team', name: team }, due: '2031-01-31T10:00:00.000Z' });
        await send('POST', 'findings/acts', { ids: [one], tags: { add: [team] } });
        await page.getByText(`Team ${team}`).waitFor();
      };
      await edit.getByLabel('Due date').fill('2032-02-29');
      await name.fill('taken');
      await save.click();
      await edit.getByText('This name is already in use.', { exact: false }).waitFor();
      await changeByOther('blue');
      await name.fill('Mine too');
      await save.click();
      await edit.getByText('Another user changed this plan.', { exact: false }).waitFor();
      await changeByOther('red');
      await save.click();
      await until('the third request is answered', () => versions.length === 3);
      expect(versions).toEqual([
        [1, 409],
        [1, 409],
        [2, 409],
      ]);
      await edit.getByText('Another user changed this plan.', { exact: false }).waitFor();
      await save.click();
      await page.getByRole('heading', { level: 1, name: 'Mine too' }).waitFor();
      await page.close();
      await send('POST', 'findings/acts', { ids: [one], tags: { remove: ['blue', 'red'] } });
      for (const plan of [taken.id, id]) await send('DELETE', `plans/${plan}`, {});
    });

    it('and for a user who is limited to a department: sections, past lists and plans without acts', async () => {
      const [{ name: department }] = (await site.client.get('/api/v3/scores/departments')).items;
      const limits = { departments: [department] };
      const { password } = await send('POST', 'credentials', {
        username: 'lena',
        role: 'analyst',
        ...limits,
      });
      const assets = await site.client.all(`/api/v3/assets?department=${encodeURIComponent(department)}`);
      const isOwn = ({ assetId }: any) => assets.some(({ id }: any) => id === assetId);
      const failed = await site.client.all('/api/v3/findings?state=Failed');
      const [own, other] = [failed.find(isOwn), failed.find((one: any) => !isOwn(one))];
      const shared = await send('POST', 'plans', { name: 'Shared', add: [own.id, other.id] });
      const alone = await send('POST', 'plans', { name: 'Alone', add: [own.id] });
      const page = await site.open('/', { as: { username: 'lena', password } });
      await page.getByRole('list', { name: 'Fixes, most effective first' }).waitFor();
      await page.getByRole('region', { name: 'Failed findings' }).getByRole('listitem').first().waitFor();
      expect(await page.getByRole('button', { name: 'Board report' }).count()).toBe(0);

      const asOf = new Date().toISOString();
      const note = page.getByText('a list of a past time is not sorted', { exact: false });
      for (const list of ['findings', 'assets']) {
        await page.goto(`${site.url}/app/${list}?asOf=${asOf}`);
        await note.waitFor();
        await names(page, list === 'findings' ? 'Findings' : 'Assets')
          .first()
          .waitFor();
      }
      await page.goto(`${site.url}/app/assets/${own.assetId}?asOf=${asOf}`);
      await note.waitFor();
      await page.getByRole('region', { name: 'Findings of the asset' }).waitFor();

      const edit = page.getByRole('button', { name: 'Edit …' });
      await page.goto(`${site.url}/app/plans/${alone.id}`);
      await edit.waitFor();
      await page.goto(`${site.url}/app/plans/${shared.id}`);
      await page.getByRole('region', { name: 'Findings of the plan' }).waitFor();
      expect(await edit.count()).toBe(0);
      await page.close();
      for (const { id } of [shared, alone]) await send('DELETE', `plans/${id}`, {});
    });

    it('says which of all that match it contains, and is not closed while it is being created', async () => {
      const page = await site.open('/findings?q=severity%3A%3E%3D0.5');
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await page.getByRole('button', { name: /^Select all [\d,]+ that match$/ }).click();
      await page.getByRole('button', { name: 'Plan …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add to a remediation plan' });
      await dialog.getByText('The failed findings that match will be part of the plan.').waitFor();
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('All at once');
      let refuse: (() => void) | undefined;
      await page.route('**/api/v3/plans', async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        await new Promise<void>((resolve) => (refuse = resolve));
        return route.fulfill({ status: 400, json: { statusCode: 400, message: 'not today' } });
      });
      await dialog.getByRole('button', { name: 'Create plan' }).click();
      await until('the request is sent', () => refuse !== undefined);
      await dialog.locator('button:disabled', { hasText: 'Cancel' }).waitFor();
      await page.keyboard.press('Escape');
      expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
      refuse!();
      await dialog.getByText('not today').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
    });

    it('compares the outcome with the start as it is known now, but not across models', async () => {
      const [{ id: one }] = await findings('&state=Failed');
      const { id } = await send('POST', 'plans', { name: 'Compared', add: [one] });
      await change(id, { state: 'active' });
      const page = await site.open('/plans');
      const outcome = await site.client.get(`/api/v3/plans/${id}/outcome`);
      const answer = {
        ...outcome,
        promise: { ...outcome.promise, model: 'posture-2', score: 50, scoreAfter: 45 },
        from: { ...outcome.from, score: 56 },
        to: { ...outcome.to, score: 54 },
        difference: -2,
        model: 'posture-2',
      };
      await page.route(`**/api/v3/plans/${id}/outcome`, (route) => route.fulfill({ json: answer }));
      const shown = page.getByRole('region', { name: 'Promised and brought' });
      const facts = async () => {
        await page.goto(`${site.url}/app/plans/${id}`);
        const names = shown.getByRole('term');
        await names.first().waitFor();
        const values = await shown.getByRole('definition').allTextContents();
        return Object.fromEntries((await names.allTextContents()).map((name, i) => [name, values[i]]));
      };
      const note = shown.getByText('The model has changed since the start, from posture-1 to posture-2.');
      expect(await facts()).toMatchObject({
        'Score at the start': '56.0',
        'As known at the start': '50.0',
        'Promised score': '45.0',
        Score: '54.0',
        'All changes': '−2.00 points',
      });
      expect(await note.count()).toBe(0);
      answer.from.score = 50.04;
      expect(await facts()).not.toHaveProperty('As known at the start');
      answer.promise.model = 'posture-1';
      const across = await facts();
      expect(across).toMatchObject({ 'Score at the start': '50.0', Score: '54.0' });
      expect(across).not.toHaveProperty('As known at the start');
      expect(across).not.toHaveProperty('All changes');
      await note.waitFor();
      await send('DELETE', `plans/${id}`, {});
    });

    it(
      'shows what fixing them would bring, plans them, and compares it later',
      async () => {
        const page = await site.open('/findings?state=Failed');
        const chosen = (await findings('&state=Failed')).slice(0, 2);
        for (const { name, assetName } of chosen) {
          await page.getByRole('checkbox', { name: `Select ${name} on ${assetName}`, exact: true }).check();
        }
        await page.getByRole('button', { name: 'What if …' }).click();
        const whatIf = page.getByRole('dialog', { name: 'What if they were fixed?' });
        const { body } = await site.client.request(
          'POST',
          '/api/v3/scores/what-if',
          JSON.stringify({ fixed: chosen.map(({ id }) => id) }),
          { 'content-type': 'application/json' },
        );
        await whatIf.getByText(oneDecimal(body.organization.scoreAfter), { exact: true }).first().waitFor();
        await site.look(page, 'what-if');
        await whatIf.getByRole('button', { name: 'Plan …' }).click();
        const dialog = page.getByRole('dialog', { name: 'Add to a remediation plan' });
        await dialog.getByText('2 findings will be part of the plan.').waitFor();
        await dialog.getByLabel('Description').fill('of a cancelled plan');
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await dialog.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Plan …' }).click();
        expect(await dialog.getByLabel('Description').inputValue()).toBe('');
        const name = `Worst first ${'x'.repeat(80)}`;
        await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
        await dialog.getByRole('radio', { name: 'Team' }).check();
        await dialog.getByRole('textbox', { name: 'Name of the owner' }).fill('platform');
        await dialog.getByLabel('Due date').fill('2031-01-31');
        await dialog.getByLabel('Description').fill('before the **audit**');
        await site.look(page, 'plan-new');
        await dialog.getByRole('button', { name: 'Create plan' }).click();
        await page.getByRole('heading', { level: 1, name }).waitFor();
        await page.getByText('0 of 2 fixed').waitFor();
        await page.getByRole('button', { name: 'Start' }).click();
        await page.getByText('Promised score').waitFor();
        await page.getByRole('img', { name: 'At first 2 open, 0 fixed, 0 accepted' }).waitFor();
        await page
          .getByRole('region', { name: 'Findings of the plan' })
          .getByText(chosen[0].name)
          .first()
          .waitFor();
        await site.look(page, 'plan');
        const [{ id }] = await site.client.all('/api/v3/plans');
        const due = '2031-01-31T10:00:00.000Z';
        await change(id, { due });
        await page.reload();
        await page.getByRole('button', { name: 'Edit …' }).click();
        const edit = page.getByRole('dialog', { name: 'Edit the plan' });
        expect(await edit.getByLabel('Description').inputValue()).toBe('before the **audit**');
        await edit.getByRole('textbox', { name: 'Name', exact: true }).fill('Worst first');
        await change(id, { owner: { type: 'team', name: 'blue' } });
        await edit.getByRole('button', { name: 'Save' }).click();
        await edit.getByText('Another user changed this plan.', { exact: false }).waitFor();
        await page.getByText('Team blue').waitFor();
        await edit.getByRole('button', { name: 'Save' }).click();
        await edit.waitFor({ state: 'detached' });
        await page.getByRole('heading', { level: 1, name: 'Worst first', exact: true }).waitFor();
        expect(await site.client.get(`/api/v3/plans/${id}`)).toMatchObject({
          name: 'Worst first',
          due,
          owner: { type: 'team', name: 'blue' },
          description: 'before the **audit**',
        });
        // An act that is refused shows what another user has changed.
        let isChanged = false;
        await page.route(`**/api/v3/plans/${id}`, async (route) => {
          if (route.request().method() === 'PATCH' && !isChanged) {
            isChanged = true;
            await change(id, { state: 'done' });
          }
          return route.fallback();
        });
        await page.getByRole('button', { name: 'Mark as done' }).click();
        await page.getByText('Another user changed this plan.', { exact: false }).waitFor();
        await page.getByRole('button', { name: 'Reopen' }).click();
        await page.getByRole('button', { name: 'Mark as done' }).waitFor();
        const dark = await site.open(`/plans/${id}`, { on: 'phone', colorScheme: 'dark' });
        await dark.getByText('Promised score').waitFor();
        await site.look(dark, 'plan-on-a-phone');
        await dark.close();
        await page.getByRole('link', { name: 'Plans' }).first().click();
        await page.getByRole('link', { name: 'Worst first' }).waitFor();
        await site.look(page, 'plans');
        await page.getByRole('link', { name: 'Worst first' }).click();
        await page.getByRole('button', { name: 'Remove …' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
        await page.getByText('No plans').waitFor();
      },
      TEST_MS_MAX,
    );
  });

  describe('as saved views', () => {
    const menu = (page: Page, name = 'Views') => page.getByRole('button', { name, exact: true });
    const choose = (page: Page, item: string) => page.getByRole('menuitem', { name: item }).click();
    const views = async (): Promise<any[]> => (await site.client.get('/api/v3/views')).items;
    const LONG = `Everything exploited in ${'Oberammergau'.repeat(6)}`;

    it('saves the filters and the order, opens the list with them, and shares them', async () => {
      // Links of mail and chat systems have such parameters.
      const page = await site.open('/findings?type=va&severityMin=7&sort=name&utm_source=mail');
      await menu(page).click();
      await choose(page, 'Save as a view');
      await page.getByRole('textbox', { name: 'Name' }).fill(LONG);
      await page.getByRole('switch', { name: 'Open the list with it' }).check();
      await page.getByRole('switch', { name: 'Share it' }).check();
      await site.look(page, 'views-save');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await menu(page, LONG).waitFor();
      expect(await views()).toMatchObject([
        {
          name: LONG,
          list: 'findings',
          query: 'type=va&severityMin=7&sort=name',
          shared: true,
          default: true,
        },
      ]);
      await page.getByRole('link', { name: 'Findings' }).click();
      await until('the default view', () => query(page).sort === 'name');
      expect(query(page)).toEqual({ type: 'va', severityMin: '7', sort: 'name', state: 'any' });
      await showsNames(
        page,
        'Findings',
        namesOf((await site.client.get('/api/v3/findings?type=va&severityMin=7&sort=name&limit=50')).items),
      );
    });

    it('manages them, and returns the focus', async () => {
      const page = await site.open('/findings?state=Failed', { on: 'phone', colorScheme: 'dark' });
      await menu(page).click();
      await choose(page, 'Manage views');
      await page.getByRole('button', { name: `Rename ${LONG}` }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Failed');
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await page.getByRole('button', { name: 'Replace the filters of Failed' }).click();
      await page.getByRole('button', { name: 'Stop sharing Failed' }).click();
      await page.getByRole('button', { name: 'Share Failed' }).waitFor();
      expect(await views()).toMatchObject([{ name: 'Failed', query: 'state=Failed', shared: false }]);
      await site.look(page, 'views-manage-phone-dark');
      await page.getByRole('button', { name: 'Remove Failed' }).click();
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('No views are left.').waitFor();
      expect(await views()).toEqual([]);
      await page.getByRole('dialog', { name: 'Manage views' }).getByRole('button', { name: 'Close' }).click();
      await until('the focus', () =>
        page.evaluate<boolean>(`document.activeElement?.textContent === 'Views'`),
      );
    });

    it('opens the list of assets with the default, unless all assets are wanted', async () => {
      const saved = { name: 'Servers', list: 'assets', query: 'type=Server', default: true };
      await site.client.request('POST', '/api/v3/views', JSON.stringify(saved));
      const page = await site.open('/assets');
      await menu(page, 'Servers').waitFor();
      expect(query(page)).toEqual({ type: 'Server' });
      await page.getByRole('button', { name: 'Clear all' }).click();
      const { total } = await site.client.get('/api/v3/assets/counts');
      const all = page.getByText(`${total} assets`, { exact: true });
      await all.waitFor();
      expect(query(page)).toEqual({ view: 'all' });
      const link = await site.open('/assets?view=all');
      await link.getByText(`${total} assets`, { exact: true }).waitFor();
      const { nextCursor } = await site.client.get('/api/v3/assets?sort=-score&limit=1');
      const later = await site.open(`/assets?cursor=${nextCursor}`);
      await later.getByText(`${total} assets`, { exact: true }).waitFor();
      expect(query(later)).toEqual({ cursor: nextCursor });
      // A link without a filter leads to the default again.
      await page.getByRole('link', { name: 'Assets', exact: true }).click();
      await until('the servers', () => query(page).type === 'Server');
      await page.getByRole('button', { name: /^Type/ }).click();
      await page.getByRole('radio', { name: 'Any' }).click();
      await all.waitFor();
      expect(query(page)).toEqual({});
      const [{ id }] = await views();
      await site.client.request('DELETE', `/api/v3/views/${id}`);
    });

    it('keeps the list of assets and its dialog if a view becomes the default', async () => {
      const saved = { name: 'Servers', list: 'assets', query: 'type=Server' };
      await site.client.request('POST', '/api/v3/views', JSON.stringify(saved));
      const page = await site.open('/assets');
      await menu(page, 'Views').click();
      await page.getByRole('menuitem', { name: 'Manage views' }).click();
      await page.getByRole('button', { name: 'Open the list with Servers' }).click();
      await page.getByRole('button', { name: 'Do not open the list with Servers' }).waitFor();
      expect(query(page)).toEqual({});
      const [{ id }] = await views();
      await site.client.request('DELETE', `/api/v3/views/${id}`);
    });
  });

  describe('as files', () => {
    async function exported(page: Page, format: RegExp): Promise<string> {
      await page.getByRole('button', { name: 'Export' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: format }).click();
      const file = await download;
      await page.getByText(`${file.suggestedFilename()} is complete`, { exact: false }).waitFor();
      return readFile(await file.path(), 'utf8');
    }
    async function route(path: string): Promise<string> {
      const basic = Buffer.from(`${ADMIN.username}:${ADMIN.password}`).toString('base64');
      const signIn = { method: 'POST', headers: { authorization: `Basic ${basic}` } };
      const { accessToken } = (await (await fetch(`${site.url}/api/v3/auth`, signIn)).json()) as any;
      const answer = await fetch(`${site.url}${path}`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });
      return answer.text();
    }

    it('exports findings with the displayed filters and order', async () => {
      const page = await site.open('/findings?state=Failed&sort=name');
      await page.getByText(/^\d+ findings$/).waitFor();
      const path = '/api/v3/findings/export?state=Failed&sort=name&format=';
      expect(await exported(page, /CSV/)).toBe(await route(`${path}csv`));
      expect(await exported(page, /JSON/)).toBe(await route(`${path}jsonl`));
    });

    it('exports assets', async () => {
      const page = await site.open('/assets?type=Server');
      await page
        .getByText(/^\d+ assets?$|No assets match/)
        .first()
        .waitFor();
      expect(await exported(page, /CSV/)).toBe(
        await route('/api/v3/assets/export?type=Server&sort=-score&format=csv'),
      );
    });

    it('exports also from a page served over plain HTTP', async () => {
      const page = await site.open('/assets');
      await page.addInitScript('delete Crypto.prototype.randomUUID');
      await page.reload();
      await page.getByText(/^\d+ assets$/).waitFor();
      expect(await exported(page, /JSON/)).toBe(
        await route('/api/v3/assets/export?sort=-score&format=jsonl'),
      );
    });
  });

  describe('of assets', () => {
    const assets = async (search = ''): Promise<any[]> =>
      (await site.client.get(`/api/v3/assets?sort=-score&limit=50${search}`)).items;

    it('shows the highest score first', async () => {
      const page = await site.open('/assets');
      await showsNames(page, 'Assets', namesOf(await assets()));
      await site.look(page, 'assets');
    });

    it('completes filters and their values by keyboard', async () => {
      const page = await site.open('/assets');
      await names(page, 'Assets').first().waitFor();
      const { type } = await site.client.get('/api/v3/assets/counts');
      const [name] = Object.keys(type) as [string];
      await page.keyboard.press('/');
      const box = page.getByRole('combobox', { name: 'Search and filter' });
      await box.pressSequentially('typ', { delay: 50 });
      await page.getByRole('option', { name: 'type:' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name, exact: true }).waitFor();
      await site.look(page, 'assets-query');
      await page.getByRole('option', { name, exact: true }).click();
      await until('the address has the filter', () => query(page).q?.startsWith('type:') ?? false);
      await showsNames(page, 'Assets', namesOf(await assets(`&type=${encodeURIComponent(name)}`)));
    });

    it('filters by existing values with counts, and restores the filter from a link', async () => {
      const page = await site.open('/assets');
      const { department } = await site.client.get('/api/v3/assets/counts');
      const [name, count] = Object.entries<number>(department)[0]!;
      await page.getByRole('button', { name: 'Department', exact: true }).click();
      await page.getByText(String(count), { exact: true }).first().waitFor();
      await site.look(page, 'assets-department');
      await page.getByRole('radio', { name, exact: true }).click();
      await showsNames(page, 'Assets', namesOf(await assets(`&department=${encodeURIComponent(name)}`)));
      await page.reload();
      await showsNames(page, 'Assets', namesOf(await assets(`&department=${encodeURIComponent(name)}`)));
      await page.getByRole('button', { name: 'Clear all' }).click();
      await showsNames(page, 'Assets', namesOf(await assets()));
    });

    it('searches, sorts, and links to the failed findings of an asset', async () => {
      const [asset] = await assets();
      const page = await site.open('/assets');
      await page.getByRole('combobox', { name: 'Search and filter' }).fill(asset.name);
      await until('the address follows', () => query(page).q === asset.name);
      await page.getByRole('link', { name: `failed findings of ${asset.name}` }).click();
      await page.getByRole('heading', { level: 1, name: 'Findings' }).waitFor();
      expect(query(page)).toEqual({ assetId: asset.id, state: 'Failed' });
      await page.goBack();
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await page.getByRole('columnheader', { name: 'Asset' }).getByRole('button').click();
      const { items } = await site.client.get('/api/v3/assets?sort=name&limit=50');
      await showsNames(page, 'Assets', namesOf(items));
    });

    it('searches the findings of an asset with spaces, and pages once for two clicks', async () => {
      const [{ id }] = (await site.client.get('/api/v3/assets?sort=-score&limit=1')).items;
      const page = await site.open(`/assets/${id}`);
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/api/v3/assets/*/findings?*', async (route) => {
        const url = new URL(route.request().url());
        const isSecond = url.searchParams.has('cursor');
        url.searchParams.delete('cursor');
        if (isSecond) await released;
        const response = await route.fetch({ url: String(url) });
        const { items } = await response.json();
        const page = isSecond
          ? { items: items.slice(0, 1), nextCursor: null }
          : { items, nextCursor: 'second' };
        await route.fulfill({ response, json: page });
      });
      const box = page.getByRole('searchbox', { name: 'Search the findings of this asset' });
      await box.fill('cve ');
      await until('the address has the word', () => query(page).q === 'cve');
      await box.press('End');
      await box.pressSequentially('2');
      await until('the address has both', () => query(page).q === 'cve 2');
      await box.fill('');
      await until('the address has no text', () => query(page).q === undefined);
      const next = page.getByRole('button', { name: 'Next page' });
      // A click while the list without the text is still on its way has no effect.
      await until('the address has the cursor', async () => {
        await next.dispatchEvent('click');
        return query(page).cursor === 'second';
      });
      await next.dispatchEvent('click');
      release();
      await page.getByText(/^1 on page 2/).waitFor();
    });

    it('filters by a custom field with special characters in its name', async () => {
      const field = { name: 'Cost & centre', type: 'Any' };
      const json = { 'content-type': 'application/json' };
      await site.client.request('POST', '/api/v3/custom-fields', JSON.stringify(field), json);
      const page = await site.open('/assets');
      await page.getByRole('button', { name: 'Custom field' }).click();
      await page
        .getByRole('textbox', { name: 'Value' })
        .or(page.getByRole('combobox', { name: 'Value' }))
        .fill('R&D');
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByText('No assets match').waitFor();
      expect(query(page)).toEqual({ 'customField.Cost & centre': 'R&D' });
      await page.getByRole('button', { name: 'Remove Cost & centre' }).click();
      await names(page, 'Assets').first().waitFor();
    });

    it('completes custom fields and their options in the query text', async () => {
      const field = { name: 'Business unit', type: 'Select', options: ['Retail', 'Payments team'] };
      const { status } = await site.client.request('POST', '/api/v3/custom-fields', JSON.stringify(field));
      expect(status).toBe(200);
      const page = await site.open(
        `/assets?${new URLSearchParams({ 'customField.Business unit': 'Retail' })}`,
      );
      await page.getByText('No assets match').waitFor();
      const box = page.getByRole('combobox', { name: 'Search and filter' });
      await box.pressSequentially('customField.bus', { delay: 20 });
      await page.getByRole('option', { name: 'customField."Business unit":' }).click();
      await box.pressSequentially('pay', { delay: 20 });
      await site.look(page, 'assets-query-custom-field');
      await page.getByRole('option', { name: 'Payments team', exact: true }).click();
      await until('the text replaces the filter', () => !('customField.Business unit' in query(page)));
      expect(query(page)).toEqual({ q: 'customField."Business unit":"Payments team"' });
      await page.getByText('No assets match').waitFor();
      expect(await box.inputValue()).toContain('customField."Business unit":"Payments team"');
    });

    it('reports an invalid address', async () => {
      const page = await site.open('/assets?criticality=enormous');
      await page.getByRole('button', { name: 'Reset filters' }).click();
      await names(page, 'Assets').first().waitFor();
    });

    it('shows cards on a phone, and supports dark mode', async () => {
      const page = await site.open('/assets', { on: 'phone', colorScheme: 'dark' });
      await page.getByRole('region', { name: 'Assets' }).getByRole('listitem').first().waitFor();
      await site.look(page, 'assets-phone-dark');
    });
  });

  describe('live', () => {
    const CHANGES = '**/api/v3/changes';
    async function sent(complianceStatus: 'fail' | 'pass'): Promise<void> {
      const signal = plainSignal('Loose hinge', 'gate01', {
        securityContext: { type: 'va', status: { complianceStatus }, severity: { value: 5 } },
      });
      const { body } = await site.client.zip(await zipOf({ 'hinge.json': signal }));
      await site.client.folded(body.uploadId);
    }

    it('show changes from before the stream reconnects', async () => {
      await sent('fail');
      const page = await site.open('/settings');
      await page.route(CHANGES, (route) => route.abort());
      await page.goto(`${site.url}/app/findings?q=Loose%20hinge`);
      const row = page.getByRole('row', { name: /Loose hinge/ });
      await row.getByText('Failed', { exact: true }).waitFor();
      await page.getByText('Connecting …').waitFor();
      await sent('pass');
      await page.unroute(CHANGES);
      await row.getByText('Qualified', { exact: true }).waitFor();
      site.expectNoComplaint({ but: [/ERR_FAILED/] });
    });

    it('show changes from before the first stream', async () => {
      await sent('fail');
      const page = await site.open('/settings');
      let open = () => {};
      const held = new Promise<void>((resolve) => {
        open = resolve;
      });
      await page.route(CHANGES, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${site.url}/app/findings?q=Loose%20hinge`);
      const row = page.getByRole('row', { name: /Loose hinge/ });
      await row.getByText('Failed', { exact: true }).waitFor();
      await sent('pass');
      open();
      await row.getByText('Qualified', { exact: true }).waitFor();
    });

    it('show that an asset has moved, also if no finding has changed', async () => {
      const moveTo = async (department: string) => {
        const signal = plainSignal('Loose latch', 'gate02', {
          entity: { type: 'machine', name: 'gate02', entityAttributes: { department } },
        });
        const { body } = await site.client.zip(await zipOf({ 'latch.json': signal }));
        await site.client.folded(body.uploadId);
      };
      await moveTo('Gates');
      const page = await site.open('/findings?q=Loose%20latch&department=Gates');
      await page.getByRole('row', { name: /Loose latch/ }).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      await moveTo('Docks');
      await page.getByText('No findings match').waitFor();
    });

    it('refresh each minute while the service has no place for a stream', async () => {
      await sent('fail');
      const page = await site.open('/findings?q=Loose%20hinge');
      await page.clock.install();
      const json = { statusCode: 429, error: 'Too Many Requests', message: '5', retryIn: 5 };
      await page.route(CHANGES, (route) => route.fulfill({ status: 429, json }));
      await page.reload();
      const row = page.getByRole('row', { name: /Loose hinge/ });
      await row.getByText('Failed', { exact: true }).waitFor();
      await page.getByText('Every minute').waitFor();
      await sent('pass');
      await page.clock.fastForward(60_000);
      await row.getByText('Qualified', { exact: true }).waitFor();
      site.expectNoComplaint({ but: [/status of 429/] });
    });

    it(
      'leave the connections of the browser to other tabs while hidden, and show the changes on return',
      async () => {
        await sent('fail');
        const page = await site.open('/settings');
        const context = page.context();
        await context.addInitScript(HIDEABLE);
        await page.goto(`${site.url}/app/findings?q=Loose%20hinge`);
        const row = page.getByRole('row', { name: /Loose hinge/ });
        await row.getByText('Failed', { exact: true }).waitFor();
        await page.getByText('Live', { exact: true }).waitFor();
        await setHidden(page, true);
        // A browser has six connections to a host with HTTP/1.1.
        for (let tab = 2; tab <= 8; tab += 1) {
          const other = await context.newPage();
          await other.goto(`${site.url}/app/settings`);
          await other.getByRole('heading', { level: 1 }).waitFor();
          await setHidden(other, true);
        }
        await sent('pass');
        await setHidden(page, false);
        await row.getByText('Qualified', { exact: true }).waitFor();
      },
      TEST_MS_MAX,
    );

    it('reconnect a silent stream', async () => {
      const page = await site.open('/findings');
      await page.clock.install();
      let asked = 0;
      // The first request gets no response.
      await page.route(CHANGES, async (route) => {
        asked += 1;
        if (asked > 1) await route.continue();
      });
      await page.reload();
      await page.getByText('Connecting …').waitFor();
      await until('the stream is requested', () => asked === 1);
      await page.clock.fastForward(60_000);
      await page.getByText('Live', { exact: true }).waitFor();
    });
  });
});
