import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import encodeQR from 'qr';
import { describeInRun } from '../support/part-of-run.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';

const START_MS_MAX = 240_000;
const STEP_MS = 30_000;
jest.setTimeout(180_000);

interface User {
  username: string;
  password: string;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describeInRun({ shares: 3, turn: 2, ...CONSOLE }, 'the second factor', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: false });
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 60_000);
  afterEach(() => site.endTest({ but: [/status of (401|403)/] }));

  async function newUser(username: string): Promise<User> {
    const given = JSON.stringify({ username, role: 'analyst' });
    return (await site.client.request('POST', '/api/v3/credentials', given)).body;
  }

  /** Sets it up in the console; returns the secret and the recovery codes. */
  async function setUp(page: Page, { username, password }: User) {
    await press(page, 'Set up a second factor');
    await page.locator('input[name=password]').fill(password);
    await press(page, 'Continue');
    const image = page.getByRole('img', { name: 'QR code of the secret' });
    await image.waitFor();
    const secret = await page.getByRole('dialog').locator('code').innerText();
    const uri = new TOTP({
      issuer: 'Risk Posture Service',
      label: username,
      secret: Secret.fromBase32(secret),
    }).toString();
    expect(encodeQR(uri, 'svg')).toContain(`d="${await image.locator('path').getAttribute('d')}"`);
    await site.look(page, 'second-factor-setup');
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await page.locator('input[name=code]').fill('000000');
    await press(page, 'Confirm');
    await page.getByText('the code of the second factor is wrong', { exact: false }).waitFor();
    // As an app of a phone whose clock is one step behind: two steps would be refused, if this one ended before the check.
    await until('a step that lasts', () => Date.now() % STEP_MS < STEP_MS / 2);
    const used = Date.now() - STEP_MS;
    await page.locator('input[name=code]').fill(totp.generate({ timestamp: used }));
    await press(page, 'Confirm');
    const codes = (await page.locator('pre').innerText()).trim().split('\n');
    await site.look(page, 'second-factor-recovery-codes');
    await press(page, 'I saved the recovery codes');
    await page.getByText('You have a second factor.', { exact: false }).waitFor();
    return { totp, codes };
  }

  async function signInUntilCode(page: Page, { username, password }: User) {
    await page.getByLabel('User name').fill(username);
    await page.locator('input[name=password]').fill(password);
    await press(page, 'Sign in');
    await page.locator('input[name=code]').waitFor();
  }

  it('is set up, and then required at the sign-in: a code of the app, or a recovery code', async () => {
    const user = await newUser('with-a-phone');
    const page = await site.open('/settings/second-factor', { as: user });
    await page.getByText('You have no second factor', { exact: false }).waitFor();
    await site.look(page, 'second-factor-none');
    const { totp, codes } = await setUp(page, user);
    expect(codes).toHaveLength(10);

    const other = await site.open('/', { as: null });
    await signInUntilCode(other, user);
    await site.look(other, 'sign-in-code');
    await other.locator('input[name=code]').fill('000000');
    await press(other, 'Sign in');
    await other.getByText('The code is wrong or was used before.', { exact: false }).waitFor();
    await other.locator('input[name=code]').fill(totp.generate());
    await press(other, 'Sign in');
    await other.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });

    const third = await site.open('/', { as: null, on: 'phone' });
    await signInUntilCode(third, user);
    await third.locator('input[name=code]').fill(codes[0]!.toUpperCase());
    await press(third, 'Sign in');
    await third.getByRole('heading', { level: 1 }).first().waitFor();
  });

  it.each(['phone', 'tablet', 'wide'] as const)('is removed with a code (%s)', async (on) => {
    const user = await newUser(`on-${on}`);
    const page = await site.open('/settings/second-factor', { as: user, on });
    const { codes } = await setUp(page, user);
    await site.look(page, `second-factor-${on}`);
    await press(page, 'Remove the second factor');
    await page.locator('input[name=code]').fill('000000');
    await press(page, 'Remove');
    const refusal = page.getByRole('dialog').getByRole('alert');
    await refusal.waitFor();
    await press(page, 'Cancel');
    // A dialog that is opened again begins without the error.
    await press(page, 'Remove the second factor');
    await page.locator('input[name=code]').waitFor();
    expect(await refusal.count()).toBe(0);
    await page.locator('input[name=code]').fill(codes[0]!);
    await press(page, 'Remove');
    await page.getByText('You have no second factor', { exact: false }).waitFor();
    const scrolls = await page.evaluate<boolean>('document.body.scrollWidth > document.body.clientWidth');
    expect(scrolls).toBe(false);
  });

  it('is removed by an admin in the list of credentials', async () => {
    const user = await newUser('lost-the-phone');
    const own = await site.open('/settings/second-factor', { as: user });
    await setUp(own, user);
    const page = await site.open('/settings/credentials');
    await press(page, 'Remove the second factor of lost-the-phone');
    await site.look(page, 'second-factor-removal');
    await press(page, 'Remove');
    await page.getByText('The second factor of lost-the-phone was removed.').waitFor();
    const of = async () =>
      (await site.client.all('/api/v3/credentials')).find(({ username }) => username === user.username);
    await until('the removal', async () => (await of()).hasSecondFactor === false);
  });
});
