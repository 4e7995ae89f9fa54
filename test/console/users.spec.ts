import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { describeConsole } from './describe-console.ts';

const START_MS_MAX = 240_000;
jest.setTimeout(180_000);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describeConsole('users of identity providers', () => {
  let site: ConsoleSite;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    site = await ConsoleSite.start({ demo: false, env: { DATABASE_URL: database.url } });
  }, START_MS_MAX);
  afterAll(async () => {
    await site?.stop();
    await database?.drop();
  }, 60_000);
  afterEach(() => site.endTest());

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

  it.each(['phone', 'tablet', 'wide'] as const)('fit the window (%s)', async (on) => {
    await newUser(`a.long.name.of.a.person.${on}@subsidiary.example.com`);
    const page = await site.open('/settings/users', { on });
    await page.getByText(`a.long.name.of.a.person.${on}`, { exact: false }).first().waitFor();
    await site.look(page, `users-${on}`);
    expect(await page.evaluate<boolean>('document.body.scrollWidth > document.body.clientWidth')).toBe(false);
  });
});
