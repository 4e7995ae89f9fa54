import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { MailServer } from '../fixtures/tickets/mail-server.ts';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';

const START_MS_MAX = 240_000;
jest.setTimeout(120_000);
const PATH = '/api/v3/notifications';
const LONG = `arn:aws:ec2:eu-central-1:123456789012:instance/${'i-0123456789abcdef'.repeat(4)}`;

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const bell = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const isWithinWidth = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

describeInRun({ shares: 3, turn: 2, ...CONSOLE }, 'notifications', () => {
  let site: ConsoleSite;
  let mail: MailServer;
  let ana: { username: string; password: string };
  let client: ApiClient;
  let finding: { id: string; name: string };

  const send = async (method: string, path: string, body: object = {}, by = site.client) => {
    const { status, body: answer } = await by.request(method, path, JSON.stringify(body));
    expect({ path, status, answer }).toMatchObject({ status: 200 });
    return answer;
  };
  const mention = () => send('POST', `/api/v3/findings/${finding.id}/comments`, { text: 'see, @ana' });
  const unread = async (): Promise<number> => (await client.get(`${PATH}/unread`)).unread;
  const written = (count: number) => until(`${count} unread`, async () => (await unread()) === count);

  beforeAll(async () => {
    [site, mail] = await Promise.all([ConsoleSite.start({ demo: false }), MailServer.start()]);
    await send('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
    const { body } = await site.client.zip(await zipOf({ 'a.json': plainSignal('Weak cipher', LONG) }));
    await site.client.folded(body.uploadId);
    finding = (await site.client.get('/api/v3/findings')).items[0];
    const { password } = await send('POST', '/api/v3/credentials', { username: 'ana', role: 'viewer' });
    ana = { username: 'ana', password };
    client = await ApiClient.signIn(site.url, ana);
  }, START_MS_MAX);
  afterAll(async () => {
    await mail?.close();
    await site?.stop();
  }, 120_000);
  afterEach(async () => {
    await send('POST', `${PATH}/read`, {}, client);
    await site.endTest({ but: [/status of (400|404|409)/] });
  });

  it('are counted by the bell, listed, opened, and marked as read and unread', async () => {
    await mention();
    await send('POST', `/api/v3/findings/${finding.id}/assign`, { assignee: { type: 'user', name: 'ana' } });
    await written(2);
    const page = await site.open('/', { as: ana });
    await bell(page, 'Notifications, 2 unread').click();
    const rows = page.getByRole('row');
    await rows.filter({ hasText: 'admin mentioned you in a comment on Weak cipher' }).waitFor();
    expect(await page.getByText('New', { exact: true }).count()).toBe(2);
    await rows.filter({ hasText: 'mentioned' }).getByRole('link', { name: 'Weak cipher' }).click();
    await page.getByRole('heading', { level: 1, name: 'Weak cipher' }).waitFor();
    await bell(page, 'Notifications, 1 unread').click();
    await page.getByText('Unread', { exact: true }).click();
    await until(
      'only the unread one',
      async () => (await page.getByText('New', { exact: true }).count()) === 1,
    );
    await press(page, 'Mark as read');
    await page.getByText('No unread notifications').waitFor();
    await page.getByText('All', { exact: true }).click();
    await page.getByRole('button', { name: 'Mark as unread' }).first().click();
    await bell(page, 'Notifications, 1 unread').waitFor();
    await press(page, 'Mark all as read');
    await bell(page, 'Notifications').waitFor();
    expect(await unread()).toBe(0);
  });

  it('are marked as read from a later page only as far as they were listed', async () => {
    await mention();
    await mention();
    await written(2);
    const page = await site.open('/', { as: ana });
    // Pages of one.
    await page.route(`**${PATH}?*`, (route) =>
      route.continue({ url: route.request().url().replace('limit=50', 'limit=1') }),
    );
    await bell(page, 'Notifications, 2 unread').click();
    await page.getByText('1 on page 1').waitFor();
    await press(page, 'Next page');
    await page.getByText('1 on page 2').waitFor();
    await mention();
    await written(3);
    await press(page, 'Mark all as read');
    await bell(page, 'Notifications, 1 unread').waitFor();
    expect(await unread()).toBe(1);
  });

  it.each([
    ['phone', 'light'],
    ['tablet', 'dark'],
    ['wide', 'dark'],
    ['phone', 'dark'],
  ] as const)('fit on a %s in the %s scheme', async (on, colorScheme) => {
    await mention();
    await written(1);
    const page = await site.open('/notifications', { as: ana, on, colorScheme });
    await page.getByText('mentioned you in a comment').first().waitFor();
    expect(await isWithinWidth(page)).toBe(true);
    await site.look(page, `notifications-${on}-${colorScheme}`);
    await press(page, 'Preferences');
    await page.getByRole('heading', { level: 1, name: 'Preferences' }).waitFor();
    await page.getByLabel('Channel').waitFor();
    expect(await isWithinWidth(page)).toBe(true);
    await site.look(page, `notification-preferences-${on}-${colorScheme}`);
  });

  describe('sent to people', () => {
    it('need a mail server, an address within its domains, and times; a test message shows the result', async () => {
      const settings = await site.open('/settings/notifications');
      await settings.getByLabel('People can have e-mail').check();
      await settings.getByLabel('Mail server').fill('https://mail.example');
      await settings.getByLabel('Sender').fill('risk@example.com');
      await settings.getByRole('combobox', { name: 'Domains' }).fill('example.com');
      await settings.getByRole('combobox', { name: 'Domains' }).press('Enter');
      await press(settings, 'Save');
      await settings.getByText('Must be the address of a mail server', { exact: false }).waitFor();
      await settings.getByLabel('Mail server').fill(mail.url());
      await press(settings, 'Save');
      await settings.getByText('The settings of notifications are saved.').waitFor();
      await site.look(settings, 'settings-notifications');

      const page = await site.open('/notifications/preferences', { as: ana });
      await page.getByLabel('Such findings are overdue').uncheck();
      expect(await page.getByLabel('The service stops a webhook').count()).toBe(0);
      await page.getByLabel('Channel').selectOption('E-mail');
      await page.getByLabel('E-mail address').fill('ana@elsewhere.example');
      await page.getByLabel('How often').selectOption('Once a week');
      await page.getByLabel('Day of the week').selectOption('Sunday');
      await page.getByLabel('Quiet hours').check();
      await press(page, 'Save');
      await page.getByText('Must be an e-mail address at example.com').waitFor();
      await page.getByLabel('E-mail address').fill('ana@example.com');
      await press(page, 'Save');
      await page.getByText('Present address: ana@example.com', { exact: false }).waitFor();
      expect(await client.get(`${PATH}/preferences`)).toMatchObject({
        ...{ channel: 'email', address: 'ana@example.com', schedule: 'weekly', weekday: 7 },
        ...{ timeZone: 'UTC', quiet: { from: '19:00', to: '07:00' } },
        // Those that the form does not show stay as they are.
        kinds: [
          ...['mentioned', 'assigned', 'commented', 'dueSoon', 'acceptanceEnding'],
          ...['syncFailed', 'syncRecovered', 'webhookStopped', 'reportFailed', 'scheduleStopped'],
        ],
      });
      await press(page, 'Send a test message');
      await page.getByText(/Last message, .*: sent/).waitFor();
      expect(mail.mails).toMatchObject([{ to: ['ana@example.com'] }]);
      await site.look(page, 'notification-preferences-email');
    });

    it('have settings of which a form changes only what the user changed', async () => {
      const page = await site.open('/settings/notifications');
      await page.getByRole('combobox', { name: 'Hosts of Slack' }).fill('hooks.slack.com');
      await page.getByRole('combobox', { name: 'Hosts of Slack' }).press('Enter');
      await send('PATCH', '/api/v3/notification-settings', { teamsHosts: ['logic.azure.com'] });
      await press(page, 'Save');
      await page.getByText('The settings of notifications are saved.').waitFor();
      expect(await site.client.get('/api/v3/notification-settings')).toMatchObject({
        ...{ slackHosts: ['hooks.slack.com'], teamsHosts: ['logic.azure.com'] },
      });
      // Opened again, it has the present settings.
      await page.getByRole('link', { name: 'Policies' }).click();
      await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
      await send('PATCH', '/api/v3/notification-settings', { teamsHosts: ['flows.example'] });
      await page.goBack();
      await page.getByText('flows.example').waitFor();
      // A reload does not restore what would overwrite the change of another user.
      await page.getByRole('combobox', { name: 'Hosts of Slack' }).fill('hooks.elsewhere.example');
      await page.getByRole('combobox', { name: 'Hosts of Slack' }).press('Enter');
      await send('PATCH', '/api/v3/notification-settings', { teamsHosts: [] });
      await page.reload();
      await page.getByText('hooks.slack.com').first().waitFor();
      expect(await page.getByText('hooks.elsewhere.example').count()).toBe(0);
    });

    it('have settings that are saved again as they are, after a restore', async () => {
      const page = await site.open('/settings/notifications');
      const save = page.getByRole('button', { name: 'Save' });
      await save.waitFor();
      expect(await save.isDisabled()).toBe(true);
      await page.route('**/api/v3/notification-settings', async (route) => {
        if (route.request().method() !== 'GET') return route.continue();
        const answer = await route.fetch();
        return route.fulfill({ json: { ...(await answer.json()), problem: 'the site is restored' } });
      });
      await page.reload();
      await page.getByText('the site is restored').waitFor();
      const sent = page.waitForRequest((request) => request.method() === 'PATCH');
      await press(page, 'Save');
      expect(Object.keys((await sent).postDataJSON()).sort()).toEqual(['email', 'slackHosts', 'teamsHosts']);
      await page.getByText('The settings of notifications are saved.').waitFor();
    });

    it('are closed to those who may not see the settings', async () => {
      const page = await site.open('/settings/notifications', { as: ana });
      await page.getByText('Notifications: access denied').waitFor();
    });
  });

  describe('of problems of the service', () => {
    let server: Server;
    const unreadOf = async (): Promise<number> => (await site.client.get(`${PATH}/unread`)).unread;
    beforeAll(async () => {
      // Receivers that are gone, and a platform that refuses the credentials.
      server = createServer(({ url }, response) => {
        response.statusCode = url === '/gone' ? 410 : 403;
        response.end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const config = { url, clientId: 'c', clientSecret: 's' };
      const { id } = await send('POST', '/integration', {
        ...{ type: 'edrplugin', subType: 'falcon', name: 'EDR Berlin', config },
      });
      await site.client.request('POST', `/integrations/${id}/sync`, '{}');
      await send('POST', '/api/v3/webhooks', { url: `${url}/gone`, topics: ['findings'] });
      await mention();
      const schedule = await send('POST', '/api/v3/report-schedules', {
        ...{ name: 'Weekly board report', report: 'board', cron: '0 8 * * 1', timeZone: 'UTC' },
        webhook: { url: `${url}/gone` },
      });
      await send('POST', `/api/v3/report-schedules/${schedule.id}/send`);
      await until('they are notified', async () => (await unreadOf()) === 3);
    }, 240_000);
    afterAll(() => {
      server?.close();
    });

    it('reach admins, and lead to the sync, the webhook and the report schedule', async () => {
      const page = await site.open('/notifications');
      const row = (text: string) => page.getByRole('row').filter({ hasText: text });
      await row('The sync of EDR Berlin fails').waitFor();
      await site.look(page, 'notifications-problems');
      await row('The webhook to').getByRole('link').click();
      const dialog = page.getByRole('dialog', { name: 'Deliveries' });
      await dialog.getByText('Paused').waitFor();
      await site.look(page, 'notifications-webhook');
      await dialog.getByRole('button', { name: 'Close' }).click();
      expect(new URL(page.url()).search).toBe('');
      await bell(page, 'Notifications, 2 unread').click();
      await row('The scheduled report Weekly board report was not sent').getByRole('link').click();
      await dialog.getByText('410', { exact: false }).first().waitFor();
      await page.keyboard.press('Escape');
      await bell(page, 'Notifications, 1 unread').click();
      await row('The sync of EDR Berlin fails').getByRole('link').click();
      await page.getByRole('heading', { level: 1, name: 'EDR Berlin' }).waitFor();
      await bell(page, 'Notifications').click();
      await press(page, 'Preferences');
      await page.getByLabel('The service stops a webhook').uncheck();
      await press(page, 'Save');
      await page.getByText('Your preferences are saved.').waitFor();
      expect((await site.client.get(`${PATH}/preferences`)).kinds).not.toContain('webhookStopped');
    });

    it('fit on a phone, in German and Arabic, and are for admins only', async () => {
      for (const locale of ['de', 'ar']) {
        const page = await site.open('/notifications', { on: 'phone', locale });
        await page.getByText('EDR Berlin').first().waitFor();
        expect(await isWithinWidth(page)).toBe(true);
        await site.look(page, `notifications-problems-${locale}`);
      }
      const page = await site.open('/notifications', { as: ana });
      await page.getByText('mentioned you').first().waitFor();
      expect(await page.getByText('EDR Berlin').count()).toBe(0);
    });

    it('have links that say if what they lead to is gone', async () => {
      const nobody = '00000000-0000-4000-8000-000000000000';
      const page = await site.open(`/settings/webhooks?webhook=${nobody}`);
      await page.getByText('The webhook is not shown').waitFor();
      const other = await site.open(`/settings/reports?schedule=${nobody}`);
      await other.getByText('The report schedule is not shown').waitFor();
    });
  });

  it('lead to the first page from a page whose rows are gone', async () => {
    await mention();
    await mention();
    await written(2);
    const { nextCursor } = await client.get(`${PATH}?unread=true&limit=1`);
    const page = await site.open(`/notifications?show=unread&cursor=${nextCursor}`, { as: ana });
    await press(page, 'Mark as read');
    await page.getByText('This page is empty').waitFor();
    await press(page, 'Go to the first page');
    await page.getByText('New', { exact: true }).waitFor();
  });
});
