import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { plainSignal, zipOf } from '../support/api-client.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';

const START_MS_MAX = 240_000;
const TEST_MS_MAX = 120_000;
const DAY_MS = 86_400_000;

/** Seven or eight hours behind UTC, five and a half ahead, and fourteen ahead. */
const ZONES = ['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Kiritimati'];

/** As the console writes it for a British reader. */
const written = (iso: string, timeZone: string, options: Intl.DateTimeFormatOptions = {}) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long', ...options, timeZone }).format(
    new Date(iso),
  );
/** `2026-01-31`, of an instant in a zone. */
const dayIn = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at);

describeInRun({ shares: 3, turn: 1, ...CONSOLE }, 'the console in time zones', () => {
  let site: ConsoleSite;
  let finding: { id: string; name: string; assetId: string };

  async function send(method: string, path: string, body: object) {
    const { status, body: answer } = await site.client.request(method, path, JSON.stringify(body));
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${answer.message}`);
    return answer;
  }
  const findingNow = () => site.client.get(`/api/v3/findings/${finding.id}`);

  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: false });
    const { body } = await site.client.zip(await zipOf({ 'a.json': plainSignal('Open door', 'web01') }));
    await site.client.folded(body.uploadId);
    [finding] = (await site.client.get('/api/v3/findings')).items;
    await until('a score', async () => (await site.client.get('/api/v3/scores/organization')).at !== null);
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 120_000);
  afterEach(() => site.endTest());

  const asOf = (page: Page) => new URL(page.url()).searchParams.get('asOf');
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  /** Opens the time travel and enters an exact time; null: the time that is shown. */
  async function travel(page: Page, local: string | null) {
    await page.getByRole('button', { name: /^Time travel/ }).click();
    const entry = page.getByLabel('Exact time');
    const before = await entry.inputValue();
    if (local !== null) await entry.fill(local);
    await press(page, 'Show');
    return before;
  }

  it.each([
    ['America/Los_Angeles', '2026-01-15T12:30:15', '2026-01-15T20:30:15.000Z', 'GMT-8'],
    ['America/Los_Angeles', '2026-07-15T12:30:15', '2026-07-15T19:30:15.000Z', 'GMT-7'],
    // The clock skips from 2:00 to 3:00, and repeats 1:00 to 2:00.
    ['America/Los_Angeles', '2026-03-08T02:30:00', '2026-03-08T10:30:00.000Z', '03:30:00 GMT-7'],
    ['America/Los_Angeles', '2025-11-02T01:30:00', '2025-11-02T08:30:00.000Z', '01:30:00 GMT-7'],
    ['Asia/Kolkata', '2026-01-15T12:30:15', '2026-01-15T07:00:15.000Z', 'GMT+5:30'],
    ['Pacific/Kiritimati', '2026-01-15T12:30:15', '2026-01-14T22:30:15.000Z', '15 Jan 2026, 12:30:15 GMT+14'],
  ])(
    'takes an exact time as one in %s: %s is %s, and says the zone',
    async (timeZone, local, instant, words) => {
      const page = await site.open('/findings', { timeZone });
      await travel(page, local);
      await until('the time is shown', () => asOf(page) === instant);
      const banner = page.getByRole('status').filter({ hasText: 'All data is shown as of' });
      await banner.getByText(written(instant, timeZone)).waitFor();
      expect(await banner.textContent()).toContain(words);
      await page.getByText(/^In your time zone, \w+\/\w+\.$/).waitFor();
    },
    TEST_MS_MAX,
  );

  it(
    'keeps the second of two equal times, unless it is changed',
    async () => {
      const second = '2025-11-02T09:30:00.000Z';
      const page = await site.open(`/findings?asOf=${second}`, { timeZone: 'America/Los_Angeles' });
      await page.getByText('2 Nov 2025, 01:30:00 GMT-8').first().waitFor();
      expect(await travel(page, null)).toMatch(/^2025-11-02T01:30(:00)?$/);
      await page.getByText('2 Nov 2025, 01:30:00 GMT-8').first().waitFor();
      expect(asOf(page)).toBe(second);

      const audit = await site.open(`/settings/audit?from=${second}`, { timeZone: 'America/Los_Angeles' });
      expect(await audit.getByLabel('From').inputValue()).toBe('2025-11-02T01:30');
      expect(await audit.getByText('In your time zone, America/Los_Angeles.').count()).toBe(2);
      await audit.getByLabel('User').fill('nobody');
      await press(audit, 'Filter');
      await audit.waitForURL(/user=nobody/);
      expect(new URL(audit.url()).searchParams.get('from')).toBe(second);
    },
    TEST_MS_MAX,
  );

  it.each(ZONES)(
    'shows and takes due dates as days in UTC, and ends of acceptances as local times, in %s',
    async (timeZone) => {
      await send('POST', `/api/v3/findings/${finding.id}/due`, { due: '2100-01-31' });
      const { due } = await findingNow();
      expect(due).toBe('2100-01-31T23:59:59.999Z');
      const page = await site.open(`/findings/${finding.id}`, { timeZone });
      const triage = page.getByRole('region', { name: 'Triage' });
      await triage.getByTitle('31 Jan 2100, UTC').first().waitFor();
      await press(page, 'Change: Due');
      const dialog = page.getByRole('dialog', { name: 'Set the due date' });
      await dialog.getByText('The end of this day in UTC.', { exact: false }).waitFor();
      expect(await dialog.getByLabel('Due date').inputValue()).toBe('2100-01-31');
      await dialog.getByLabel('Due date').fill('2100-02-01');
      await dialog.getByRole('button', { name: 'Save' }).click();
      // An acceptance of the version before it would be in conflict.
      await triage.getByTitle('1 Feb 2100, UTC').first().waitFor();
      const history = page.getByRole('list', { name: 'History' });
      await history.getByText('1 Feb 2100, UTC', { exact: false }).first().waitFor();
      // Of a past time, it is a date: no other one says how long ago.
      const past = await site.open(`/findings/${finding.id}?asOf=${new Date().toISOString()}`, { timeZone });
      const pastTriage = past.getByRole('region', { name: 'Triage' });
      await pastTriage.getByText('1 Feb 2100', { exact: true }).waitFor();

      await page.getByRole('button', { name: 'Accept the risk' }).click();
      const acceptance = page.getByRole('dialog', { name: /accept/i });
      await acceptance.getByText(/^In your time zone, \w+\/\w+\./).waitFor();
      await acceptance.getByLabel('Rationale').fill('compensated');
      await acceptance.getByLabel('Until').fill('2100-01-15T12:30');
      await acceptance.getByRole('button', { name: 'Accept', exact: true }).click();
      await until('the acceptance', async () => (await findingNow()).state === 'AcceptedFailed');
      const { accepted } = await findingNow();
      expect(written(accepted.until, timeZone)).toContain('15 Jan 2100, 12:30:00');
      await send('POST', `/api/v3/findings/${finding.id}/revert`, { to: 'Failed' });
    },
    TEST_MS_MAX,
  );

  it.each(ZONES)(
    'filters by local days, and draws the instants of the API, in %s',
    async (timeZone) => {
      const page = await site.open('/findings', { timeZone });
      await page.getByRole('button', { name: /^First seen/ }).click();
      await page.getByText('Since yesterday').click();
      await page.waitForURL(/firstSeenAfter=/);
      const after = new URL(page.url()).searchParams.get('firstSeenAfter')!;
      expect(written(after, timeZone)).toContain('00:00:00');
      expect(dayIn(Date.parse(after), timeZone)).toBe(dayIn(Date.now() - DAY_MS, timeZone));
      await page
        .getByRole('list', { name: 'Active filters' })
        .getByText(written(after, timeZone), { exact: false })
        .waitFor();

      const overview = await site.open('/', { timeZone, on: 'phone' });
      const table = overview.getByRole('table', { name: /^Risk score and breach likelihood/ });
      await table.getByRole('rowheader').first().waitFor();
      const answer = overview.waitForResponse((response) =>
        response.url().includes('/api/v3/scores/organization/history?'),
      );
      await overview.reload();
      const { items }: { items: { at: string }[] } = await (await answer).json();
      // The last point is the present.
      const seconds = Array.from({ length: 120 }, (_, i) => new Date(Date.now() - i * 1_000).toISOString());
      const times = [...items.map(({ at }) => at), ...seconds].map((at) => written(at, timeZone));
      await table.getByRole('rowheader').first().waitFor();
      const shown = await table.getByRole('rowheader').allTextContents();
      expect(shown.length).toBeGreaterThan(0);
      expect(shown.filter((time) => !times.includes(time))).toEqual([]);
      expect(
        await overview.evaluate(
          'document.documentElement.scrollWidth <= document.documentElement.clientWidth',
        ),
      ).toBe(true);
    },
    TEST_MS_MAX,
  );

  it.each(ZONES)(
    'offers its zone for quiet hours and schedules, whose times are those of the service, in %s',
    async (timeZone) => {
      const preferences = '/api/v3/notifications/preferences';
      await send('PATCH', '/api/v3/notification-settings', { slackHosts: ['hooks.slack.com'] });
      await send('PATCH', preferences, { channel: null, timeZone: 'UTC', quiet: null });
      const page = await site.open('/notifications/preferences', { timeZone });
      const zone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
      await page.getByLabel('Channel').selectOption('Slack');
      await page.getByLabel(/address/i).fill('https://hooks.slack.com/services/T0/B0/x');
      expect(await page.getByLabel('Time zone').inputValue()).toBe(zone);
      await page.getByLabel('Quiet hours').check();
      await press(page, 'Save');
      const quiet = { from: '19:00', to: '07:00' };
      await until('the quiet hours', async () => (await site.client.get(preferences)).quiet !== null);
      expect(await site.client.get(preferences)).toMatchObject({ timeZone: zone, quiet });

      const schedules = await site.open('/settings/reports', { timeZone });
      const preview = schedules.waitForResponse((response) =>
        response.url().endsWith('/api/v3/report-schedules/preview'),
      );
      await schedules
        .getByRole('button', { name: /^New schedule|^Add|^Create/ })
        .first()
        .click();
      const form = schedules.getByRole('dialog').or(schedules.locator('form')).first();
      await form.getByLabel('Time zone').waitFor();
      expect(await form.getByLabel('Time zone').inputValue()).toBe(zone);
      const { times }: { times: string[] } = await (await preview).json();
      const words = (at: string, inZone: string) =>
        written(at, inZone, { dateStyle: 'full', timeStyle: 'short' });
      const next = schedules.getByRole('region', { name: 'Next times' });
      await next.getByText(words(times[0]!, timeZone)).waitFor();
      expect(await next.getByRole('listitem').allTextContents()).toEqual(
        times.map((at) => words(at, timeZone)),
      );
      // Each of them is at eight there, also on the other side of a change of the clock.
      for (const at of times) expect(words(at, timeZone)).toMatch(/08:00$/);
    },
    TEST_MS_MAX,
  );

  it(
    'fits a phone, with the longest name of a zone',
    async () => {
      const past = new Date(Date.now() - 3 * DAY_MS).toISOString();
      const page = await site.open(`/?asOf=${past}`, { timeZone: 'Asia/Kolkata', on: 'phone' });
      await page
        .getByText(/GMT\+5:30/)
        .first()
        .waitFor();
      expect(
        await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
      ).toBe(true);
      await site.look(page, 'time-zone-phone');
    },
    TEST_MS_MAX,
  );
});
