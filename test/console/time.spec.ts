import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { plainSignal, zipOf } from '../support/api-client.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';

const START_MS_MAX = 240_000;
const TEST_MS_MAX = 90_000;
const STEP_MS = 86_400_000 / 480;

describeInRun({ shares: 3, turn: 0, ...CONSOLE }, 'the console at a past time', () => {
  let site: ConsoleSite;
  let finding: { id: string; name: string; assetId: string; assetName: string; firstSeen: string };

  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: false });
    const { body } = await site.client.zip(await zipOf({ 'a.json': plainSignal('Open door', 'web01') }));
    await site.client.folded(body.uploadId);
    finding = (await site.client.get('/api/v3/findings')).items[0];
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 120_000);
  afterEach(() => site.endTest({ but: [/status of 404/] }));

  const banner = (page: Page) => page.getByText('All data is shown as of', { exact: false });
  const asOf = (page: Page) => new URL(page.url()).searchParams.get('asOf');
  const travel = (page: Page) => page.getByRole('button', { name: /^Time travel/ });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  it(
    'is selected by keys, kept during navigation, and ended by "Back to now"',
    async () => {
      const page = await site.open(`/findings/${finding.id}`);
      await heading(page, finding.name).waitFor();
      await page.getByRole('button', { name: 'Accept the risk' }).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();

      await travel(page).click();
      const slider = page.getByRole('slider', { name: 'Time' });
      await slider.focus();
      for (let key = 0; key < 3; key += 1) await page.keyboard.press('ArrowLeft');
      await page.waitForURL(/asOf=/);
      await heading(page, 'Finding not found at this time').waitFor();
      const back = Date.now() - Date.parse(asOf(page)!);
      expect(back).toBeGreaterThan(2.9 * STEP_MS);
      expect(back).toBeLessThan(3 * STEP_MS + 60_000);
      // The slider continues at its position.
      const left = asOf(page);
      await page.keyboard.press('ArrowRight');
      await page.waitForURL((url) => url.searchParams.get('asOf') !== left);
      await banner(page).waitFor();
      await heading(page, 'Finding not found at this time').waitFor();
      await site.look(page, 'time-travel');
      await page.keyboard.press('Escape');
      expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
      await site.look(page, 'finding-before-its-birth');

      const instant = asOf(page);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Uploads' }).click();
      await heading(page, 'Uploads').waitFor();
      expect(asOf(page)).toBe(instant);
      await banner(page).waitFor();
      await page.goBack();
      await heading(page, 'Finding not found at this time').waitFor();
      await page.getByRole('button', { name: 'Back to now' }).click();
      await heading(page, finding.name).waitFor();
      expect(asOf(page)).toBeNull();
      await banner(page).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Accept the risk' }).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
    },
    TEST_MS_MAX,
  );

  it(
    'shows an exact time, keeps page and filters, and hides actions',
    async () => {
      const page = await site.open(`/assets/${finding.assetId}?state=Failed`);
      await heading(page, finding.assetName).waitFor();
      await travel(page).click();
      const entry = page.getByLabel('Exact time');
      await entry.fill('2100-01-01T00:00:00');
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByText('The time must be in the past.').waitFor();
      await entry.fill('2020-05-31T12:30:15');
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await heading(page, 'Asset not found at this time').waitFor();
      expect(asOf(page)).toBe('2020-05-31T12:30:15.000Z');
      expect(new URL(page.url()).searchParams.get('state')).toBe('Failed');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Show current state' }).click();
      await heading(page, finding.assetName).waitFor();
      expect(new URL(page.url()).search).toBe('?state=Failed');
    },
    TEST_MS_MAX,
  );

  it(
    'shows later changes after the return to now',
    async () => {
      const sent = async (complianceStatus: string) => {
        const securityContext = { type: 'va', status: { complianceStatus }, severity: { value: 5 } };
        const signal = plainSignal('Open window', 'web01', { securityContext });
        const { body } = await site.client.zip(await zipOf({ 'b.json': signal }));
        await site.client.folded(body.uploadId);
      };
      await sent('fail');
      const [window] = (await site.client.get('/api/v3/findings?q=Open%20window')).items;
      const page = await site.open(`/findings/${window.id}`);
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByText('Failed', { exact: true }).first().waitFor();
      await travel(page).click();
      await page.getByLabel('Exact time').fill('2020-05-31T12:30:15');
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await heading(page, 'Finding not found at this time').waitFor();
      await sent('pass');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Show current state' }).click();
      await page.getByText('Qualified', { exact: true }).first().waitFor();
    },
    TEST_MS_MAX,
  );

  it(
    'shows past data without actions',
    async () => {
      const [created] = await site.client.all(`/api/v3/findings/${finding.id}/history`);
      const page = await site.open(`/findings/${finding.id}?asOf=${created.at}`);
      await heading(page, finding.name).waitFor();
      await banner(page).waitFor();
      expect(await page.getByRole('button', { name: 'Accept the risk' }).count()).toBe(0);
      await page.getByRole('link', { name: finding.assetName }).first().click();
      await heading(page, finding.assetName).waitFor();
      expect(asOf(page)).toBe(created.at);
      await page
        .getByRole('region', { name: 'Findings' })
        .getByRole('link', { name: finding.name })
        .waitFor();
      await site.look(page, 'asset-then');
    },
    TEST_MS_MAX,
  );

  it.each([
    ['malformed', 'yesterday-ish', 'is invalid'],
    ['in the future', '2100-01-01T00:00:00Z', 'is in the future'],
  ])(
    'shows the current state and a note if the time in the address is %s',
    async (_, given, words) => {
      const page = await site.open(`/findings/${finding.id}?asOf=${given}`);
      await heading(page, finding.name).waitFor();
      await page.getByText(words, { exact: false }).waitFor();
      await page.getByRole('button', { name: 'Accept the risk' }).waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.getByText(words, { exact: false }).waitFor({ state: 'detached' });
      expect(asOf(page)).toBeNull();
    },
    TEST_MS_MAX,
  );

  it(
    'can be selected on a phone',
    async () => {
      const page = await site.open('/uploads', { on: 'phone', colorScheme: 'dark' });
      await travel(page).click();
      await page.getByText('Week', { exact: true }).click();
      await page.getByRole('slider', { name: 'Time' }).press('Home');
      await banner(page).waitFor();
      expect(Date.now() - Date.parse(asOf(page)!)).toBeGreaterThan(6.9 * 86_400_000);
      await page.getByRole('img', { name: /^Organization score since a week ago/ }).waitFor();
      await site.look(page, 'time-travel-phone');
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      await page.getByRole('dialog').getByRole('button', { name: 'Back to now' }).click();
      await banner(page).waitFor({ state: 'detached' });
    },
    TEST_MS_MAX,
  );
});
