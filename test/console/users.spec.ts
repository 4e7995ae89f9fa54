import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PasswordHasher } from '../../apps/gateway/src/auth/password-hasher.ts';
import { providersOf } from '../fixtures/sign-ins/oidc-server.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { ADMIN } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';

const START_MS_MAX = 240_000;
jest.setTimeout(180_000);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** No provider is there. */
const UNAVAILABLE = 'http://127.0.0.1:9';

/** As `posture credentials break-glass` before local sign-in is turned off. */
async function addBreakGlass({ pool }: TestDatabase): Promise<void> {
  await pool.query(
    `insert into credentials (id, username, password_hash, role, created_at, is_break_glass)
     values ($1, $2, $3, 'admin', now(), true)`,
    [randomUUID(), ADMIN.username, await new PasswordHasher().hash(ADMIN.password)],
  );
}

describeInRun({ shares: 3, turn: 1, ...CONSOLE }, 'users of identity providers', () => {
  let site: ConsoleSite;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await addBreakGlass(database);
    site = await ConsoleSite.start({
      demo: false,
      env: {
        DATABASE_URL: database.url,
        LOCAL_SIGN_IN: 'off',
        PUBLIC_URL: 'http://127.0.0.1',
        OIDC_PROVIDERS: providersOf(UNAVAILABLE),
      },
    });
  }, START_MS_MAX);
  afterAll(async () => {
    await site?.stop();
    await database?.drop();
  }, 60_000);
  afterEach(() => site.endTest({ but: [/status of (403|503)/] }));

  /** As a sign-in stores it. */
  async function newUser(name: string): Promise<void> {
    await database.pool.query(
      `insert into users (id, provider, subject, name, display_name, grants, created_at, last_sign_in_at)
       values ($1, 'corp', $2, $3, 'A colleague', '{analyst,audit:read}', now(), now())`,
      [randomUUID(), name, `corp:${name}`],
    );
  }
  const listed = async (name: string) =>
    (await site.client.all('/api/v3/users')).find((user) => user.name === `corp:${name}`);

  it('are listed, disabled, enabled and deleted', async () => {
    await database.pool.query('delete from users');
    const page = await site.open('/settings/users');
    await page.getByText('No user of an identity provider has signed in yet.').waitFor();
    await newUser('ana@example.com');
    await page.reload();
    await page.getByRole('row', { name: /corp:ana@example.com.*Active.*analyst, audit:read/ }).waitFor();
    await press(page, 'Disable corp:ana@example.com');
    await site.look(page, 'users-disable');
    await press(page, 'Disable');
    await page.getByText('corp:ana@example.com was disabled.').waitFor();
    await until('the change', async () => (await listed('ana@example.com')).isActive === false);
    await press(page, 'Enable corp:ana@example.com');
    await press(page, 'Enable');
    await page.getByText('corp:ana@example.com was enabled.').waitFor();
    await press(page, 'Delete corp:ana@example.com');
    await press(page, 'Delete');
    await page.getByText('corp:ana@example.com was deleted.').waitFor();
    expect(await listed('ana@example.com')).toBeUndefined();
  });

  it('without a group that gives access see no assets', async () => {
    await newUser('no.group@example.com');
    await database.pool.query(
      `update users set grants = '{}', departments = '{}', locations = '{}' where name = 'corp:no.group@example.com'`,
    );
    const page = await site.open('/settings/users');
    await page.getByRole('row', { name: /corp:no.group@example.com.*Active None None/ }).waitFor();
  });

  it.each(['phone', 'tablet', 'wide'] as const)('fit the window (%s)', async (on) => {
    await newUser(`a.long.name.of.a.person.${on}@subsidiary.example.com`);
    const page = await site.open('/settings/users', { on });
    await page.getByText(`a.long.name.of.a.person.${on}`, { exact: false }).first().waitFor();
    await site.look(page, `users-${on}`);
    expect(await page.evaluate<boolean>('document.body.scrollWidth > document.body.clientWidth')).toBe(false);
  });

  it('cannot sign in while the provider is unavailable; only the credential for emergencies can', async () => {
    const path = '/api/v3/credentials';
    const other = { username: 'local-analyst', role: 'analyst' };
    const { body: made } = await site.client.request('POST', path, JSON.stringify(other));
    const page = await site.open('/findings', { as: null });
    await page.getByRole('button', { name: 'Sign in with Corporate account' }).click();
    await page.getByText('The identity provider Corporate account is not available: retry later.').waitFor();
    const trySignIn = async ({ username, password }: { username: string; password: string }) => {
      await page.getByLabel('User name').fill(username);
      await page.locator('input[name=password]').fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    await trySignIn(made);
    await page.getByText('only identity providers sign people in here', { exact: false }).waitFor();
    await trySignIn(ADMIN);
    await page.getByRole('heading', { level: 1, name: 'Findings' }).waitFor();
    await until('the security event', async () => {
      const { items } = await site.client.get('/api/v3/security-events?kind=breakGlass&outcome=success');
      return items.some(({ user }: { user: string }) => user === ADMIN.username);
    });
  });
});
