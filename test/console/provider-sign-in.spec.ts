import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CLIENT_ID, CLIENT_SECRET, OidcServer, providersOf } from '../fixtures/sign-ins/oidc-server.ts';
import { freePort } from '../support/free-port.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';

const START_MS_MAX = 240_000;
const MINUTE_MS = 60_000;
interface KeptTimes {
  expiresAt: number;
  endsAt: number;
}

const GRANTS = { 'risk-admins': ['admin'], 'risk-analysts': ['analyst'] };

describeInRun({ shares: 3, turn: 0, ...CONSOLE }, 'signing in with an identity provider', () => {
  let site: ConsoleSite;
  let provider: OidcServer;
  beforeAll(async () => {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    provider = await OidcServer.start(url);
    provider.logoutUrl = `${url}/api/v3/sign-in/corp/logout`;
    site = await ConsoleSite.start({
      demo: false,
      env: { PORT: port, PUBLIC_URL: url, OIDC_PROVIDERS: providersOf(provider.issuer, { grants: GRANTS }) },
      others: [provider.issuer],
    });
  }, START_MS_MAX);
  afterAll(async () => {
    await site?.stop();
    await provider?.stop();
  }, 60_000);
  beforeEach(() => {
    provider.user = 'alice';
    provider.groups.clear();
    provider.groups.set('alice', ['risk-admins']);
  });
  afterEach(() => site.endTest({ but: [/status of (400|401|403|409)/] }));

  const button = (page: Page) => page.getByRole('button', { name: 'Sign in with Corporate account' });
  const againDialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });
  const warning = (page: Page) => page.getByRole('dialog', { name: 'Are you still here?' });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const alert = (page: Page, text: string) => page.getByRole('alert').getByText(text).waitFor();

  async function signedIn(path: string, user = 'alice'): Promise<Page> {
    provider.user = user;
    const page = await site.open(path, { as: null });
    await button(page).click();
    await page.getByRole('button', { name: `Signed in as corp:${user}` }).waitFor();
    return page;
  }

  /** Starts a sign-in in the page, and returns the address that the provider sends it to. The page does not open it. */
  async function heldCallback(page: Page): Promise<string> {
    let url = '';
    await page.route(`${provider.issuer}/**`, (route) => {
      url = route.request().url();
      return route.fulfill({ contentType: 'text/html', body: '<h1>Held</h1>' });
    });
    await button(page).click();
    await heading(page, 'Held');
    await page.goto(`${site.url}/api/v3/sign-in`);
    return `${site.url}/app/sign-in/corp?${await provider.follow(url)}`;
  }

  /** A dialog with input, in a page that only reads after it has loaded. */
  async function type(page: Page, text: string): Promise<void> {
    await page.getByRole('button', { name: 'Add a department' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(text);
  }

  async function expectTyped(page: Page, text: string): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Add a department' });
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(text);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('cell', { name: text, exact: true }).waitFor();
  }

  const kept = (page: Page): Promise<{ id: string; token: string } & KeptTimes> =>
    page.evaluate(`JSON.parse(sessionStorage.getItem('posture-session-2'))`);

  const statusOf = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${site.url}/api/v3/session`, { headers })).status;
  };

  it('shows the requested page afterwards, and keeps no parameter of the provider', async () => {
    const page = await site.open('/findings?state=Failed&severityMin=9#x', { as: null });
    await button(page).waitFor();
    await site.look(page, 'sign-in-providers');
    await button(page).click();
    await heading(page, 'Findings');
    expect(page.url()).toBe(`${site.url}/app/findings?state=Failed&severityMin=9#x`);
    await page.getByRole('button', { name: 'Signed in as corp:alice' }).waitFor();
    await page.reload();
    await heading(page, 'Findings');
    const stored = await page.evaluate<string>('JSON.stringify([localStorage, document.cookie])');
    expect(stored).not.toContain('posture_session_');
    expect(await page.evaluate(`sessionStorage.getItem('posture-sign-in')`)).toBeNull();
    await page.goBack();
    expect(page.url()).not.toContain('code=');
  });

  it.each([
    ['tablet', 'light'],
    ['wide', 'dark'],
    ['phone', 'dark'],
  ] as const)('is accessible on a %s in %s mode', async (on, colorScheme) => {
    const page = await site.open('/', { as: null, on, colorScheme });
    await button(page).waitFor();
    await site.look(page, `sign-in-providers-${on}-${colorScheme}`);
    provider.groups.set('eve', ['cooks']);
    provider.user = 'eve';
    await button(page).click();
    await alert(page, 'Your groups give you no access to this service');
    await site.look(page, `sign-in-refused-${on}-${colorScheme}`);
  });

  it('is offered as soon as an admin has added a provider, until it is removed', async () => {
    const allow = { egressAllow: ['127.0.0.1'] };
    await site.client.request('PATCH', '/api/v3/settings', JSON.stringify(allow));
    const page = await site.open('/settings/identity-providers');
    await page.getByRole('row', { name: /Corporate account.*settings of the deployment/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Change Corporate account' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Add an identity provider' }).click();
    const form = page.getByRole('dialog', { name: 'Add an identity provider' });
    const add = form.getByRole('button', { name: 'Add', exact: true });
    await add.click();
    await form.getByText('Name each group, or remove its row.').waitFor();
    await form.getByLabel('Group', { exact: true }).fill('risk-analysts');
    await add.click();
    await form.getByText('Must have 1 to 60 characters').waitFor();
    await form.locator('input[aria-invalid=true]:focus').waitFor();
    await form.getByText('Must have 1 to 500 groups').waitFor();
    await site.look(page, 'identity-provider-wrong');
    await form.getByLabel('Name', { exact: true }).fill('Partner account');
    await form.getByLabel('Id', { exact: true }).fill('partner');
    await form.getByLabel('Issuer').fill(`${provider.issuer}/nowhere`);
    await form.getByLabel('Client ID').fill(CLIENT_ID);
    await form.getByLabel('Client secret', { exact: true }).fill(CLIENT_SECRET);
    await form.getByRole('combobox', { name: 'Roles and scopes' }).fill('analyst');
    await page.keyboard.press('Enter');
    await add.click();
    await form.getByText('has no discovery document').waitFor();
    await form.getByLabel('Issuer').fill(provider.issuer);
    await add.click();
    await page.getByText('Partner account was added.').waitFor();
    await page.getByRole('row', { name: /Partner account.*risk-analysts: analyst/ }).waitFor();
    await site.look(page, 'identity-providers');

    provider.groups.set('ana', ['risk-analysts']);
    provider.user = 'ana';
    const partner = await site.open('/findings', { as: null });
    await partner.getByRole('button', { name: 'Sign in with Partner account' }).click();
    await partner.getByRole('button', { name: 'Signed in as partner:ana' }).waitFor();

    const changed = JSON.stringify({ checkSeconds: 600 });
    await site.client.request('PATCH', '/api/v3/identity-providers/partner', changed);
    await page.getByRole('button', { name: 'Change Partner account' }).click();
    const change = page.getByRole('dialog', { name: 'Change Partner account' });
    expect(await change.getByLabel('Check groups every').inputValue()).toBe('600 seconds');
    // Another admin changes the groups while the dialog is open.
    const grants = { 'risk-analysts': ['analyst'], contractors: ['viewer'] };
    await site.client.request('PATCH', '/api/v3/identity-providers/partner', JSON.stringify({ grants }));
    await change.getByRole('button', { name: 'Add a group' }).click();
    const second = change.getByRole('group', { name: 'Group 2' });
    await second.getByLabel('Group', { exact: true }).fill('interns');
    await second.getByRole('combobox', { name: 'Roles and scopes' }).fill('viewer');
    await page.keyboard.press('Enter');
    await change.getByRole('button', { name: 'Save' }).click();
    await change.getByText('Another user changed this.', { exact: false }).waitFor();
    const { items } = await site.client.get('/api/v3/identity-providers');
    expect(items).toMatchObject([{ id: 'corp' }, { id: 'partner', grants }]);
    await change.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Change Partner account' }).click();
    await change.getByRole('group', { name: 'Group 2' }).waitFor();
    await change.getByLabel('Name', { exact: true }).fill('Partners');
    const request = page.waitForRequest((one) => one.method() === 'PATCH');
    await change.getByRole('button', { name: 'Save' }).click();
    expect((await request).postDataJSON()).toEqual({ label: 'Partners', version: items[1].version });
    await page.getByText('Partners was changed.').waitFor();
    await page.getByRole('button', { name: 'Remove Partners' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Partners was removed.').waitFor();
    await againDialog(partner).waitFor();
    const fresh = await site.open('/', { as: null });
    await button(fresh).waitFor();
    expect(await fresh.getByRole('button', { name: /Sign in with Partner/ }).count()).toBe(0);
  });

  it.each([
    ['phone', 'dark'],
    ['tablet', 'light'],
    ['wide', 'dark'],
  ] as const)('is administered on a %s in %s mode', async (on, colorScheme) => {
    const page = await site.open('/settings/identity-providers', { on, colorScheme });
    await page.getByText('Corporate account').waitFor();
    const isWide = () =>
      page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    expect(await isWide()).toBe(false);
    await site.look(page, `identity-providers-${on}-${colorScheme}`);
    const open = page.getByRole('button', { name: 'Add an identity provider' });
    await open.click();
    const form = page.getByRole('dialog', { name: 'Add an identity provider' });
    await form.getByLabel('Issuer').fill(`https://${'a-long-name.'.repeat(12)}example.com/realms/corp`);
    await site.look(page, `identity-provider-${on}-${colorScheme}`);
    expect(await isWide()).toBe(false);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    const focused = page.locator('button:focus');
    await until(
      'the focus returns',
      async () => (await focused.allTextContents())[0] === (await open.textContent()),
    );
  });

  it('says why a user is refused, who can then try again', async () => {
    provider.groups.set('eve', ['cooks']);
    provider.user = 'eve';
    const page = await site.open('/uploads', { as: null });
    await button(page).click();
    await alert(page, 'Your groups give you no access to this service: ask an admin');
    provider.groups.set('eve', ['risk-analysts']);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Signed in as corp:eve' }).waitFor();
  });

  it('refuses a user whom the provider does not know', async () => {
    provider.user = 'mallory';
    const page = await site.open('/', { as: null });
    await button(page).click();
    await alert(page, 'The identity provider did not sign you in: start again.');
    await page.getByRole('link', { name: 'Other ways to sign in' }).click();
    await page.getByLabel('User name').waitFor();
  });

  it('refuses another state, and a sign-in that another tab has started', async () => {
    const page = await site.open('/', { as: null });
    const address = await heldCallback(page);
    const other = await page.context().newPage();
    await other.goto(address);
    await alert(other, 'This sign-in was not started in this browser tab.');
    await page.goto(address.replace(/state=[^&]+/, `state=${'x'.repeat(43)}`));
    await alert(page, 'This sign-in was not started in this browser tab, or more than ten minutes ago');
    await page.goto(address);
    await alert(page, 'This sign-in was not started in this browser tab.');
  });

  it.each([
    '//attacker.example.com/',
    '/\\attacker.example.com/',
    'https://attacker.example.com/',
    'javascript:alert(1)',
    '/sign-in/corp',
  ])('returns to the console and not to %s', async (returnTo) => {
    const page = await site.open('/', { as: null });
    const address = await heldCallback(page);
    const started = JSON.parse(await page.evaluate(`sessionStorage.getItem('posture-sign-in')`));
    const changed = JSON.stringify(JSON.stringify({ ...started, returnTo }));
    await page.evaluate(`sessionStorage.setItem('posture-sign-in', ${changed})`);
    await page.goto(address);
    await page.getByRole('button', { name: 'Signed in as corp:alice' }).waitFor();
    expect(page.url()).toMatch(new RegExp(`^${site.url}/app/?$`));
  });

  it('signs out in every tab, at the service and at the provider', async () => {
    const page = await signedIn('/uploads');
    const { token } = await kept(page);
    const other = await page.context().newPage();
    await other.goto(`${site.url}/app/findings`);
    await heading(other, 'Findings');
    await other.getByRole('button', { name: /Signed in as/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const tab of [page, other]) await tab.getByText('You have signed out.').waitFor();
    await until('the session has ended', async () => (await statusOf(token)) === 401);
    await site.look(other, 'signed-out');
    await other.getByRole('link', { name: 'Sign out there too' }).click();
    await other.getByRole('button', { name: /yes/i }).click();
    await other.waitForURL(`${site.url}/app/`);
    await button(other).click();
    await other.getByRole('button', { name: 'Signed in as corp:alice' }).waitFor();
  });

  it('says that a sign-out has not reached the service', async () => {
    const page = await signedIn('/uploads');
    await page.route('**/api/v3/sessions/*', (route) => route.abort());
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You have signed out in this browser only').waitFor();
    site.expectNoComplaint({ but: [/ERR_FAILED/] });
  });

  it('signs in again in another window after the session has expired, and keeps the input', async () => {
    const page = await signedIn('/settings/departments');
    await page.clock.install();
    await page.reload();
    await type(page, 'Research');
    await page.clock.fastForward(61 * MINUTE_MS);
    await againDialog(page).waitFor();
    await page.keyboard.press('Escape');
    await site.look(page, 'sign-in-again-provider');
    const opened = page.waitForEvent('popup');
    await againDialog(page).getByRole('link', { name: 'Sign in with Corporate account' }).click();
    const popup = await opened;
    await againDialog(page).waitFor({ state: 'detached' });
    await page.locator('input:focus').waitFor();
    await expectTyped(page, 'Research');
    await until('the window is closed', () => popup.isClosed());
  });

  it('keeps the page from another user of the provider', async () => {
    provider.groups.set('bob', ['risk-admins']);
    const page = await signedIn('/settings/departments');
    const { token } = await kept(page);
    await type(page, 'Secret plans');
    await endByAdmin(page);
    await againDialog(page).waitFor();
    expect(await statusOf(token)).toBe(401);
    provider.user = 'bob';
    await page.context().clearCookies();
    const opened = page.waitForEvent('popup');
    await againDialog(page).getByRole('link', { name: 'Sign in with Corporate account' }).click();
    const popup = await opened;
    await popup.getByRole('heading', { name: 'You are signed in as corp:bob' }).waitFor();
    await site.look(popup, 'sign-in-other-user');
    await againDialog(page).getByText('The sign-in of corp:alice').waitFor();
    await popup.getByRole('link', { name: 'Continue as corp:bob' }).click();
    await popup.getByRole('button', { name: 'Signed in as corp:bob' }).waitFor();
    await againDialog(page).waitFor();
  });

  /** An admin ends the session of a page. */
  async function endByAdmin(page: Page): Promise<void> {
    const { id } = await kept(page);
    expect((await site.client.request('DELETE', `/api/v3/sessions/${id}`)).status).toBe(200);
  }

  it.each([
    ['an admin', endByAdmin],
    ['a sign-out at the provider', signOutAtProvider],
  ])('asks for a sign-in as soon as %s ends the session, and keeps the input', async (_, end) => {
    const page = await signedIn('/settings/departments');
    const name = `Typed before ${end.name}`;
    await type(page, name);
    await end(page);
    await againDialog(page).waitFor();
    await againDialog(page).getByRole('link', { name: 'Sign in with Corporate account' }).click();
    await againDialog(page).waitFor({ state: 'detached' });
    await expectTyped(page, name);
  });

  async function signOutAtProvider(page: Page): Promise<void> {
    const other = await page.context().newPage();
    await other.goto(`${provider.issuer}/session/end`);
    await other.getByRole('button', { name: /yes/i }).click();
    // Closed before, the page would not send the form, and a page that is loading may never be closed.
    await other.waitForURL(`${provider.issuer}/session/end/success`);
    await other.close();
  }

  it('warns before the session ends, and only activity extends it, for every tab', async () => {
    const page = await signedIn('/settings/departments');
    await page.context().clock.install();
    await page.reload();
    await type(page, 'Archive');
    const other = await page.context().newPage();
    await other.goto(`${site.url}/app/uploads`);
    await heading(other, 'Uploads');
    let extensions = 0;
    page.context().on('request', (request) => {
      if (request.url().endsWith('/session/extend')) extensions += 1;
    });
    await page.clock.fastForward(58.5 * MINUTE_MS);
    for (const tab of [page, other]) await warning(tab).waitFor();
    expect(extensions).toBe(0);
    await site.look(page, 'session-warning');
    await page.keyboard.press('Escape');
    for (const tab of [page, other]) await warning(tab).waitFor({ state: 'detached' });
    expect(extensions).toBe(1);
    await page.locator('input:focus').waitFor();
    const { expiresAt } = await kept(page);
    await page.clock.fastForward(30 * MINUTE_MS);
    await other.keyboard.press('ArrowDown');
    await until('the extension', async () => (await kept(page)).expiresAt > expiresAt);
    expect(extensions).toBe(2);
    await page.clock.fastForward(40 * MINUTE_MS);
    expect(await againDialog(page).count()).toBe(0);
    await expectTyped(page, 'Archive');
  });

  /** Changes the session of a page, as if the service had reported it so, and loads the page again. */
  async function withSession(page: Page, changes: Partial<KeptTimes>): Promise<void> {
    const changed = JSON.stringify(JSON.stringify({ ...(await kept(page)), ...changes }));
    await page.evaluate(`sessionStorage.setItem('posture-session-2', ${changed})`);
    await page.reload();
  }

  it('warns before the session reaches its longest duration, and keeps the input', async () => {
    const page = await signedIn('/settings/departments');
    await page.clock.install();
    const { expiresAt } = await kept(page);
    await withSession(page, { endsAt: expiresAt });
    await type(page, 'Quality');
    await page.clock.fastForward(58.5 * MINUTE_MS);
    const ending = page.getByRole('dialog', { name: 'Your session ends soon' });
    await ending.getByRole('button', { name: 'Continue' }).click();
    await ending.waitFor({ state: 'detached' });
    await page.locator('input:focus').waitFor();
    expect(await warning(page).count()).toBe(0);
  });

  it('does not ask for a sign-in in a tab that has missed an extension', async () => {
    const page = await signedIn('/settings/departments');
    await page.context().clock.install();
    const other = await page.context().newPage();
    await other.goto(`${site.url}/app/uploads`);
    await heading(other, 'Uploads');
    const { expiresAt } = await kept(other);
    await withSession(page, { expiresAt: expiresAt - 30 * MINUTE_MS });
    await type(page, 'Post');
    await page.clock.fastForward(31 * MINUTE_MS);
    await until('the news', async () => (await kept(page)).expiresAt === expiresAt);
    await againDialog(page).waitFor({ state: 'detached' });
    await expectTyped(page, 'Post');
  });
});
