import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { ADMIN } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { ConsoleSite, signIn } from './console-site.ts';
import { describeConsole } from './describe-console.ts';
import { holdFold } from './held-fold.ts';

const START_MS_MAX = 240_000;
jest.setTimeout(180_000);
const MAPPING = '/settings/os-to-safe-asset-type-mapping';

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const said = (page: Page, text: string) => page.getByText(text, { exact: false }).first().waitFor();
const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name });

describeConsole('settings', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: true });
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 180_000);
  // What a test provokes: refusals of the service are failed requests to a browser.
  afterEach(() => site.endTest({ but: [/status of (400|401|409)/, /ERR_FAILED/] }));

  const send = async (method: string, path: string, body: unknown) =>
    (await site.client.request(method, path, JSON.stringify(body))).body;
  const credential = (username: string, role: string): Promise<{ username: string; password: string }> =>
    send('POST', '/api/v3/credentials', { username, role });

  describe('policies', () => {
    it('are where /settings leads to, and what is changed is saved, in force, and in the audit trail', async () => {
      const page = await site.open('/settings');
      await heading(page, 'Policies');
      expect(new URL(page.url()).pathname).toBe('/app/settings/policies');
      await page.getByLabel('Vulnerability').waitFor();
      await site.look(page, 'settings-policies');
      await page.getByLabel('Vulnerability').fill('30');
      await page.getByLabel('Retention period').fill('120');
      await said(page, '2 unsaved changes');
      await said(page, 'findings that are stored keep theirs');
      await site.look(page, 'settings-policies-unsaved');
      const before = await site.client.get('/api/v3/settings');
      await press(page, 'Save');
      await said(page, 'The policies are saved and in force.');
      expect(await site.client.get('/api/v3/settings')).toEqual({
        ...before,
        version: before.version + 1,
        retentionDays: 120,
        retirementDays: { ...before.retirementDays, va: 30 },
      });
      await page.getByRole('link', { name: 'Audit trail' }).click();
      const act = row(page, /Policies changed/).first();
      await act.getByText('Vulnerability: days until it expires: 90 days → 30 days').waitFor();
      await act.getByText('Retention period: 90 days → 120 days').waitFor();
      await site.look(page, 'settings-audit');
    });

    it('change in every kind, and nothing that was left alone is sent', async () => {
      const page = await site.open('/settings/policies');
      await page.getByRole('switch', { name: 'Delete assets without data' }).press('Space');
      await page.getByLabel('When two names mean one machine').selectOption('fqdn');
      await page.getByLabel('After 100 single signals in 24 hours').selectOption('enforce');
      await page
        .getByRole('combobox', { name: 'Internal addresses that integrations may reach' })
        .fill('10.0.0.0/8');
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
      await said(page, 'The policies are saved and in force.');
      expect(await site.client.get('/api/v3/settings')).toMatchObject({ version: version + 1, ...sent });
      await page.reload();
      expect(await page.getByLabel('When two names mean one machine').inputValue()).toBe('fqdn');
      await send('PATCH', '/api/v3/settings', { assetMatching: 'name', jsonDailyPolicy: 'advise' });
    });

    it('say at each field what is wrong with it', async () => {
      const page = await site.open('/settings/policies');
      await page.getByLabel('EDR detection').fill('0');
      await page.getByLabel('User behaviour').fill('');
      await page.getByLabel('Hold uploads back when behind by').fill('5');
      await page.getByLabel('Platform version').fill('new');
      await page
        .getByRole('combobox', { name: 'Internal addresses that integrations may reach' })
        .fill('not a host');
      await page.keyboard.press('Enter');
      const before = await site.client.get('/api/v3/settings');
      await press(page, 'Save');
      for (const [label, error] of [
        ['EDR detection', 'Must not be less than 1'],
        ['User behaviour', 'Give a whole number'],
        ['Hold uploads back when behind by', 'Must not be less than 10'],
        ['Platform version', 'Must be a version such as 4.1'],
        ['Internal addresses that integrations may reach', 'Must be an IP address'],
      ] as const) {
        const field = page.locator('input').and(page.getByLabel(label, { exact: true }));
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
      await site.look(page, 'settings-policies-wrong');
      expect(await site.client.get('/api/v3/settings')).toEqual(before);
      await press(page, 'Discard');
      expect(await page.getByLabel('Platform version').inputValue()).toBe('4.1');
    });

    it('that another admin changed meanwhile are shown with one’s own over them', async () => {
      const page = await site.open('/settings/policies');
      await page.getByLabel('Configuration').fill('45');
      await send('PATCH', '/api/v3/settings', { maxLagSeconds: 200 });
      await press(page, 'Save');
      await said(page, 'Somebody else has changed the settings meanwhile.');
      const lag = page.getByLabel('Hold uploads back when behind by');
      await until('theirs is shown', async () => (await lag.inputValue()) === '200 seconds');
      expect(await page.getByLabel('Configuration').inputValue()).toBe('45 days');
      await press(page, 'Save');
      await said(page, 'The policies are saved and in force.');
      expect(await site.client.get('/api/v3/settings')).toMatchObject({
        maxLagSeconds: 200,
        retirementDays: { ca: 45 },
      });
    });

    it('say so where the service has them and they are not in force yet (202)', async () => {
      const page = await site.open('/settings/policies');
      const release = await holdFold(await site.databaseUrl());
      try {
        await page.getByLabel('Configuration').fill('46');
        await press(page, 'Save');
        await said(page, 'Accepted, and not in force yet');
        expect(await site.client.get('/api/v3/settings')).not.toMatchObject({ retirementDays: { ca: 46 } });
      } finally {
        await release();
      }
      await until('it is in force', async () => {
        const { retirementDays } = await site.client.get('/api/v3/settings');
        return retirementDays.ca === 46;
      });
    });

    it('are of the present, whatever instant is shown', async () => {
      const page = await site.open(`/settings/policies?asOf=${new Date(Date.now() - 60_000).toISOString()}`);
      await said(page, 'These are the settings of now');
      expect(await page.getByLabel('Vulnerability').count()).toBe(0);
      await site.look(page, 'settings-past');
      await page.getByRole('link', { name: 'The audit trail tells what had been changed by then.' }).click();
      await heading(page, 'Audit trail');
      expect(new URL(page.url()).searchParams.get('to')).not.toBeNull();
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
      await said(page, 'Berlin is added.');
      expect(await names()).toContain('Berlin');

      await press(page, 'Rename Berlin');
      await dialog(page).getByLabel('Name').fill('Berlin Mitte');
      await dialog(page).getByRole('button', { name: 'Rename' }).click();
      await said(page, 'Berlin is Berlin Mitte now.');
      expect(await names()).toContain('Berlin Mitte');

      const before = (await site.client.all(path)).find((option) => option.default);
      await press(page, 'Make Berlin Mitte the default');
      await said(page, 'Berlin Mitte is the default now.');
      expect((await site.client.all(path)).filter((option) => option.default)).toMatchObject([
        { name: 'Berlin Mitte' },
      ]);
      await site.look(page, `settings-${section}`);
      const locked = page.getByRole('button', {
        name: 'Berlin Mitte is the default: make another one',
        exact: false,
      });
      expect(await locked.isDisabled()).toBe(true);

      await press(page, `Make ${before.name} the default`);
      await said(page, `${before.name} is the default now.`);
      await press(page, 'Remove Berlin Mitte');
      await said(page, 'keep its name');
      await dialog(page).getByRole('button', { name: 'Remove' }).click();
      await said(page, 'Berlin Mitte is removed.');
      await row(page, /Berlin Mitte/).waitFor({ state: 'detached' });
      expect(await names()).not.toContain('Berlin Mitte');
    });

    it('need a name that no other one has', async () => {
      await send('POST', path, { name: 'Taken' });
      const page = await site.open(`/settings/${section}`);
      await press(page, `Add a ${one}`);
      await dialog(page).getByLabel('Name').fill('tAKEN');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'Another one has this name');
      await dialog(page).getByLabel('Name').fill(' ');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'Must be longer than or equal to 1 characters');
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
      await said(page, 'Must have at least one for the type Select');
      for (const option of ['Gold', 'Silver']) {
        await dialog(page).getByRole('combobox', { name: 'Options' }).fill(option);
        await page.keyboard.press('Enter');
      }
      await site.look(page, 'settings-custom-field-form');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'Tier is added.');
      const field = (await site.client.all(path)).find(({ name }) => name === 'Tier');
      expect(field).toMatchObject({ type: 'Select', multiValued: false, options: ['Gold', 'Silver'] });
      await row(page, /Tier.*Gold, Silver.*Not yet/).waitFor();
      await site.look(page, 'settings-custom-fields');

      await press(page, 'Change Tier');
      await dialog(page).getByLabel('Type').selectOption('Text');
      await dialog(page).getByRole('switch', { name: 'Takes several values' }).press('Space');
      const request = page.waitForRequest((one) => one.method() === 'PATCH');
      await dialog(page).getByRole('button', { name: 'Save' }).click();
      expect((await request).postDataJSON()).toEqual({ type: 'Text', multiValued: true, options: [] });
      await said(page, 'Tier is changed.');
      expect(await site.client.get(`${path}/${field.id}`)).toMatchObject({ type: 'Text', multiValued: true });

      await press(page, 'Add a custom field');
      await dialog(page).getByLabel('Name').fill('Tier');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'Another one has this name');
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();

      await press(page, 'Remove Tier');
      await dialog(page).getByRole('button', { name: 'Remove' }).click();
      await said(page, 'Tier is removed.');
      expect((await site.client.request('GET', `${path}/${field.id}`)).status).toBe(404);
    });

    it('say how many assets have a value before they are removed nevertheless', async () => {
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
      await dialog(page).getByRole('button', { name: 'Remove nevertheless' }).click();
      await said(page, 'Owner is removed.');
      expect((await site.client.request('GET', `${path}/${id}`)).status).toBe(404);
    });
  });

  describe('OS mapping', () => {
    it('is tried, changed in its order by keys, and replaced', async () => {
      const page = await site.open('/settings/os-mapping');
      const trial = page.getByLabel('Try an operating system');
      await trial.fill('TempleOS 5');
      await said(page, 'by the default: no row matches');
      await press(page, 'Add a row');
      await dialog(page).getByLabel('Pattern').fill('temple*');
      await dialog(page).getByRole('combobox', { name: 'Asset type' }).fill('Temple');
      await dialog(page).getByRole('combobox', { name: 'Attack surface' }).fill('Servers');
      await dialog(page)
        .getByRole('combobox', { name: 'Findings that the type supports' })
        .click({ force: true });
      await page.getByRole('option', { name: 'Vulnerability' }).click();
      await page.keyboard.press('Tab');
      await dialog(page).getByRole('button', { name: 'Add to the list' }).click();
      await said(page, 'by row 1, temple*');
      const down = page.getByRole('button', { name: 'Move temple* down' });
      await down.focus();
      await page.keyboard.press('Enter');
      await said(page, 'by row 2, temple*');
      await page.keyboard.press('Enter');
      await said(page, 'by row 3, temple*');
      await press(page, 'Move temple* up');
      await said(page, 'by row 2, temple*');
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
      await dialog(page).getByRole('button', { name: 'Change in the list' }).click();
      await press(page, 'Save');
      await until('the list is as asked', async () => {
        const { mappings, default: fallback } = await site.client.get(MAPPING);
        return mappings.length === before.mappings.length && fallback.assetType === 'Unknown';
      });
    });

    it('says at its row what is wrong with it', async () => {
      const page = await site.open('/settings/os-mapping');
      const before = await site.client.get(MAPPING);
      await press(page, `Change ${before.mappings[1].osPattern}`);
      await dialog(page).getByRole('combobox', { name: 'Asset type' }).fill(' ');
      await dialog(page).getByRole('button', { name: 'Change in the list' }).click();
      await press(page, `Move ${before.mappings[1].osPattern} down`);
      await press(page, 'Save');
      await page
        .locator('tr', { hasText: 'The asset type must be longer than or equal to 1 characters' })
        .waitFor();
      await site.look(page, 'settings-os-mapping-wrong');
      expect(await site.client.get(MAPPING)).toEqual(before);
      await press(page, 'Discard');
      await page.locator('tr', { hasText: 'The asset type must be' }).waitFor({ state: 'detached' });
    });

    it('does not replace what another admin has saved meanwhile before it has said so', async () => {
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
      // Whoever comes back to the network has what is old read anew.
      await page.clock.fastForward(31_000);
      await page.evaluate(`['offline', 'online'].forEach((name) => dispatchEvent(new Event(name)))`);
      await said(page, '2 unsaved changes');
      await press(page, 'Save');
      await said(page, 'Somebody else has changed the settings meanwhile.');
      expect(await site.client.get(MAPPING)).toEqual(theirs);
      await press(page, 'Save');
      await said(page, 'The OS mapping is saved.');
      expect(await site.client.get(MAPPING)).toEqual({ ...before, mappings: [second, first, ...others] });
    });
  });

  describe('credentials', () => {
    const made = async (page: Page) => {
      const password = dialog(page).getByLabel('Password');
      await password.waitFor();
      return password.inputValue();
    };

    it('are made with a password that is shown once, and works; rotating ends it', async () => {
      const page = await site.open('/settings/credentials');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await press(page, 'Add a credential');
      await dialog(page).getByLabel('User name').fill('not a name');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'Must be 1 to 100 letters, digits and . _ - @ +');
      await dialog(page).getByLabel('User name').fill(ADMIN.username);
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      await said(page, 'Another one has this name');
      await dialog(page).getByLabel('User name').fill('scanner-berlin');
      await dialog(page).getByLabel('viewer').check();
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      const first = await made(page);
      await said(page, 'It cannot be seen again');
      await press(page, 'Copy');
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor();
      await press(page, 'I have kept it');
      await row(page, /scanner-berlin viewer/).waitFor();
      await ApiClient.signIn(site.url, { username: 'scanner-berlin', password: first });
      await site.look(page, 'settings-credentials');

      await press(page, 'Rotate the password of scanner-berlin');
      await dialog(page).getByRole('button', { name: 'Rotate' }).click();
      const second = await made(page);
      await site.look(page, 'settings-credential-password');
      await press(page, 'I have kept it');
      await expect(
        ApiClient.signIn(site.url, { username: 'scanner-berlin', password: first }),
      ).rejects.toThrow('401');
      await ApiClient.signIn(site.url, { username: 'scanner-berlin', password: second });

      await press(page, 'Delete scanner-berlin');
      await dialog(page).getByRole('button', { name: 'Delete' }).click();
      await said(page, 'scanner-berlin is deleted.');
      await expect(
        ApiClient.signIn(site.url, { username: 'scanner-berlin', password: second }),
      ).rejects.toThrow('401');
    });

    it('show a password to a page that may not write to the clipboard, as over plain HTTP: it is selected', async () => {
      const page = await site.open('/settings/credentials');
      await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
      await page.reload();
      await press(page, 'Add a credential');
      await dialog(page).getByLabel('User name').fill('scanner-bonn');
      await dialog(page).getByRole('button', { name: 'Add' }).click();
      const password = await made(page);
      await press(page, 'Copy');
      await said(page, 'Selected: press Ctrl+C');
      expect(await page.evaluate('getSelection().toString()')).toBe(password);
      await site.look(page, 'settings-credential-selected');
    });

    it('keep the last admin', async () => {
      const page = await site.open('/settings/credentials');
      await press(page, `Delete ${ADMIN.username}`);
      await said(page, 'This is your own credential');
      await dialog(page).getByRole('button', { name: 'Delete' }).click();
      await said(page, 'it is the last admin');
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      await heading(page, 'Credentials');
    });

    it('of oneself: a rotation shows the password before it signs out, a deletion signs out', async () => {
      const second = await credential('second-admin', 'admin');
      const page = await site.open('/settings/credentials', { as: second });
      await press(page, 'Rotate the password of second-admin');
      await dialog(page).getByRole('button', { name: 'Rotate' }).click();
      const password = await made(page);
      await press(page, 'I have kept it: sign in anew');
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
    it('is filtered in the address bar, paged, and leads to what was acted on', async () => {
      const { id } = (await site.client.all('/api/v3/findings?state=Failed'))[0];
      const answer = await site.client.request(
        'POST',
        `/api/v3/findings/${id}/accept`,
        JSON.stringify({ rationale: 'behind the firewall' }),
      );
      expect(answer.status).toBe(200);
      const page = await site.open('/settings/audit');
      await page.getByLabel('Act', { exact: true }).selectOption('finding.accepted');
      await page.getByLabel('User', { exact: true }).fill(ADMIN.username);
      await press(page, 'Filter');
      await until('the address says it', () => page.url().includes('action=finding.accepted'));
      await page.getByText('Rationale: behind the firewall').waitFor();
      await row(page, /Policies changed/)
        .first()
        .waitFor({ state: 'detached' });
      await page.reload();
      await page.getByText('Rationale: behind the firewall').waitFor();
      await press(page, 'Details');
      await said(page, id);
      await site.look(page, 'settings-audit-filtered');
      await page.getByRole('link', { name: 'The finding' }).click();
      await until('the finding is shown', () => new URL(page.url()).pathname === `/app/findings/${id}`);
      await page.goBack();

      await page.getByLabel('From').fill('2031-01-01T00:00:00');
      await press(page, 'Filter');
      await said(page, 'No act matches');
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

  it('roles are told, and what a viewer may not read is not offered', async () => {
    const viewer = await credential('viewer-for-settings', 'viewer');
    const page = await site.open('/settings/roles', { as: viewer });
    await heading(page, 'Roles');
    await site.look(page, 'settings-roles');
    for (const [section, title] of [
      ['policies', 'Policies'],
      ['departments', 'Departments'],
      ['locations', 'Locations'],
      ['custom-fields', 'Custom fields'],
      ['os-mapping', 'OS mapping'],
    ] as const) {
      await page.goto(`${site.url}/app/settings/${section}`);
      await heading(page, title);
      await page
        .locator('#main')
        .getByText(/90 days|Unassigned|There are no custom fields|\*kubernetes\*/)
        .first()
        .waitFor();
      expect(await page.locator('#main').getByRole('button').count()).toBe(0);
    }
    const nav = page.getByRole('navigation', { name: 'Settings' });
    expect(await nav.getByRole('link').allTextContents()).toEqual([
      'Policies',
      'Departments',
      'Locations',
      'Custom fields',
      'OS mapping',
      'Roles',
    ]);
    await page.goto(`${site.url}/app/settings/credentials`);
    await said(page, 'Your role is viewer.');
    await page.goto(`${site.url}/app/settings/audit`);
    await said(page, 'Your role is viewer.');
    await page.goto(`${site.url}/app/settings/nothing`);
    await heading(page, 'No such page');
  });

  it('an analyst reads the audit trail, and no credentials', async () => {
    const analyst = await credential('analyst-for-settings', 'analyst');
    const page = await site.open('/settings/audit', { as: analyst });
    await row(page, /Credential made/)
      .first()
      .waitFor();
    expect(await page.getByRole('link', { name: 'analyst-for-settings' }).count()).toBe(0);
    await page.goto(`${site.url}/app/settings/credentials`);
    await said(page, 'Your role is analyst.');
  });

  it('what cannot be read says so, and can be tried again', async () => {
    const page = await site.open('/settings/roles');
    await page.route('**/api/v3/locations*', (route) => route.abort());
    await page.getByRole('link', { name: 'Locations' }).click();
    await said(page, 'The service does not answer.');
    await page.unroute('**/api/v3/locations*');
    await press(page, 'Try again');
    await row(page, /Unassigned/).waitFor();
  });

  it('are dark where that is asked for, and fit a phone', async () => {
    const dark = await site.open('/settings/policies', { colorScheme: 'dark' });
    await dark.getByLabel('Vulnerability').waitFor();
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
