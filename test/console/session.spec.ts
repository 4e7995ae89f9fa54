import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { ADMIN } from '../support/started-standalone.ts';
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

  it('leads from / to the console, which asks who is there', async () => {
    const page = await site.open('/', { as: null });
    await page.goto(`${site.url}/`);
    expect(page.url()).toBe(`${site.url}/app/`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await site.look(page, 'sign-in');
  });

  it('says what is wrong with a password, and keeps nobody', async () => {
    const page = await site.open('/', { as: null });
    await page.getByLabel('User name').fill(ADMIN.username);
    await page.locator('input[name=password]').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The user name or the password is wrong.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('shows the page that was asked for after the sign-in, and outlives a reload', async () => {
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

  it('signs out where the token has expired, says so, and goes on in the same place', async () => {
    const page = await site.open('/uploads');
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
    await page.clock.install();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
    await page.clock.fastForward(3_601_000);
    await page.getByText('Your session has ended.', { exact: false }).waitFor();
    await signIn(page, ADMIN);
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
  });

  it('leads to the sign-in where the credential is gone, though nothing but changes is asked for', async () => {
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
