import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { openDatabase } from '#libs/database';
import { ROLES, SCOPES } from '../../apps/gateway/src/auth/scopes.ts';
import { GithubServer } from '../fixtures/tickets/github-server.ts';
import { JiraServer } from '../fixtures/tickets/jira-server.ts';
import { MailServer } from '../fixtures/tickets/mail-server.ts';
import { TeamsServer } from '../fixtures/tickets/teams-server.ts';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { ADMIN } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { ConsoleSite, signIn } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';
import { holdFold } from './held-fold.ts';

const START_MS_MAX = 240_000;
jest.setTimeout(180_000);
const MAPPING = '/settings/os-to-safe-asset-type-mapping';

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const said = (page: Page, text: string | RegExp) => page.getByText(text, { exact: false }).first().waitFor();
const dialog = (page: Page) => page.getByRole('dialog');
const hasFocus = async (element: Locator) =>
  (await element.and(element.page().locator(':focus')).count()) === 1;
/** Whether what stays in place while the page scrolls is over the field that has the focus, or it is outside the window. */
const isCovered = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const field = document.activeElement;
    const box = (field.closest('.mantine-Input-wrapper') ?? field.parentElement).getBoundingClientRect();
    const bar = [...document.querySelectorAll('form button')]
      .find(({ textContent }) => textContent === 'Discard').closest('.mantine-Paper-root');
    const header = document.querySelector('.mantine-AppShell-header');
    const bottom = bar.contains(field) ? Infinity : bar.getBoundingClientRect().top;
    return box.top < header.getBoundingClientRect().bottom || box.bottom > bottom;
  })()`);
const retirement = (page: Page) => page.getByRole('region', { name: 'Finding retirement policy' });
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name });
/** Outdated data is requested again after the browser is back online. @param page its clock is installed */
async function goOnline(page: Page, path: string): Promise<void> {
  const answer = page.waitForResponse(`**${path}`);
  await page.clock.fastForward(31_000);
  await page.evaluate(`['offline', 'online'].forEach((name) => dispatchEvent(new Event(name)))`);
  await answer;
}

describeInRun({ shares: 3, turn: 1, ...CONSOLE }, 'settings', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: true, env: { SEAL_PERSONAL_TEXTS: 'true' } });
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 180_000);
  // Caused by the tests: browsers report error responses as failed requests.
  afterEach(() => site.endTest({ but: [/status of (400|401|403|404|409)/, /ERR_FAILED/] }));

  const send = async (method: string, path: string, body: unknown) =>
    (await site.client.request(method, path, JSON.stringify(body))).body;
  const credential = (username: string, role: string): Promise<{ username: string; password: string }> =>
    send('POST', '/api/v3/credentials', { username, role });

  describe('policies', () => {
    it('open at /settings, and changes take effect and appear in the audit trail', async () => {
      const page = await site.open('/settings');
      await heading(page, 'Policies');
      expect(new URL(page.url()).pathname).toBe('/app/settings/policies');
      await retirement(page).getByLabel('Vulnerability').waitFor();
      await site.look(page, 'settings-policies');
      await retirement(page).getByLabel('Vulnerability').fill('30');
      await page.getByRole('textbox', { name: 'Retention period' }).fill('120');
      await said(page, '2 unsaved changes');
      await said(page, 'Stored findings keep their expiry');
      await site.look(page, 'settings-policies-unsaved');
      const before = await site.client.get('/api/v3/settings');
      await press(page, 'Save');
      await said(page, 'The policies are saved and in effect.');
      expect(await site.client.get('/api/v3/settings')).toEqual({
        ...before,
        version: before.version + 1,
        retentionDays: 120,
        retirementDays: { ...before.retirementDays, va: 30 },
      });
      await page.getByRole('link', { name: 'Audit trail' }).click();
      const act = row(page, /Policies changed/).first();
      await act.getByText('Vulnerability: days until expiry: 90 days → 30 days').waitFor();
      await act.getByText('Retention period: 90 days → 120 days').waitFor();
      await site.look(page, 'settings-audit');
    });

    it('support every input type, and send only changed values', async () => {
      const page = await site.open('/settings/policies');
      await page.getByRole('switch', { name: 'Delete assets without data' }).press('Space');
      await page.getByLabel('Asset matching').selectOption('fqdn');
      await page.getByLabel('After 100 single signals in 24 hours').selectOption('enforce');
      await page.getByRole('combobox', { name: 'Allowed internal addresses' }).fill('10.0.0.0/8');
      await page.keyboard.press('Enter');
      await page.getByLabel('Single signals per minute').fill('7000');
      const request = page.waitForRequest((one) => one.method() === 'PATCH');
      await press(page, 'Save');
      const { version, ...sent } = (await request).postDataJSON();
      expect(sent).toEqual({
        deleteAssetsWithoutData: false,
        assetMatching: 'fqdn',
        jsonDailyPolicy: 'enforce',
        egressAllow: ['10.0.0.0/8'],
        jsonRequestsPerMinute: 7000,
      });
      await said(page, 'The policies are saved and in effect.');
      expect(await site.client.get('/api/v3/settings')).toMatchObject({ version: version + 1, ...sent });
      await page.reload();
      expect(await page.getByLabel('Asset matching').inputValue()).toBe('fqdn');
      await send('PATCH', '/api/v3/settings', { assetMatching: 'name', jsonDailyPolicy: 'advise' });
    });

    it('keep the history of findings for some days, or for ever', async () => {
      const page = await site.open('/settings/policies');
      const history = page.getByRole('region', { name: 'Retention of history' });
      const days = history.getByLabel('Vulnerability');
      await days.fill('7');
      await press(page, 'Save');
      await said(page, 'Must not be less than 30');
      await days.fill('400');
      await history.getByText('Vulnerability: no change would be removed now.').waitFor();
      const old = { type: 'va', days: 30, before: '2026-05-02T00:00:00Z', subjects: 0, waitingFor: [] };
      const found = { changes: 12_345, findings: 678, oldest: '2025-03-01T08:00:00Z', isComplete: true };
      await page.route('**/preview?*days=30', (route) => route.fulfill({ json: { ...old, ...found } }));
      await days.fill('30');
      await history
        .getByText(/^Vulnerability: at most 12,345 changes of 678 findings would be removed, the oldest of /)
        .waitFor();
      await site.look(page, 'settings-history-preview');
      // More than a million old changes: not all were looked at.
      const partly = { changes: 5, findings: 3, oldest: '2025-03-01T08:00:00Z', isComplete: false };
      const unseen = { changes: 0, findings: 0, oldest: null, isComplete: false };
      await page.route('**/preview?*days=31', (route) => route.fulfill({ json: { ...old, ...partly } }));
      await page.route('**/preview?*days=32', (route) => route.fulfill({ json: { ...old, ...unseen } }));
      const sealed = { ...unseen, isComplete: true, subjects: 20_000 };
      await page.route('**/preview?*days=33', (route) => route.fulfill({ json: { ...old, ...sealed } }));
      await days.fill('31');
      await history
        .getByText(/: of the first million old changes, at most 5 changes of 3 findings/)
        .waitFor();
      await history.getByText('There are more, which were not counted.').waitFor();
      await days.fill('32');
      await history.getByText('those of this type that would be removed were not counted.').waitFor();
      await site.look(page, 'settings-history-preview-uncounted');
      await days.fill('33');
      await history.getByText('The keys of 20,000 deleted users and machines would be destroyed').waitFor();
      await days.fill('400');
      await press(page, 'Save');
      await said(page, 'The policies are saved and in effect.');
      const kept = async () => (await site.client.get('/api/v3/settings')).historyRetentionDays;
      expect(await kept()).toEqual({ va: 400 });
      // The notification covers the button.
      await page.reload();
      await days.fill('');
      await press(page, 'Save');
      await until('for ever again', async () => !(await kept()).va);
    });

    it('show an error at each invalid field', async () => {
      const page = await site.open('/settings/policies');
      await retirement(page).getByLabel('EDR detection').fill('0');
      await retirement(page).getByLabel('User behaviour').fill('');
      await page.getByLabel('Reject uploads when processing lags by').fill('5');
      await page.getByLabel('Platform version').fill('new');
      await page.getByRole('combobox', { name: 'Allowed internal addresses' }).fill('not a host');
      await page.keyboard.press('Enter');
      const before = await site.client.get('/api/v3/settings');
      await press(page, 'Save');
      for (const [place, label, error] of [
        [retirement(page), 'EDR detection', 'Must not be less than 1'],
        [retirement(page), 'User behaviour', 'Must be a whole number'],
        [page, 'Reject uploads when processing lags by', 'Must not be less than 10'],
        [page, 'Platform version', 'Must be a version such as 4.1'],
        [page, 'Allowed internal addresses', 'Must be an IP address'],
      ] as const) {
        const field = page.locator('input').and(place.getByLabel(label, { exact: true }));
        await until(`${label} is wrong`, async () => (await field.getAttribute('aria-invalid')) === 'true');
        const described = await field.getAttribute('aria-describedby');
        const texts = await page
          .locator(
            described!
              .split(' ')
              .map((id) => `[id="${id}"]`)
              .join(','),
          )
          .allTextContents();
        expect(texts.join(' ')).toContain(error);
      }
      const first = retirement(page).getByLabel('EDR detection');
      await until('the first of them has the focus', () => hasFocus(first));
      expect(await isCovered(page)).toBe(false);
      await site.look(page, 'settings-policies-wrong');
      expect(await site.client.get('/api/v3/settings')).toEqual(before);
      await press(page, 'Discard');
      expect(await page.getByLabel('Platform version').inputValue()).toBe('4.1');
    });

    it('keep the field with the focus visible above the unsaved changes, and below the header', async () => {
      const page = await site.open('/settings/policies');
      await page.setViewportSize({ width: 1280, height: 800 });
      const first = retirement(page).getByLabel('EDR detection');
      await first.fill('44');
      await said(page, 'One unsaved change');
      const covered: string[] = [];
      const note = async () => {
        if (await isCovered(page))
          covered.push(await page.evaluate<string>('document.activeElement.outerHTML'));
      };
      const discard = page.getByRole('button', { name: 'Discard' });
      let fields = 0;
      for (; !(await hasFocus(discard)); fields += 1) {
        await note();
        await page.keyboard.press('Tab');
      }
      expect(fields).toBeGreaterThan(20);
      while (!(await hasFocus(first))) {
        await page.keyboard.press('Shift+Tab');
        await note();
      }
      expect(covered).toEqual([]);
    });

    it('show concurrent changes of another admin together with unsaved changes', async () => {
      const page = await site.open('/settings/policies');
      await retirement(page).getByLabel('Configuration').fill('45');
      await send('PATCH', '/api/v3/settings', { maxLagSeconds: 200 });
      await press(page, 'Save');
      await said(page, 'Another user changed the settings.');
      await until('the error has the focus', () => hasFocus(page.getByRole('alert')));
      const lag = page.getByLabel('Reject uploads when processing lags by');
      await until('the other value is shown', async () => (await lag.inputValue()) === '200 seconds');
      expect(await retirement(page).getByLabel('Configuration').inputValue()).toBe('45 days');
      await press(page, 'Save');
      await said(page, 'The policies are saved and in effect.');
      expect(await site.client.get('/api/v3/settings')).toMatchObject({
        maxLagSeconds: 200,
        retirementDays: { ca: 45 },
      });
    });

    it('do not replace a value that another admin has set since, even if the settings are read again', async () => {
      const page = await site.open('/settings/policies');
      await page.clock.install();
      await page.reload();
      const days = page.getByRole('textbox', { name: 'Retention period' });
      await days.fill('400');
      await send('PATCH', '/api/v3/settings', { retentionDays: 30 });
      await goOnline(page, '/api/v3/settings');
      await press(page, 'Save');
      await said(page, 'Another user changed the settings.');
      expect(await site.client.get('/api/v3/settings')).toMatchObject({ retentionDays: 30 });
      expect(await days.inputValue()).toBe('400 days');
      await press(page, 'Save');
      await said(page, 'The policies are saved and in effect.');
      expect(await site.client.get('/api/v3/settings')).toMatchObject({ retentionDays: 400 });
    });

    it('show why a change is rejected if no other user is the reason (409)', async () => {
      const page = await site.open('/settings/policies');
      const message = 'the clock of the gateway is too far ahead: correct it, then repeat the request';
      await page.route('**/api/v3/settings', (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({ status: 409, json: { statusCode: 409, error: 'Conflict', message } })
          : route.fallback(),
      );
      await page.getByRole('textbox', { name: 'Retention period' }).fill('401');
      await press(page, 'Save');
      await page.getByRole('alert').filter({ hasText: message }).waitFor();
    });

    it('report that an accepted change is not yet in effect (202)', async () => {
      const page = await site.open('/settings/policies');
      const release = await holdFold(site.service.databaseUrl);
      try {
        const days = retirement(page).getByLabel('Configuration');
        await days.fill('46');
        await press(page, 'Save');
        // What is typed now would be discarded with the saved draft.
        await until('nothing can be changed', () => days.isDisabled());
        expect(await page.getByRole('button', { name: 'Discard' }).isDisabled()).toBe(true);
        await said(page, 'Accepted, not yet in effect');
        expect(await site.client.get('/api/v3/settings')).not.toMatchObject({ retirementDays: { ca: 46 } });
      } finally {
        await release();
      }
      await until('it is in effect', async () => {
        const { retirementDays } = await site.client.get('/api/v3/settings');
        return retirementDays.ca === 46;
      });
    });

    it('always show the current state', async () => {
      const page = await site.open(`/settings/policies?asOf=${new Date(Date.now() - 60_000).toISOString()}`);
      await said(page, 'Past settings are not available.');
      expect(await page.getByLabel('Vulnerability').count()).toBe(0);
      await site.look(page, 'settings-past');
      await page.getByRole('link', { name: 'Show changes before that time in the audit trail.' }).click();
      await heading(page, 'Audit trail');
      expect(new URL(page.url()).searchParams.get('to')).not.toBeNull();
    });
  });

  describe('with unsaved changes', () => {
    const bar = (page: Page) => page.getByRole('button', { name: /^(Save|Discard)$/ });
    /** The changes stay in the tab. */
    const showPast = async (page: Page) => {
      page.on('dialog', (asked) => void asked.accept());
      await page.goto(`${page.url()}?asOf=${new Date(Date.now() - 60_000).toISOString()}`);
      await said(page, 'Past settings are not available.');
    };

    it('policies show the stored values while a past time is displayed, and save nothing', async () => {
      const page = await site.open('/settings/policies');
      const days = page.getByRole('textbox', { name: 'Retention period' });
      const stored = await days.inputValue();
      await days.fill('333');
      await bar(page).first().waitFor();
      await showPast(page);
      await page.getByText(stored, { exact: true }).first().waitFor();
      expect([await page.getByText('333').count(), await bar(page).count()]).toEqual([0, 0]);
      await press(page, 'Back to now');
      await bar(page).first().waitFor();
      expect(await days.inputValue()).toContain('333');
    });

    it('the OS mapping and owner rules do so too', async () => {
      const page = await site.open('/settings/os-mapping');
      const rows = page.getByRole('region', { name: 'OS mapping' }).getByRole('row');
      await rows.nth(1).waitFor();
      const count = await rows.count();
      await page
        .getByRole('button', { name: /^Remove / })
        .first()
        .click();
      await bar(page).first().waitFor();
      await showPast(page);
      await rows.nth(1).waitFor();
      expect([await rows.count(), await bar(page).count()]).toEqual([count, 0]);

      const rules = await site.open('/settings/owner-rules');
      await press(rules, 'Add a rule');
      await dialog(rules).getByLabel('Team').check();
      await dialog(rules).getByLabel('Name').fill('unsaved-team');
      await dialog(rules).getByRole('combobox', { name: 'Tags' }).fill('env=test');
      await rules.keyboard.press('Enter');
      await dialog(rules).getByRole('button', { name: 'Add to list' }).click();
      await bar(rules).first().waitFor();
      await showPast(rules);
      await said(rules, 'No owner rules');
      expect([await rules.getByText('unsaved-team').count(), await bar(rules).count()]).toEqual([0, 0]);
    });
  });

  describe.each([
    ['departments', 'department', '/api/v3/company/departments', 'Departments'],
    ['locations', 'location', '/api/v3/locations', 'Locations'],
  ])('%s', (section, one, path, title) => {
    it('are added, renamed, made the default and removed', async () => {
      const names = async () => (await site.client.all(path)).map(({ name }) => name);
      const page = await site.open(`/settings/${section}`);
      await heading(page, title);
      await press(page, `Add a ${one}`);
      await dialog(page).getByLabel('Name').fill('Berlin');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'Berlin was added.');
      expect(await names()).toContain('Berlin');

      await press(page, 'Rename Berlin');
      await dialog(page).getByLabel('Name').fill('Berlin Mitte');
      await dialog(page).getByRole('button', { name: 'Rename' }).click();
      await said(page, 'Berlin was renamed to Berlin Mitte.');
      expect(await names()).toContain('Berlin Mitte');

      const before = (await site.client.all(path)).find((option) => option.default);
      await press(page, 'Make Berlin Mitte the default');
      await said(page, 'Berlin Mitte is now the default.');
      expect((await site.client.all(path)).filter((option) => option.default)).toMatchObject([
        { name: 'Berlin Mitte' },
      ]);
      await site.look(page, `settings-${section}`);
      const locked = page.getByRole('button', {
        name: 'Berlin Mitte is the default. Make another one',
        exact: false,
      });
      expect(await locked.isDisabled()).toBe(true);

      await press(page, `Make ${before.name} the default`);
      await said(page, `${before.name} is now the default.`);
      await press(page, 'Remove Berlin Mitte');
      await said(page, 'keep its name');
      await dialog(page).getByRole('button', { name: 'Remove' }).click();
      await said(page, 'Berlin Mitte was removed.');
      await row(page, /Berlin Mitte/).waitFor({ state: 'detached' });
      expect(await names()).not.toContain('Berlin Mitte');
    });

    it('require a unique name', async () => {
      await send('POST', path, { name: 'Taken' });
      const page = await site.open(`/settings/${section}`);
      await press(page, `Add a ${one}`);
      await dialog(page).getByLabel('Name').fill('tAKEN');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'This name is already in use');
      await dialog(page).getByLabel('Name').fill(' ');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'Must not be empty');
      expect(await dialog(page).getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    });
  });

  describe('custom fields', () => {
    const path = '/api/v3/custom-fields';

    it('are added, changed and removed', async () => {
      const page = await site.open('/settings/custom-fields');
      await press(page, 'Add a custom field');
      await dialog(page).getByLabel('Name').fill('Tier');
      await dialog(page).getByLabel('Type').selectOption('Select');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'Must contain at least one option for the type Select');
      for (const option of ['Gold', 'Silver']) {
        await dialog(page).getByRole('combobox', { name: 'Options' }).fill(option);
        await page.keyboard.press('Enter');
      }
      await site.look(page, 'settings-custom-field-form');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'Tier was added.');
      const field = (await site.client.all(path)).find(({ name }) => name === 'Tier');
      expect(field).toMatchObject({ type: 'Select', multiValued: false, options: ['Gold', 'Silver'] });
      await row(page, /Tier.*Gold, Silver.*Not yet/).waitFor();
      await site.look(page, 'settings-custom-fields');

      // The version is that of all settings, which other admins change while the page is open.
      const locations = '/api/v3/locations';
      const { id: berlin } = await send('POST', locations, { name: 'Berlin' });
      await press(page, 'Change Tier');
      await dialog(page).getByLabel('Type').selectOption('Text');
      await site.client.request('DELETE', `${locations}/${berlin}`);
      await dialog(page).getByRole('button', { name: 'Save' }).click();
      await said(page, 'Another user changed the settings. Your change is not saved');
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      await send('POST', locations, { name: 'Berlin' });
      const { version } = await site.client.get(`${path}/${field.id}`);
      await press(page, 'Change Tier');
      await dialog(page).getByLabel('Type').selectOption('Text');
      await dialog(page).getByRole('switch', { name: 'Allow multiple values' }).press('Space');
      const request = page.waitForRequest((one) => one.method() === 'PATCH');
      await dialog(page).getByRole('button', { name: 'Save' }).click();
      expect((await request).postDataJSON()).toEqual({
        ...{ type: 'Text', multiValued: true, options: [], version },
      });
      await said(page, 'Tier was changed.');
      expect(await site.client.get(`${path}/${field.id}`)).toMatchObject({ type: 'Text', multiValued: true });

      await dialog(page).waitFor({ state: 'hidden' });
      await press(page, 'Add a custom field');
      await dialog(page).getByLabel('Name').fill('Tier');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'This name is already in use');
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();

      await press(page, 'Remove Tier');
      await dialog(page).getByRole('button', { name: 'Remove' }).click();
      await said(page, 'Tier was removed.');
      expect((await site.client.request('GET', `${path}/${field.id}`)).status).toBe(404);
    });

    it('show how many assets have a value before the removal', async () => {
      await send('PATCH', '/api/v3/settings', { customFieldRecognitionDelaySeconds: 0 });
      const { id } = await send('POST', path, { name: 'Owner' });
      const host = { type: 'machine', name: 'owned01', entityAttributes: { tags: { Owner: ['ana'] } } };
      const upload = await site.client.zip(
        await zipOf({
          '1.json': plainSignal('a', 'owned01', { entity: host }),
        }),
      );
      await site.client.folded(upload.body.uploadId);
      const page = await site.open('/settings/custom-fields');
      await press(page, 'Remove Owner');
      await dialog(page).getByRole('button', { name: 'Remove' }).click();
      await said(page, 'One asset');
      await site.look(page, 'settings-custom-field-removal');
      await dialog(page).getByRole('button', { name: 'Remove anyway' }).click();
      await said(page, 'Owner was removed.');
      expect((await site.client.request('GET', `${path}/${id}`)).status).toBe(404);
    });
  });

  describe('OS mapping', () => {
    it('is tested, reordered by keyboard, and replaced', async () => {
      const page = await site.open('/settings/os-mapping');
      const trial = page.getByLabel('Test an operating system name');
      await trial.fill('TempleOS 5');
      await said(page, 'default, no row matches');
      await press(page, 'Add a row');
      await dialog(page).getByLabel('Pattern').fill('temple*');
      await dialog(page).getByRole('combobox', { name: 'Asset type' }).fill('Temple');
      await dialog(page).getByRole('combobox', { name: 'Attack surface' }).fill('Servers');
      await dialog(page).getByRole('combobox', { name: 'Supported finding types' }).click({ force: true });
      await page.getByRole('option', { name: 'Vulnerability' }).click();
      await page.keyboard.press('Tab');
      await dialog(page).getByRole('button', { name: 'Add to list' }).click();
      await said(page, 'row 1, temple*');
      const down = page.getByRole('button', { name: 'Move temple* down' });
      await down.focus();
      await page.keyboard.press('Enter');
      await said(page, 'row 2, temple*');
      await page.keyboard.press('Enter');
      await said(page, 'row 3, temple*');
      await press(page, 'Move temple* up');
      await said(page, 'row 2, temple*');
      await site.look(page, 'settings-os-mapping');
      const before = await site.client.get(MAPPING);
      await press(page, 'Save');
      await said(page, 'The OS mapping is saved.');
      const temple = {
        osPattern: 'temple*',
        assetType: 'Temple',
        attackSurface: 'Servers',
        supports: ['va'],
      };
      expect(await site.client.get(MAPPING)).toEqual({
        ...before,
        mappings: before.mappings.toSpliced(1, 0, temple),
      });

      const entity = {
        type: 'machine',
        name: 'temple01',
        entityAttributes: { os: 'TempleOS 5', tags: { os: ['TempleOS 5'] } },
      };
      const { body } = await site.client.signal(plainSignal('a', 'temple01', { entity }));
      await site.client.folded(body.uploadId);
      const [asset] = await site.client.all('/api/v3/assets?name=temple01');
      expect(asset).toMatchObject({ type: 'Temple', attackSurface: 'Servers' });

      await press(page, 'Remove temple*');
      await press(page, 'Change the default');
      await dialog(page).getByRole('combobox', { name: 'Asset type' }).fill('Unknown');
      await dialog(page).getByRole('button', { name: 'Update list' }).click();
      await press(page, 'Save');
      await until('the list is as expected', async () => {
        const { mappings, default: fallback } = await site.client.get(MAPPING);
        return mappings.length === before.mappings.length && fallback.assetType === 'Unknown';
      });
    });

    it('shows an error at the invalid row', async () => {
      const page = await site.open('/settings/os-mapping');
      const before = await site.client.get(MAPPING);
      await press(page, `Change ${before.mappings[1].osPattern}`);
      await dialog(page).getByRole('combobox', { name: 'Asset type' }).fill(' ');
      await dialog(page).getByRole('button', { name: 'Update list' }).click();
      await press(page, `Move ${before.mappings[1].osPattern} down`);
      await press(page, 'Save');
      await page.locator('tr', { hasText: 'The asset type: Must not be empty' }).waitFor();
      const summary = page.getByRole('alert').filter({ hasText: 'Some rows are invalid' });
      await until('the error has the focus', () => hasFocus(summary));
      await site.look(page, 'settings-os-mapping-wrong');
      expect(await site.client.get(MAPPING)).toEqual(before);
      await press(page, 'Discard');
      await page.locator('tr', { hasText: 'The asset type: Must be' }).waitFor({ state: 'detached' });
    });

    it('reports a concurrent change before it replaces the list', async () => {
      const page = await site.open('/settings/os-mapping');
      await page.clock.install();
      await page.reload();
      const before = await site.client.get(MAPPING);
      const [first, second, ...others] = before.mappings;
      await press(page, `Move ${first.osPattern} down`);
      await said(page, 'One unsaved change');
      const { version } = await site.client.get('/api/v3/settings');
      const theirs = { ...before, default: { ...before.default, assetType: 'Theirs' } };
      await send('POST', MAPPING, { ...theirs, version });
      await goOnline(page, MAPPING);
      await said(page, 'One unsaved change');
      await press(page, 'Save');
      await said(page, 'Another user changed the settings.');
      expect(await site.client.get(MAPPING)).toEqual(theirs);
      await press(page, 'Save');
      await said(page, 'The OS mapping is saved.');
      expect(await site.client.get(MAPPING)).toEqual({ ...before, mappings: [second, first, ...others] });
    });

    it('keeps the list while a row is edited', async () => {
      const page = await site.open('/settings/os-mapping');
      await page.clock.install();
      await page.reload();
      const { mappings, default: fallback } = await site.client.get(MAPPING);
      const [{ osPattern }] = mappings;
      await press(page, `Change ${osPattern}`);
      await send('POST', MAPPING, { mappings, default: { ...fallback, assetType: 'Unlike any' } });
      await goOnline(page, MAPPING);
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      await row(page, /^Default.* Unlike any/).waitFor();
      expect(await page.getByRole('button', { name: 'Discard' }).count()).toBe(0);

      await press(page, `Change ${osPattern}`);
      await goOnline(page, MAPPING);
      await dialog(page).getByRole('combobox', { name: 'Asset type' }).fill('Changed');
      await dialog(page).getByRole('button', { name: 'Update list' }).click();
      await said(page, 'One unsaved change');
      expect(await page.getByRole('button', { name: `Change ${osPattern}`, exact: true }).count()).toBe(1);
      await press(page, 'Discard');
      await send('POST', MAPPING, { mappings, default: fallback });
    });
  });

  describe('owner rules', () => {
    const RULES = '/api/v3/owner-rules';
    const rule = (number: number) => `rule ${number}`;
    const conditions = { departments: [], locations: [], tags: [] };

    it('are added, reordered by keyboard, previewed and saved, and findings show the owner', async () => {
      const page = await site.open('/settings/owner-rules');
      await said(page, 'No owner rules');
      const [{ id, department }] = await site.client.all('/api/v3/assets?sort=-score');
      await dialog(page).waitFor({ state: 'hidden' });
      await press(page, 'Add a rule');
      await dialog(page).getByLabel('Team').check();
      await dialog(page).getByLabel('Name').fill('platform');
      await dialog(page).getByRole('combobox', { name: 'Tags' }).fill('env');
      await page.keyboard.press('Enter');
      await dialog(page).getByRole('button', { name: 'Add to list' }).click();
      await said(page, 'Write env as key=value.');
      await dialog(page).getByRole('combobox', { name: 'Tags' }).press('Backspace');
      await site.look(page, 'settings-owner-rule');
      await dialog(page).getByRole('button', { name: 'Add to list' }).click();
      await row(page, /1 Any platform \(team\)/).waitFor();
      await press(page, 'Add a rule');
      await dialog(page).getByLabel('User').check();
      await dialog(page).getByLabel('Name').fill('ana');
      await dialog(page).getByRole('combobox', { name: 'Departments' }).fill(department);
      await page.keyboard.press('Enter');
      await dialog(page).getByRole('button', { name: 'Add to list' }).click();
      await page.getByRole('button', { name: `Move ${rule(2)} up` }).focus();
      await page.keyboard.press('Enter');
      await said(page, `The rule of ana is now ${rule(1)} of 2`);
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
        `Move ${rule(1)} down`,
      );
      await press(page, 'Preview');
      await said(page, 'would change the owner.');
      await row(page, /ana 0 [1-9]/).waitFor();
      await site.look(page, 'settings-owner-rules');
      await press(page, 'Save');
      await said(page, 'The owner rules are saved and in effect.');
      const rules = [
        { ...conditions, departments: [department], owner: { type: 'user', name: 'ana' } },
        { ...conditions, owner: { type: 'team', name: 'platform' } },
      ];
      expect((await site.client.get(RULES)).rules).toEqual(rules);

      await page.goto(`${site.url}/app/assets/${id}`);
      await said(page, `by ${rule(1)}`);
      await page.getByRole('link', { name: 'ana', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Findings' }).waitFor();
      expect(new URL(page.url()).searchParams.get('assignee')).toBe('ana');
      const [finding] = await site.client.all(`/api/v3/findings?assetId=${id}&state=Failed`);
      await page.goto(`${site.url}/app/findings/${finding.id}`);
      await said(page, 'by rule');
      await site.look(page, 'finding-owned-by-rule');
    });

    it('show an error at the invalid rule, and report a concurrent change', async () => {
      const owners = [
        { type: 'user', name: 'ana' },
        { type: 'team', name: 'platform' },
      ];
      await send('POST', RULES, { rules: owners.map((owner) => ({ ...conditions, owner })) });
      const page = await site.open('/settings/owner-rules');
      await press(page, `Change ${rule(1)}`);
      await dialog(page).getByLabel('Name').fill(' ');
      await dialog(page).getByRole('button', { name: 'Update list' }).click();
      await press(page, 'Save');
      await page.locator('tr', { hasText: 'The owner: Must not be empty' }).waitFor();
      await press(page, 'Discard');
      await press(page, `Remove ${rule(1)}`);
      const { rules } = await site.client.get(RULES);
      await send('POST', RULES, { rules: [...rules].reverse() });
      await press(page, 'Save');
      await said(page, 'Another user changed the settings.');
      await press(page, 'Save');
      await said(page, 'The owner rules are saved and in effect.');
      expect((await site.client.get(RULES)).rules).toEqual(rules.slice(1));
      await press(page, `Remove ${rule(1)}`);
      await press(page, 'Save');
      await said(page, 'No owner rules');
      await until('no rules', async () => (await site.client.get(RULES)).rules.length === 0);
    });

    it('appear in the audit trail with their tags', async () => {
      const owner = { type: 'team', name: 'platform' };
      for (const value of ['prod', 'dev'])
        await send('POST', RULES, { rules: [{ ...conditions, tags: [{ key: 'env', value }], owner }] });
      const page = await site.open('/settings/audit');
      const act = row(page, /Owner rules replaced/).first();
      await act.getByText('env=dev').waitFor();
      const lines = await act.getByRole('listitem').allTextContents();
      expect(lines.map((line) => line.match(/Row: |env=\w+|platform|reordered|null|\[object/g))).toEqual([
        ['Row: ', 'env=prod', 'platform'],
        ['Row: ', 'env=dev', 'platform'],
      ]);
      await send('POST', RULES, { rules: [] });
    });

    it('stay as they are while one is edited', async () => {
      const [ana, eve] = ['ana', 'eve'].map((name) => ({ ...conditions, owner: { type: 'user', name } }));
      await send('POST', RULES, { rules: [ana] });
      const page = await site.open('/settings/owner-rules');
      await page.clock.install();
      await page.reload();
      await press(page, `Change ${rule(1)}`);
      await send('POST', RULES, { rules: [ana, eve] });
      await goOnline(page, RULES);
      await dialog(page).getByLabel('Name').fill('ben');
      await dialog(page).getByRole('button', { name: 'Update list' }).click();
      await row(page, /1 Any ben/).waitFor();
      await said(page, 'One unsaved change');
      expect(await page.getByRole('button', { name: /^Change rule/ }).count()).toBe(1);
      await press(page, 'Discard');
      await row(page, /2 Any eve/).waitFor();
      await send('POST', RULES, { rules: [] });
    });
  });

  describe('a user who is limited to a department', () => {
    it('is added with it, sees its assets, and is told what is not available', async () => {
      const page = await site.open('/settings/credentials');
      await press(page, 'Add a credential');
      await dialog(page).getByLabel('User name').fill('limited');
      await dialog(page).getByLabel('viewer').check();
      const { department } = (await site.client.all('/api/v3/assets'))[0];
      await dialog(page).getByRole('combobox', { name: 'Departments' }).fill(department);
      await dialog(page).getByRole('combobox', { name: 'Departments' }).press('Enter');
      await site.look(page, 'settings-credential-limited');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      const password = dialog(page).getByRole('textbox', { name: 'Password', exact: true });
      await password.waitFor();
      const limited = { username: 'limited', password: await password.inputValue() };
      await press(page, 'I saved the password');
      await row(page, new RegExp(`limited viewer No ${department}`)).waitFor();

      const own = await site.open('/assets', { as: limited });
      await row(own, new RegExp(department)).first().waitFor();
      await site.look(own, 'limited-assets');
      await own.goto(`${site.url}/app/`);
      await said(own, 'is limited to departments or locations');
      await said(own, 'Live');
      await site.look(own, 'limited-overview');
    });
  });

  describe('credentials', () => {
    const made = async (page: Page) => {
      const password = dialog(page).getByRole('textbox', { name: 'Password', exact: true });
      await password.waitFor();
      return password.inputValue();
    };

    it('are created with a password that is shown once; a rotation revokes it', async () => {
      const page = await site.open('/settings/credentials');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await press(page, 'Add a credential');
      await dialog(page).getByLabel('User name').fill('not a name');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'Must be 1 to 100 letters, digits and . _ - @ +');
      await dialog(page).getByLabel('User name').fill(ADMIN.username);
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'This name is already in use');
      await dialog(page).getByLabel('User name').fill('scanner-berlin');
      await dialog(page).getByLabel('viewer').check();
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      const first = await made(page);
      await said(page, 'The password is shown only once');
      await press(page, 'Copy');
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor();
      await press(page, 'I saved the password');
      await row(page, /scanner-berlin viewer/).waitFor();
      await ApiClient.signIn(site.url, { username: 'scanner-berlin', password: first });
      await site.look(page, 'settings-credentials');

      await press(page, 'Rotate the password of scanner-berlin');
      await dialog(page).getByRole('button', { name: 'Rotate' }).click();
      const second = await made(page);
      await site.look(page, 'settings-credential-password');
      await press(page, 'I saved the password');
      await expect(
        ApiClient.signIn(site.url, { username: 'scanner-berlin', password: first }),
      ).rejects.toThrow('401');
      await ApiClient.signIn(site.url, { username: 'scanner-berlin', password: second });

      await press(page, 'Delete scanner-berlin');
      await dialog(page).getByRole('button', { name: 'Delete' }).click();
      await said(page, 'scanner-berlin was deleted.');
      await expect(
        ApiClient.signIn(site.url, { username: 'scanner-berlin', password: second }),
      ).rejects.toThrow('401');
    });

    it('select the password if the clipboard is not available, as over plain HTTP', async () => {
      const page = await site.open('/settings/credentials');
      await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
      await page.reload();
      await press(page, 'Add a credential');
      await dialog(page).getByLabel('User name').fill('scanner-bonn');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      const password = await made(page);
      await press(page, 'Copy');
      await said(page, 'Selected. Press Ctrl+C');
      expect(await page.evaluate('getSelection().toString()')).toBe(password);
      await site.look(page, 'settings-credential-selected');
    });

    it('keep the last admin', async () => {
      const page = await site.open('/settings/credentials');
      await press(page, `Delete ${ADMIN.username}`);
      await said(page, 'This is your own credential');
      await dialog(page).getByRole('button', { name: 'Delete' }).click();
      await said(page, 'is the last admin');
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      await heading(page, 'Credentials');
    });

    it('of the user: a rotation shows the password before it signs out, a deletion signs out', async () => {
      const second = await credential('second-admin', 'admin');
      const page = await site.open('/settings/credentials', { as: second });
      // The change stream ends with the token, often before the response with the new password arrives.
      await page.route('**/rotate', async (route) => {
        const response = await route.fetch();
        await until('the session has ended', () =>
          page.evaluate(`sessionStorage.getItem('posture-session-2') === null`),
        );
        expect(await page.getByRole('dialog', { name: 'Sign in again' }).count()).toBe(0);
        await route.fulfill({ response });
      });
      await press(page, 'Rotate the password of second-admin');
      await dialog(page).getByRole('button', { name: 'Rotate' }).click();
      const password = await made(page);
      await press(page, 'I saved the password, sign in again');
      await signIn(page, { username: 'second-admin', password });
      await press(page, 'Delete second-admin');
      await dialog(page).getByRole('button', { name: 'Delete' }).click();
      await said(page, 'You have signed out.');
      expect((await site.client.all('/api/v3/credentials')).map(({ username }) => username)).not.toContain(
        'second-admin',
      );
    });
  });

  describe('audit trail', () => {
    it('filters in the address bar, and links to targets', async () => {
      const { id } = (await site.client.all('/api/v3/findings?state=Failed'))[0];
      const answer = await site.client.request(
        'POST',
        `/api/v3/findings/${id}/accept`,
        JSON.stringify({ rationale: 'behind the firewall' }),
      );
      expect(answer.status).toBe(200);
      const page = await site.open('/settings/audit');
      await page.getByLabel('Action', { exact: true }).selectOption('finding.accepted');
      await page.getByLabel('User', { exact: true }).fill(ADMIN.username);
      await press(page, 'Filter');
      await until('the address contains it', () => page.url().includes('action=finding.accepted'));
      await page.getByText('Rationale: behind the firewall').waitFor();
      await row(page, /Policies changed/)
        .first()
        .waitFor({ state: 'detached' });
      await until('the origin is stored', async () => {
        const [act] = await site.client.all(`/api/v3/audit?target=${id}`);
        return act.origins.length === 1;
      });
      await page.reload();
      await page.getByText('Rationale: behind the firewall').waitFor();
      await press(page, 'Details');
      await said(page, id);
      await said(page, /from 127\.0\.0\.1 with token [0-9a-f]{12}/);
      await site.look(page, 'settings-audit-filtered');
      await page.getByRole('link', { name: 'Finding', exact: true }).click();
      await until('the finding is shown', () => new URL(page.url()).pathname === `/app/findings/${id}`);
      await page.goBack();

      await page.getByLabel('From').fill('2031-01-01T00:00:00');
      await press(page, 'Filter');
      await said(page, 'No actions match');
      expect(new URL(page.url()).searchParams.get('from')).toBe('2031-01-01T00:00:00.000Z');
      await press(page, 'Clear');
      await row(page, /Policies changed/)
        .first()
        .waitFor();
    });

    it('has pages', async () => {
      for (let i = 0; i < 26; i++) {
        const { id } = await send('POST', '/api/v3/locations', { name: `Room ${i}` });
        await site.client.request('DELETE', `/api/v3/locations/${id}`);
      }
      const page = await site.open('/settings/audit');
      await said(page, '50 on page 1');
      await press(page, 'Next page');
      await said(page, 'on page 2');
      await press(page, 'Previous page');
      await said(page, '50 on page 1');
    });
  });

  describe('API tokens', () => {
    const made = async (page: Page) => {
      const token = dialog(page).getByRole('textbox', { name: 'Token', exact: true });
      await token.waitFor();
      return token.inputValue();
    };
    const use = async (token: string, path: string): Promise<number> => {
      const answer = await fetch(`${site.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      await answer.text();
      return answer.status;
    };

    it('are created with scopes and networks, shown once, rotated with an overlap and revoked', async () => {
      const page = await site.open('/settings/api-tokens');
      await heading(page, 'API tokens');
      await said(page, 'No API tokens yet.');
      await press(page, 'Create an API token');
      await dialog(page).getByLabel('Name').fill('ci-main');
      await dialog(page).getByRole('button', { name: 'Create' }).click();
      await said(page, 'Scopes');
      await dialog(page)
        .getByText(/must be one or more of|should not be empty/i)
        .waitFor();
      await dialog(page).getByRole('combobox', { name: 'Scopes' }).click();
      await page.getByRole('option', { name: /^uploads:read/ }).click();
      await page.getByRole('option', { name: /^assets:read/ }).click();
      await dialog(page).getByRole('combobox', { name: 'Networks' }).fill('nowhere');
      await dialog(page).getByLabel('Expires after').selectOption('No expiry');
      await dialog(page).getByRole('button', { name: 'Create' }).click();
      await said(page, 'Must be a list of addresses or networks such as 10.0.0.0/8');
      await site.look(page, 'settings-api-token-form');
      await dialog(page).getByRole('combobox', { name: 'Networks' }).press('Backspace');
      await dialog(page).getByRole('combobox', { name: 'Networks' }).fill('127.0.0.0/8');
      await dialog(page).getByRole('button', { name: 'Create' }).click();
      const first = await made(page);
      expect(first).toMatch(/^posture_[\w-]{43}$/);
      await said(page, 'The token is shown only once');
      await page.keyboard.press('Escape');
      await dialog(page).waitFor();
      await press(page, 'I saved the token');
      await row(page, /ci-main uploads:read, assets:read 127.0.0.0\/8 All Never Never/).waitFor();
      expect([await use(first, '/api/v3/uploads'), await use(first, '/api/v3/findings')]).toEqual([200, 403]);
      await site.look(page, 'settings-api-tokens');

      await press(page, 'Change ci-main');
      await dialog(page).getByRole('combobox', { name: 'Scopes' }).click();
      await page.getByRole('option', { name: /^findings:read/ }).click();
      await page.getByRole('option', { name: /^assets:read/ }).click();
      await page.keyboard.press('Escape');
      await dialog(page).getByLabel('Expires after').selectOption('90 days from now');
      await site.look(page, 'settings-api-token-change');
      await dialog(page).getByRole('button', { name: 'Change' }).click();
      await said(page, 'ci-main was changed.');
      await row(page, /ci-main uploads:read, findings:read 127.0.0.0\/8 All in \d+ (days|months)/).waitFor();
      expect([await use(first, '/api/v3/assets'), await use(first, '/api/v3/findings')]).toEqual([403, 200]);

      await press(page, 'Rotate ci-main');
      await dialog(page).getByLabel('The present token ends').selectOption('in a day');
      await dialog(page).getByRole('button', { name: 'Rotate' }).click();
      const second = await made(page);
      await press(page, 'I saved the token');
      await row(page, /previous token: in 24 hours|previous token: tomorrow/).waitFor();
      expect([await use(first, '/api/v3/uploads'), await use(second, '/api/v3/uploads')]).toEqual([200, 200]);

      await press(page, 'Revoke ci-main');
      await dialog(page).getByRole('button', { name: 'Revoke' }).click();
      await said(page, 'ci-main was revoked.');
      await said(page, 'No API tokens yet.');
      expect([await use(first, '/api/v3/uploads'), await use(second, '/api/v3/uploads')]).toEqual([401, 401]);
      await page.getByRole('link', { name: 'Audit trail' }).click();
      await row(page, /API token revoked/)
        .first()
        .waitFor();
    });

    it('do not get back a scope that another admin took while the dialog was open', async () => {
      const scopes = ['uploads:read', 'findings:accept'];
      const { id } = await send('POST', '/api/v3/tokens', { name: 'shared', scopes });
      const page = await site.open('/settings/api-tokens');
      await row(page, /shared/).waitFor();
      await send('PATCH', `/api/v3/tokens/${id}`, { name: 'shared2' });
      await press(page, /^Change shared/);
      await page.getByRole('dialog', { name: 'Change shared2' }).waitFor();
      await dialog(page).getByRole('combobox', { name: 'Scopes' }).click();
      await page.getByRole('option', { name: /^assets:read/ }).click();
      await page.keyboard.press('Escape');
      await send('PATCH', `/api/v3/tokens/${id}`, { scopes: ['uploads:read'] });
      await dialog(page).getByRole('button', { name: 'Change' }).click();
      await said(page, 'Another user changed this.');
      expect(await site.client.get(`/api/v3/tokens/${id}`)).toMatchObject({ scopes: ['uploads:read'] });
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      await row(page, /shared2 uploads:read Any/).waitFor();
      await press(page, 'Change shared2');
      await dialog(page).getByRole('combobox', { name: 'Scopes' }).click();
      await page.getByRole('option', { name: /^assets:read/ }).click();
      await page.keyboard.press('Escape');
      await dialog(page).getByRole('button', { name: 'Change' }).click();
      await said(page, 'shared2 was changed.');
      const changed = await site.client.get(`/api/v3/tokens/${id}`);
      expect(changed).toMatchObject({ scopes: ['uploads:read', 'assets:read'] });
      await site.client.request('DELETE', `/api/v3/tokens/${id}`);
    });

    it('lead to the first page from a page whose rows are gone', async () => {
      for (const name of ['first', 'last']) {
        await send('POST', '/api/v3/tokens', { name, scopes: ['uploads:read'] });
      }
      const { nextCursor } = await site.client.get('/api/v3/tokens?limit=1');
      const page = await site.open(`/settings/api-tokens?cursor=${nextCursor}`);
      await press(page, 'Revoke last');
      await dialog(page).getByRole('button', { name: 'Revoke' }).click();
      await said(page, 'This page is empty');
      await press(page, 'Go to the first page');
      await press(page, 'Revoke first');
      await dialog(page).getByRole('button', { name: 'Revoke' }).click();
      await said(page, 'No API tokens yet.');
    });

    it('are limited to names with commas and of different case', async () => {
      const page = await site.open('/settings/api-tokens');
      await press(page, 'Create an API token');
      await dialog(page).getByLabel('Name').fill('ci-emea');
      await dialog(page).getByRole('combobox', { name: 'Scopes' }).click();
      await page.getByRole('option', { name: /^assets:read/ }).click();
      const departments = dialog(page).getByRole('combobox', { name: 'Departments' });
      for (const name of ['Sales, EMEA', 'Sales', 'sales']) {
        await departments.pressSequentially(name);
        await departments.press('Enter');
      }
      const request = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/tokens'));
      await dialog(page).getByRole('button', { name: 'Create' }).click();
      expect((await request).postDataJSON().departments).toEqual(['Sales, EMEA', 'Sales', 'sales']);
      await made(page);
      await press(page, 'I saved the token');
      await press(page, 'Revoke ci-emea');
      await dialog(page).getByRole('button', { name: 'Revoke' }).click();
      await said(page, 'No API tokens yet.');
    });

    it('are rotated after their end: only the new token is valid', async () => {
      const given = JSON.stringify({ name: 'ci-expired', scopes: ['uploads:read'] });
      const { body } = await site.client.request('POST', '/api/v3/tokens', given);
      const database = openDatabase(site.service.databaseUrl, { max: 1 });
      try {
        const end = `update api_tokens set expires_at = now() - interval '1 day' where id = $1`;
        await database.pool.query(end, [body.id]);
      } finally {
        await database.close();
      }
      const page = await site.open('/settings/api-tokens');
      await press(page, 'Rotate ci-expired');
      await said(page, 'The present token has expired.');
      expect(await dialog(page).getByLabel('The present token ends').count()).toBe(0);
      await dialog(page).getByLabel('Expires after').selectOption('90 days from now');
      await dialog(page).getByRole('button', { name: 'Rotate' }).click();
      const token = await made(page);
      expect([await use(body.token, '/api/v3/uploads'), await use(token, '/api/v3/uploads')]).toEqual([
        401, 200,
      ]);
      await press(page, 'I saved the token');
      await press(page, 'Revoke ci-expired');
      await dialog(page).getByRole('button', { name: 'Revoke' }).click();
      await said(page, 'No API tokens yet.');
    });
  });

  it('webhooks are added with a secret that is shown once, tested, paused, resumed, changed and removed', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const allowed = JSON.stringify({ egressAllow: ['127.0.0.1'] });
      await site.client.request('PATCH', '/api/v3/settings', allowed);
      const page = await site.open('/settings/webhooks');
      await heading(page, 'Webhooks');
      await said(page, 'No webhooks yet.');
      await dialog(page).waitFor({ state: 'hidden' });
      await press(page, 'Add a webhook');
      await dialog(page).getByLabel('URL').fill('ftp://example.com');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await dialog(page).getByText('Must be a URL that starts with http:// or https://').waitFor();
      await dialog(page).getByLabel('URL').fill(receiver.url);
      await dialog(page).getByLabel('Findings with this severity or higher').pressSequentially('7.0');
      await dialog(page)
        .getByText(/leaves one of the states .* is sent with any severity$/)
        .waitFor();
      await site.look(page, 'settings-webhook-form');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      const secret = dialog(page).getByRole('textbox', { name: 'Secret', exact: true });
      await secret.waitFor();
      expect(await secret.inputValue()).toMatch(/^whsec_/);
      await press(page, 'I saved the secret');
      await row(page, /Findings Severity 7 and above All Active 0/).waitFor();

      await press(page, `Deliveries to ${receiver.url}`);
      await said(page, 'No deliveries yet.');
      await press(page, 'Send a test event');
      await dialog(page)
        .getByText(/^Accepted after \d+ ms/)
        .waitFor();
      expect(receiver.events.map(({ type }) => type)).toEqual(['posture.webhook.test']);
      await dialog(page).getByLabel('Exact time').fill('2020-01-01T00:00:00');
      await press(page, 'Deliver again');
      await dialog(page).getByText('Delivered', { exact: true }).first().waitFor();
      await site.look(page, 'settings-webhook-deliveries');
      await page.keyboard.press('Escape');

      await press(page, `Pause ${receiver.url}`);
      await row(page, /Paused just now/).waitFor();
      await site.look(page, 'settings-webhooks');
      await press(page, `Resume ${receiver.url}`);
      await row(page, /Active/).waitFor();

      await press(page, `Change ${receiver.url}`);
      await dialog(page).getByLabel('Findings with this severity or higher').fill('');
      await dialog(page).getByRole('button', { name: 'Change' }).click();
      await row(page, /Findings All All Active/).waitFor();

      await press(page, `Replace the secret of ${receiver.url}`);
      await dialog(page).getByRole('button', { name: 'Replace' }).click();
      await press(page, 'I saved the secret');
      await press(page, `Remove ${receiver.url}`);
      await dialog(page).getByRole('button', { name: 'Remove' }).click();
      await said(page, 'No webhooks yet.');
    } finally {
      receiver.close();
    }
  });

  it('reports are scheduled by choice or by a cron expression, sent now, disabled and removed', async () => {
    const [mail, receiver] = await Promise.all([MailServer.start(), WebhookReceiver.start()]);
    const fill = (page: Page, label: string, text: string) =>
      dialog(page).getByLabel(label, { exact: true }).fill(text);
    try {
      await send('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
      const page = await site.open('/settings/reports');
      await heading(page, 'Scheduled reports');
      await said(page, 'No report schedules yet.');
      await dialog(page).waitFor({ state: 'hidden' });
      await press(page, 'Add a report schedule');
      const add = () => dialog(page).getByRole('button', { name: 'Add' }).click();
      const times = dialog(page).getByRole('region', { name: 'Next times' }).getByRole('listitem');
      await times.nth(4).waitFor();
      await fill(page, 'Name', 'For the board');
      await dialog(page).getByLabel('Time zone').selectOption('Europe/Berlin');
      await dialog(page).getByLabel('Sent', { exact: true }).selectOption('Every month');
      await dialog(page).getByLabel('Day of the month').selectOption('Last day');
      await fill(page, 'Time', '07:30');
      await times.filter({ hasText: '7:30' }).nth(4).waitFor();
      await dialog(page).getByLabel('Sent', { exact: true }).selectOption('By a cron expression');
      expect(await dialog(page).getByLabel('Cron expression').inputValue()).toBe('30 7 L * *');
      await fill(page, 'Cron expression', '* * * * *');
      await dialog(page).getByText('cron must begin with one minute').waitFor();
      await fill(page, 'Cron expression', '30 7 L * *');
      await fill(page, 'Mail server', 'https://mail.example');
      await fill(page, 'Sender', 'risk@example.com');
      await dialog(page).getByRole('combobox', { name: 'Recipients' }).fill('board@example.com');
      await page.keyboard.press('Enter');
      await add();
      await dialog(page).getByText('Must be the address of a mail server').waitFor();
      await fill(page, 'Mail server', mail.url());
      await site.look(page, 'settings-report-form');
      await add();
      await row(page, /For the board Board report Last day of the month, 07:30 \(Europe\/Berlin\)/).waitFor();

      await press(page, 'Deliveries of For the board');
      await said(page, 'No deliveries yet.');
      await press(page, 'Send now');
      await dialog(page).getByText('the mail server accepted the message').waitFor();
      expect(mail.mails).toMatchObject([{ to: ['board@example.com'] }]);
      await site.look(page, 'settings-report-deliveries');
      await page.keyboard.press('Escape');
      await row(page, /E-mail: sent/).waitFor();

      await press(page, 'Change For the board');
      expect(await dialog(page).getByLabel('Day of the month').inputValue()).toBe('L');
      await dialog(page).getByLabel('Send to a webhook').check();
      await fill(page, 'URL of the webhook', receiver.url);
      await dialog(page).getByRole('button', { name: 'Change' }).click();
      await press(page, 'I saved the secret');
      const { items } = await site.client.get('/api/v3/report-schedules');
      expect(items).toMatchObject([
        {
          ...{ report: 'board', cron: '30 7 L * *', timeZone: 'Europe/Berlin', owner: ADMIN.username },
          ...{ email: { to: ['board@example.com'] }, webhook: { url: receiver.url } },
        },
      ]);
      await site.look(page, 'settings-reports');
      const fits = () =>
        page.evaluate<boolean>(
          'document.documentElement.scrollWidth <= document.documentElement.clientWidth',
        );
      for (const width of [390, 1024, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        await page.reload();
        const change = page.getByRole('button', { name: 'Change For the board', exact: true });
        await change.focus();
        expect([width, 'list', await fits()]).toEqual([width, 'list', true]);
        await page.keyboard.press('Enter');
        await times.nth(4).waitFor();
        expect([width, 'form', await fits()]).toEqual([width, 'form', true]);
        await page.keyboard.press('Escape');
        await dialog(page).waitFor({ state: 'detached' });
        const focused = () => page.evaluate<string>(`document.activeElement?.getAttribute('aria-label')`);
        await until('the focus is back', async () => (await focused()) === 'Change For the board', 10_000);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await site.look(page, 'settings-reports-phone');
      await page.setViewportSize({ width: 1440, height: 900 });

      await press(page, 'Disable For the board');
      await row(page, /Disabled/).waitFor();
      await press(page, 'Enable For the board');
      await press(page, 'Add a report schedule');
      await fill(page, 'Name', 'For those who fix');
      await dialog(page).getByLabel('Report', { exact: true }).selectOption('Technical report');
      await fill(page, 'Filter', 'severityMin=70');
      await dialog(page).getByLabel('Send by e-mail').uncheck();
      await dialog(page).getByLabel('Send to a webhook').check();
      await fill(page, 'URL of the webhook', receiver.url);
      await add();
      await dialog(page)
        .getByText(/^severityMin Must not be greater than 10/)
        .waitFor();
      await fill(page, 'Filter', '?state=any&severityMin=7&sort=-severity');
      await add();
      await press(page, 'I saved the secret');
      await row(page, /Technical report: severityMin=7/).waitFor();
      for (const name of ['For those who fix', 'For the board']) {
        await press(page, `Remove ${name}`);
        await dialog(page).getByRole('button', { name: 'Remove' }).click();
        await dialog(page).waitFor({ state: 'detached' });
      }
      await said(page, 'No report schedules yet.');
    } finally {
      receiver.close();
      await mail.close();
    }
  });

  it('recipients that a limited user has chosen get all findings only if the user who sees more says so', async () => {
    const scopes = ['findings:read', 'assets:read', 'webhooks:read', 'webhooks:write'];
    const { token } = await send('POST', '/api/v3/tokens', { name: 'desk', scopes, departments: ['Sales'] });
    const given = { name: 'Desk', report: 'technical', cron: '0 8 1 * *' };
    const webhook = { url: 'https://partner.example/reports', secret: `whsec_${'A'.repeat(43)}=` };
    const body = JSON.stringify({ ...given, webhook });
    const added = await ApiClient.withToken(site.url, token).request(
      'POST',
      '/api/v3/report-schedules',
      body,
    );
    const path = `/api/v3/report-schedules/${added.body.id}`;
    const page = await site.open('/settings/reports');
    await press(page, 'Change Desk');
    await dialog(page).getByLabel('Time', { exact: true }).fill('07:00');
    const change = () => dialog(page).getByRole('button', { name: 'Change' }).click();
    await change();
    await dialog(page).getByText('sees fewer departments or locations than you').waitFor();
    expect(await site.client.get(path)).toMatchObject({ owner: 'token:desk', cron: '0 8 1 * *' });
    await dialog(page).getByLabel('Send these recipients all that I may see').check();
    await site.look(page, 'settings-report-recipients');
    await change();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await site.client.get(path)).toMatchObject({
      owner: ADMIN.username,
      cron: '0 7 1 * *',
      webhook: { url: webhook.url },
    });
    await site.client.request('DELETE', path);
  });

  it('webhooks keep tickets in GitHub, and show what became of them', async () => {
    const github = await GithubServer.start();
    try {
      await send('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
      const page = await site.open('/settings/webhooks');
      await press(page, 'Add a webhook');
      await dialog(page).getByLabel('Delivers').selectOption('E-mail');
      await dialog(page).getByLabel('Mail server').fill('smtp://mail.example');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await dialog(page).getByText('Must be the e-mail address of the sender').waitFor();
      await dialog(page).getByLabel('Sender').fill('not an address');
      await site.look(page, 'settings-ticket-email-form');
      await dialog(page).getByLabel('Delivers').selectOption('GitHub issues');
      await dialog(page).getByLabel('Repository').fill(github.url);
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await dialog(page)
        .getByText(/^Must be /)
        .first()
        .waitFor();
      await dialog(page).getByLabel('Access token').fill('not-the-token');
      await dialog(page).getByLabel('Tickets in an hour').fill('10');
      await site.look(page, 'settings-ticket-form');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await row(page, /GitHub issues All All Active 0/).waitFor();
      await press(page, `Deliveries to ${github.url}`);
      await press(page, 'Test');
      await dialog(page)
        .getByText(/^Failed after \d+ ms: .* does not accept the secret \(status 401\)/)
        .waitFor();
      await page.keyboard.press('Escape');
      await press(page, `Replace the secret of ${github.url}`);
      await dialog(page).getByLabel('Access token').fill(github.token);
      await site.look(page, 'settings-ticket-secret');
      await dialog(page).getByRole('button', { name: 'Replace' }).click();
      await said(page, 'The secret was replaced.');
      const name = 'ticket from the console';
      await site.client.zip(await zipOf({ 'a.json': plainSignal(name, 'ticket-host') }));
      await until('the issue', () => github.issues.length === 1);
      await press(page, `Deliveries to ${github.url}`);
      await dialog(page).getByText('tickets: 1 opened').waitFor();
      await page.keyboard.press('Escape');
      await press(page, `Remove ${github.url}`);
      await dialog(page).getByRole('button', { name: 'Remove' }).click();
      await said(page, 'No webhooks yet.');
    } finally {
      github.close();
    }
  });

  it('webhooks keep tickets in Jira and Teams; the form says what is missing', async () => {
    const [jira, teams] = await Promise.all([JiraServer.start(), TeamsServer.start()]);
    try {
      await send('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
      const page = await site.open('/settings/webhooks');
      const add = () => dialog(page).getByRole('button', { name: 'Add' }).click();
      const fill = (label: string, text: string) => dialog(page).getByLabel(label).fill(text);
      await press(page, 'Add a webhook');
      await dialog(page).getByLabel('Delivers').selectOption('Jira issues');
      for (const [missing, label, text] of [
        ['Must be the e-mail address of the account', 'Account', jira.user],
        ['Must be the key of a project', 'Project', 'RISK'],
        ['Must be the name of an issue type', 'Issue type', 'Task'],
        ['Must be the address of a site of Jira Cloud', 'Site', jira.origin],
        ['Must be an API token of the account', 'API token', jira.token],
      ] as const) {
        await add();
        await dialog(page).getByText(missing).waitFor();
        if (label === 'API token') await site.look(page, 'settings-ticket-jira-form');
        await fill(label, text);
      }
      await add();
      const name = `RISK at ${jira.origin}/`;
      await row(page, /^RISK at \S+ Jira issues All All Active 0/).waitFor();
      await press(page, `Deliveries to ${name}`);
      await press(page, 'Test');
      await dialog(page)
        .getByText(/the project RISK has the issue type Task/)
        .waitFor();
      await page.keyboard.press('Escape');
      await press(page, `Change ${name}`);
      await fill('Resolution', 'Done');
      await dialog(page).getByLabel('API token').waitFor({ state: 'hidden' });
      await dialog(page).getByRole('button', { name: 'Change' }).click();
      await said(page, 'The webhook was changed.');
      // The stored secret belongs to the account.
      await dialog(page).waitFor({ state: 'hidden' });
      await press(page, `Change ${name}`);
      await fill('Account', 'another@example.com');
      await dialog(page).getByRole('button', { name: 'Change' }).click();
      await dialog(page).getByText('Must be an API token of the account').waitFor();
      await site.look(page, 'settings-ticket-secret-again');
      await fill('Account', jira.user);
      await dialog(page).getByLabel('API token').waitFor({ state: 'hidden' });
      await fill('Account', 'another@example.com');
      await fill('API token', 'token-of-another');
      await dialog(page).getByRole('button', { name: 'Change' }).click();
      await dialog(page).waitFor({ state: 'hidden' });
      await press(page, 'Add a webhook');
      await dialog(page).getByLabel('Delivers').selectOption('Microsoft Teams messages');
      await add();
      await dialog(page).getByText('Must be the address of the webhook of the workflow').waitFor();
      await fill('Address of the workflow', teams.secret);
      await fill('Channel', 'Risk');
      await site.look(page, 'settings-ticket-teams-form');
      await add();
      await press(page, 'Deliveries to Risk');
      await press(page, 'Test');
      await until('the message', () => teams.titles.length === 1);
      const { items } = await site.client.get('/api/v3/webhooks');
      expect(items).toMatchObject([
        { kind: 'teams', options: { channel: 'Risk' } },
        {
          kind: 'jira',
          options: { user: 'another@example.com', project: 'RISK', issueType: 'Task', resolution: 'Done' },
        },
      ]);
      for (const { id } of items) await send('DELETE', `/api/v3/webhooks/${id}`, undefined);
    } finally {
      for (const server of [jira, teams]) server.close();
    }
  });

  it('erasures require a subject and a reason, and are listed', async () => {
    const asset = (await site.client.all('/api/v3/assets')).find(({ entityType }) => entityType === 'user');
    const page = await site.open('/settings/erasures');
    await heading(page, 'Erasures');
    await said(page, 'No erasures yet.');
    await press(page, 'Erase a subject');
    await dialog(page).getByRole('button', { name: 'Erase' }).click();
    await said(page, 'Must not be empty');
    await dialog(page).getByLabel('Reason').fill('ticket 42');
    await dialog(page).getByLabel('Subject').selectOption('ID of a subject');
    await dialog(page).getByLabel('Name or ID').fill(asset.name);
    await dialog(page).getByRole('button', { name: 'Erase' }).click();
    await said(page, 'Must be the id of a subject');
    await dialog(page).getByLabel('Subject').selectOption('User that is an asset');
    await dialog(page).getByLabel('Name or ID').fill('nobody');
    await dialog(page).getByRole('button', { name: 'Erase' }).click();
    await said(page, 'no subject has the type user and the name nobody');
    await site.look(page, 'settings-erasure-form');
    await dialog(page).getByLabel('Name or ID').fill(asset.name);
    await dialog(page).getByRole('button', { name: 'Erase' }).click();
    await said(page, 'The subject was erased.');
    await row(page, /^[\w-]{22} .* ticket 42$/).waitFor();
    await site.look(page, 'settings-erasures');
    expect(await site.client.get(`/api/v3/assets/${asset.id}`)).toMatchObject({ name: 'erased' });
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await row(page, /Subject erased/).waitFor();
  });

  it.each([
    ['settings/sessions', '/api/v3/sessions'],
    ['settings/audit', '/api/v3/audit'],
    ['assets/ID', '/api/v3/assets/ID/findings'],
  ])('%s leads to the first page from a page whose rows are gone', async (address, path) => {
    const [{ id }] = (await site.client.get('/api/v3/assets?limit=1')).items;
    const page = await site.open('/');
    await page.route(
      (url) => url.pathname === path.replace('ID', id) && url.searchParams.has('cursor'),
      (route) => route.fulfill({ json: { items: [], nextCursor: null } }),
    );
    await page.goto(`${site.url}/app/${address.replace('ID', id)}?cursor=last`);
    await said(page, 'This page is empty');
    await press(page, 'Go to the first page');
    await page.getByRole('row').nth(1).waitFor();
  });

  it('sessions of all people are listed for admins, who end them; others see their own', async () => {
    const [user, watcher] = [await credential('sam', 'viewer'), await credential('wes', 'admin')];
    const victim = await site.open('/settings/sessions', { as: user });
    await row(victim, /Chrome on Linux.*this session/).waitFor();
    expect(await victim.getByRole('radiogroup', { name: 'Sessions of' }).count()).toBe(0);
    expect(await victim.getByRole('button', { name: /^End the session/ }).count()).toBe(0);
    const page = await site.open('/settings/sessions', { as: watcher });
    await row(page, /this session/).waitFor();
    expect(await row(page, /sam/).count()).toBe(0);
    await page.getByText('All people').click();
    await row(page, /sam/).waitFor();
    await site.look(page, 'settings-sessions');
    await press(page, 'End the session of sam with Chrome on Linux');
    await dialog(page).getByRole('button', { name: 'End the session' }).click();
    await said(page, 'The session of sam was ended.');
    await row(page, /sam/).waitFor({ state: 'detached' });
    await victim.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  });

  it('all other sessions of the user are ended, and this one continues', async () => {
    const user = await credential('sue', 'viewer');
    const basic = Buffer.from(`${user.username}:${user.password}`).toString('base64');
    const headers = { authorization: `Basic ${basic}`, 'user-agent': 'Mozilla/5.0 (iPhone) Safari/605' };
    expect((await fetch(`${site.url}/api/v3/sessions`, { method: 'POST', headers })).status).toBe(200);
    const page = await site.open('/settings/sessions', { as: user, on: 'phone', colorScheme: 'dark' });
    await page.getByText('Safari on iPhone').waitFor();
    await site.look(page, 'settings-sessions-phone');
    await press(page, 'End all my other sessions');
    await dialog(page).getByRole('button', { name: 'End the sessions' }).click();
    await said(page, 'One session was ended.');
    await page.getByText('Safari on iPhone').waitFor({ state: 'detached' });
    await page.getByText('this session').waitFor();
  });

  it('roles are listed, and sections without read access are hidden', async () => {
    const viewer = await credential('viewer-for-settings', 'viewer');
    const page = await site.open('/settings/roles', { as: viewer });
    await heading(page, 'Roles');
    await site.look(page, 'settings-roles');
    for (const [section, title] of [
      ['policies', 'Policies'],
      ['sla', 'SLA'],
      ['departments', 'Departments'],
      ['locations', 'Locations'],
      ['custom-fields', 'Custom fields'],
      ['os-mapping', 'OS mapping'],
      ['owner-rules', 'Owner rules'],
    ] as const) {
      await page.goto(`${site.url}/app/settings/${section}`);
      await heading(page, title);
      await page
        .locator('#main')
        .getByText(/90 days|No SLA is set|Unassigned|No custom fields yet|\*kubernetes\*|No owner rules/)
        .first()
        .waitFor();
      expect(await page.locator('#main').getByRole('button').count()).toBe(0);
    }
    const nav = page.getByRole('navigation', { name: 'Settings' });
    expect(await nav.getByRole('link').allTextContents()).toEqual([
      'Policies',
      'SLA',
      'Loss ranges',
      'Departments',
      'Locations',
      'Custom fields',
      'OS mapping',
      'Owner rules',
      'Sessions',
      'Second factor',
      'Roles',
    ]);
    await page.goto(`${site.url}/app/settings/credentials`);
    await said(page, 'This page requires the scope credentials:read');
    await page.goto(`${site.url}/app/settings/audit`);
    await said(page, 'This page requires the scope audit:read');
    await page.goto(`${site.url}/app/settings/nothing`);
    await heading(page, 'Page not found');
  });

  it('roles have a row for each scope, and those of the site their scopes', async () => {
    await send('POST', '/api/v3/roles', { name: 'watchers', scopes: ['changes:read', 'webhooks:read'] });
    const page = await site.open('/settings/roles');
    const table = page.getByRole('table').first();
    await table.getByText('webhooks:write').waitFor();
    for (const scope of SCOPES) {
      const shown = await table
        .getByRole('row')
        .filter({ has: page.getByText(scope, { exact: true }) })
        .getByRole('img')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
      const expected = (['admin', 'analyst', 'viewer'] as const).map((role) => ROLES[role].has(scope));
      expect([scope, ...shown]).toEqual([scope, ...[...expected, true].map((is) => (is ? 'Yes' : 'No'))]);
    }
    await row(page, /watchers changes:read, webhooks:read/).waitFor();
    await site.look(page, 'settings-roles-of-the-site');
    await send('POST', '/api/v3/tokens', { name: 'from-the-trail', scopes: ['uploads:read'] });
    await page.goto(`${site.url}/app/settings/audit`);
    await page.getByRole('link', { name: 'from-the-trail' }).first().click();
    await heading(page, 'API tokens');
  });

  it('an analyst can read the audit trail but no credentials', async () => {
    const analyst = await credential('analyst-for-settings', 'analyst');
    const page = await site.open('/settings/audit', { as: analyst });
    await row(page, /Credential created/)
      .first()
      .waitFor();
    expect(await page.getByRole('link', { name: 'analyst-for-settings' }).count()).toBe(0);
    await page.goto(`${site.url}/app/settings/credentials`);
    await said(page, 'This page requires the scope credentials:read');
  });

  it('a user of a role of the site sees and does what its scopes permit', async () => {
    await send('POST', '/api/v3/roles', {
      name: 'organizers',
      scopes: ['assets:read', 'settings:read', 'settings:write'],
    });
    const page = await site.open('/settings/departments', {
      as: await credential('olga', 'organizers'),
    });
    await press(page, 'Add a department');
    await page.getByRole('textbox', { name: 'Name' }).fill('Couriers');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await row(page, /Couriers/).waitFor();
    const nav = page.getByRole('navigation', { name: 'Settings' });
    expect(await nav.getByRole('link', { name: /Credentials|Audit trail|API tokens/ }).count()).toBe(0);
    await page.goto(`${site.url}/app/uploads`);
    await page.getByText('You can view uploads but cannot upload.').waitFor();
  });

  it('a failed section shows an error and a retry button', async () => {
    const page = await site.open('/settings/roles');
    await page.route('**/api/v3/locations*', (route) => route.abort());
    await page.getByRole('link', { name: 'Locations' }).click();
    await said(page, 'The service is not responding.');
    await page.unroute('**/api/v3/locations*');
    await press(page, 'Try again');
    await row(page, /Unassigned/).waitFor();
  });

  it('support dark mode and phones', async () => {
    const dark = await site.open('/settings/policies', { colorScheme: 'dark' });
    await retirement(dark).getByLabel('Vulnerability').waitFor();
    await site.look(dark, 'settings-dark');
    const phone = await site.open('/settings/credentials', { on: 'phone' });
    await row(phone, /admin/).first().waitFor();
    await site.look(phone, 'settings-phone');
    await phone.getByLabel('Section').selectOption('audit');
    await heading(phone, 'Audit trail');
    await site.look(phone, 'settings-phone-audit');
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
