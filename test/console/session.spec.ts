import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ADMIN } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { ConsoleSite, signIn } from './console-site.ts';
import { describeConsole } from './describe-console.ts';

const START_MS_MAX = 240_000;

describeConsole('signing in and out', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: false });
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 60_000);
  afterEach(() => site.endTest({ but: [/status of 401/] }));

  it('redirects from / to the sign-in of the console', async () => {
    const page = await site.open('/', { as: null });
    await page.goto(`${site.url}/`);
    expect(page.url()).toBe(`${site.url}/app/`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await site.look(page, 'sign-in');
  });

  it('rejects a wrong password', async () => {
    const page = await site.open('/', { as: null });
    await page.getByLabel('User name').fill(ADMIN.username);
    await page.locator('input[name=password]').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The user name or the password is wrong.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('shows the requested page after the sign-in, and survives a reload', async () => {
    const page = await site.open('/uploads');
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You have signed out.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  /** A settings page with unsaved input in a dialog, after the session expires. */
  async function withDraft(): Promise<Page> {
    const page = await site.open('/settings/departments');
    await page.clock.install();
    await page.reload();
    await page.getByRole('button', { name: 'Add a department' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Research');
    await page.clock.fastForward(3_601_000);
    await signInDialog(page).waitFor();
    return page;
  }
  const signInDialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });

  it('signs in again over the page, and keeps unsaved input', async () => {
    const page = await withDraft();
    await page.keyboard.press('Escape');
    await site.look(page, 'sign-in-again');
    await signInDialog(page).locator('input[name=password]').fill('wrong');
    await signInDialog(page).getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('The user name or the password is wrong.').waitFor();
    await signInDialog(page).locator('input[name=password]').fill(ADMIN.password);
    await signInDialog(page).getByRole('button', { name: 'Sign in', exact: true }).click();
    await signInDialog(page).waitFor({ state: 'detached' });
    const dialog = page.getByRole('dialog', { name: 'Add a department' });
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Research');
    await page.locator('input:focus').waitFor();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('cell', { name: 'Research', exact: true }).waitFor();
  });

  it('hides the page from another user', async () => {
    const page = await withDraft();
    await signInDialog(page)
      .getByRole('button', { name: /as another user/ })
      .click();
    await page.getByText('You have signed out.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('removes what a user has typed before a reload when another one signs in', async () => {
    const page = await withDraft();
    const added = JSON.stringify({ username: 'second-admin', role: 'admin' });
    const { body } = await site.client.request('POST', '/api/v3/credentials', added, {
      'content-type': 'application/json',
    });
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toContain('Research');
    await page.reload();
    await signIn(page, { username: 'second-admin', password: body.password });
    await page.getByRole('button', { name: 'Add a department' }).click();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Research');
  });

  it('repeats a rejected request after the sign-in', async () => {
    const page = await site.open('/settings/departments');
    await page.getByRole('button', { name: 'Add a department' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Logistics');
    let refused = 0;
    await page.route('**/company/departments', async (route) => {
      if (route.request().method() !== 'POST' || refused > 0) return route.fallback();
      refused += 1;
      return route.fulfill({ status: 401, json: { statusCode: 401, message: 'the token has expired' } });
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await signInDialog(page).locator('input[name=password]').fill(ADMIN.password);
    await signInDialog(page).getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('cell', { name: 'Logistics', exact: true }).waitFor();
    expect(refused).toBe(1);
  });

  it('does not repeat the request of a user for the next user', async () => {
    const json = { 'content-type': 'application/json' };
    const next = JSON.stringify({ username: 'next-admin', role: 'admin' });
    const { body } = await site.client.request('POST', '/api/v3/credentials', next, json);
    const page = await site.open('/settings/departments');
    await page.getByRole('button', { name: 'Add a department' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Unwanted');
    let sent = 0;
    let refuse = () => {};
    const held = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await page.route('**/company/departments', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      sent += 1;
      if (sent > 1) return route.continue();
      await held;
      return route.fulfill({ status: 401, json: { statusCode: 401, message: 'the token has expired' } });
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await until('the request is on its way', () => sent === 1);
    const other = await page.context().newPage();
    await other.goto(`${site.url}/app/uploads`);
    await other.getByRole('button', { name: /Signed in as/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You have signed out.').waitFor();
    await signIn(page, { username: 'next-admin', password: body.password });
    const refused = page.waitForResponse((response) => response.status() === 401);
    refuse();
    await (await refused).finished();
    // A repeated request would be on its way before this one.
    await page.evaluate('fetch("/api/v3/session").then((response) => response.text())');
    expect(sent).toBe(1);
    expect(await site.client.all('/api/v3/company/departments')).not.toContainEqual(
      expect.objectContaining({ name: 'Unwanted' }),
    );
  });

  it('shares the session with a new tab, and ends it in every tab', async () => {
    const page = await site.open('/uploads');
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
    const opened = await page.context().newPage();
    await opened.goto(`${site.url}/app/findings`);
    await opened.getByRole('heading', { level: 1, name: 'Findings' }).waitFor();
    await opened.getByRole('button', { name: /Signed in as/ }).click();
    await opened.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const tab of [page, opened]) await tab.getByText('You have signed out.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await signIn(page, ADMIN);
    await opened.getByRole('heading', { level: 1, name: 'Findings' }).waitFor();
    // The token is not stored beyond the tabs.
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('token');
  });

  it('requires a sign-in after the credential is deleted, even if only the stream is open', async () => {
    const leaver = JSON.stringify({ username: 'leaver', role: 'viewer' });
    const json = { 'content-type': 'application/json' };
    const { body } = await site.client.request('POST', '/api/v3/credentials', leaver, json);
    const page = await site.open('/uploads', { as: { username: 'leaver', password: body.password } });
    await page.route('**/api/v3/changes', (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
    await page.getByText('Connecting …').waitFor();
    await site.client.request('DELETE', `/api/v3/credentials/${body.id}`);
    await page.unroute('**/api/v3/changes');
    await page.getByText('Your session has ended.', { exact: false }).waitFor();
    site.expectNoComplaint({ but: [/ERR_FAILED/, /status of 401/] });
  });
});
