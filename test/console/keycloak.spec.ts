import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Keycloak, startKeycloak, whyNoKeycloak } from '../../deploy/keycloak/keycloak.mjs';
import { CLIENT_SECRET, KeycloakRealm, PASSWORD } from '../fixtures/sign-ins/keycloak-realm.ts';
import { freePort } from '../support/free-port.ts';
import { isLongRun } from '../support/long-run.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { describeConsole } from './describe-console.ts';

/** With the download of Keycloak, which happens once. */
const START_MS_MAX = 600_000;
const NAME = 'signing in with Keycloak';
const USERS = {
  alice: ['risk-team', 'staff'],
  bob: ['staff'],
  carol: ['risk-team'],
  dave: ['risk-team'],
};

/** Its start takes half a minute of both cores. `oidc-provider` shows the same in every run. */
const whyNot = isLongRun ? whyNoKeycloak() : 'Keycloak runs in npm run test:long';
if (whyNot === undefined) describeConsole(NAME, specs);
else describe.skip(`${NAME} (skipped: ${whyNot})`, specs);

function specs(): void {
  let keycloak: Keycloak;
  let realm: KeycloakRealm;
  let site: ConsoleSite;
  beforeAll(async () => {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    keycloak = await startKeycloak();
    realm = await KeycloakRealm.create(keycloak, url, USERS);
    const provider = {
      id: 'corp',
      label: 'Keycloak',
      issuer: realm.issuer,
      clientId: 'posture',
      clientSecret: CLIENT_SECRET,
      grants: { 'risk-team': ['analyst'] },
      checkSeconds: 5,
    };
    site = await ConsoleSite.start({
      demo: false,
      env: { PORT: port, PUBLIC_URL: url, OIDC_PROVIDERS: JSON.stringify([provider]) },
      others: [keycloak.url],
    });
  }, START_MS_MAX);
  afterAll(async () => {
    await site?.stop();
    await keycloak?.stop();
  }, 60_000);
  // The pages of Keycloak have their own complaints.
  afterEach(() =>
    site.endTest({ but: [/status of 40[134]/, /Content Security Policy|Failed to load|warning/] }),
  );

  const againDialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });

  async function signIn(username: string): Promise<Page> {
    const page = await site.open('/uploads', { as: null });
    await page.getByRole('button', { name: 'Sign in with Keycloak' }).click();
    await page.locator('#username').fill(username);
    await page.locator('#password').fill(PASSWORD);
    await page.locator('#kc-login').click();
    return page;
  }

  async function signedIn(username: string): Promise<Page> {
    const page = await signIn(username);
    await page.getByRole('button', { name: `Signed in as corp:${username}` }).waitFor();
    return page;
  }

  it('maps groups, signs out of both, and asks for the password again', async () => {
    const page = await signedIn('alice');
    expect(page.url()).toBe(`${site.url}/app/uploads`);
    const session = await page.evaluate<{ scopes: string[] }>(
      `JSON.parse(sessionStorage.getItem('posture-session-2'))`,
    );
    expect(session.scopes).toContain('findings:accept');
    expect(session.scopes).not.toContain('settings:write');
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign out there too' }).click();
    await page.locator('#kc-logout').click();
    await page.waitForURL(`${site.url}/app/`);
    await page.getByRole('button', { name: 'Sign in with Keycloak' }).click();
    await page.locator('#username').waitFor();
  });

  it('refuses a user without a group that has a role', async () => {
    const page = await signIn('bob');
    await page.getByText('Your groups give you no access to this service').waitFor();
  });

  it('ends the session when the user leaves the group, and refuses the next one', async () => {
    const page = await signedIn('carol');
    await realm.removeFromGroup('carol', 'risk-team');
    await againDialog(page).waitFor();
    const opened = page.waitForEvent('popup');
    await againDialog(page).getByRole('link', { name: 'Sign in with Keycloak' }).click();
    const popup = await opened;
    await popup.getByText('Your groups give you no access to this service').waitFor();
  });

  it('ends the session within seconds by back-channel logout; the next one takes over the page', async () => {
    const page = await signedIn('alice');
    await realm.signOut('alice');
    await againDialog(page).waitFor();
    await until('the security event', async () => {
      const { items } = await site.client.get('/api/v3/security-events?kind=logout&outcome=success');
      return items.some(({ user }: { user: string }) => user === 'corp:alice');
    });
    const opened = page.waitForEvent('popup');
    await againDialog(page).getByRole('link', { name: 'Sign in with Keycloak' }).click();
    const popup = await opened;
    await popup.locator('#username').fill('alice');
    await popup.locator('#password').fill(PASSWORD);
    await popup.locator('#kc-login').click();
    await againDialog(page).waitFor({ state: 'detached' });
    await until('the window is closed', () => popup.isClosed());
  });

  it('ends the session of a disabled user', async () => {
    const page = await signedIn('dave');
    await realm.disable('dave');
    await againDialog(page).waitFor();
  });
}
