import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import type { Page } from 'playwright-core';
import { projectFile } from '#libs/project-files';
import { describeInRun, isInRun } from '../support/part-of-run.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';

/** The console in the languages of its menu: on every page, at two widths, in both directions. */

jest.setTimeout(300_000);

const SECTIONS = [
  ...['policies', 'sla', 'loss', 'departments', 'locations', 'custom-fields', 'os-mapping', 'owner-rules'],
  ...['sessions', 'second-factor', 'credentials', 'users', 'identity-providers', 'api-tokens', 'webhooks'],
  ...['reports', 'notifications', 'roles', 'erasures', 'audit'],
];
const PAGES = [
  ...['/', '/findings', '/plans', '/assets', '/groups', '/groups?department=Sales', '/attack-matrix'],
  ...[
    '/findings?by=asset',
    '/uploads',
    '/notifications',
    '/notifications/preferences',
    '/integrations',
    '/nowhere',
  ],
  ...SECTIONS.map((section) => `/settings/${section}`),
];
/** Asset types and a technique of the demo, which are data. */
const DATA = ['User', 'Other', 'Database', 'Credentials'];
/** Below a burn-down. */
const TIMES = 'figure > div:last-child > *';
const PHONE = { width: 390, height: 844 };

/** Texts of a page: visible ones, names of controls, and examples in fields. Names that users gave are in other places. */
const TEXTS = `[
  ...Array.from(document.querySelectorAll('body *'), (element) => [...element.childNodes]
    .filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data.trim())).flat(),
  ...['aria-label', 'title', 'placeholder'].flatMap((name) =>
    Array.from(document.querySelectorAll('[' + name + ']'), (element) => element.getAttribute(name))),
]`;

describeInRun({ shares: 3, turn: 2, ...CONSOLE }, 'the languages of the console', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: true });
  });
  afterEach(() => site.endTest());
  afterAll(() => site?.stop());

  const send = async (method: string, path: string, body: object) =>
    (await site.client.request(method, `/api/v3/${path}`, JSON.stringify(body))).body;

  describe.each([
    { language: 'de', locale: 'de-AT', direction: 'ltr' },
    { language: 'ar', locale: 'ar-EG', direction: 'rtl' },
  ])('$language', ({ language, locale, direction }) => {
    let english: ReadonlySet<string>;
    beforeAll(async () => {
      english = await textsWithTranslation(language);
    });

    it.each(PAGES)('shows %s without English, within the width of the window', async (path) => {
      if (!isInRun(`${language} ${path}`, 2)) return;
      const name = `${language}-${path.slice(1).replaceAll(/\W+/g, '-') || 'overview'}`;
      const page = await site.open(path, { locale });
      expect(await rootOf(page)).toEqual([language, direction]);
      await site.look(page, name);
      expect((await textsOf(page)).filter((text) => english.has(text))).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await page.setViewportSize(PHONE);
      await site.look(page, `${name}-phone`);
      expect(await overflowOf(page)).toBe(0);
    });

    it('shows amounts of losses on a phone', async () => {
      const range = { currency: 'EUR', min: 50_000, max: 2_000_000 };
      const levels = ['critical', 'high', 'medium', 'low', 'info'];
      await send('PATCH', 'settings', { loss: levels.map((criticality) => ({ ...range, criticality })) });
      const page = await site.open('/', { locale, on: 'phone' });
      await page.getByRole('table').filter({ hasText: '€' }).waitFor();
      await site.look(page, `${language}-loss-phone`);
      expect(await overflowOf(page)).toBe(0);
    });

    it('writes the times below a burn-down in its direction', async () => {
      const { items } = await site.client.get('/api/v3/findings?limit=1&state=Failed');
      const { id } = await send('POST', 'plans', { name: `Plan ${language}`, add: [items[0].id] });
      const page = await site.open(`/plans/${id}`, { locale });
      await page.locator(TIMES).first().waitFor();
      expect(
        await page.evaluate(
          `Array.from(document.querySelectorAll('${TIMES}'), (time) => getComputedStyle(time).direction)`,
        ),
      ).toEqual([direction, direction]);
    });

    it('shows a finding and an asset', async () => {
      const { items } = await site.client.get('/api/v3/findings?limit=1&sort=-severity');
      for (const path of [`/findings/${items[0].id}`, `/assets/${items[0].assetId}`]) {
        const page = await site.open(path, { locale });
        await site.look(page, `${language}-${path.split('/')[1]}-details`);
        expect((await textsOf(page)).filter((text) => english.has(text))).toEqual([]);
        expect(await overflowOf(page)).toBe(0);
      }
    });
  });

  it('takes the first language of the browser that it knows, otherwise English', async () => {
    const page = await site.open('/nowhere', { locale: 'pt-BR' });
    expect(await rootOf(page)).toEqual(['en', 'ltr']);
    await page.getByText('No page exists at this address.').waitFor();
  });

  it('changes the language in place and keeps it, also for the sign-in', async () => {
    const page = await site.open('/findings?severity=critical');
    await page.getByRole('button', { name: 'Signed in as admin' }).click();
    await page.getByRole('menuitem', { name: 'العربية' }).click();
    await page.getByRole('heading', { level: 1, name: 'الاكتشافات' }).waitFor();
    expect(await rootOf(page)).toEqual(['ar', 'rtl']);
    expect(page.url()).toContain('severity=critical');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'الاكتشافات' }).waitFor();
    await site.look(page, 'arabic');
    await page.getByRole('button', { name: /admin/ }).click();
    await page.getByRole('menuitem', { name: 'تسجيل الخروج' }).click();
    await page.getByRole('button', { name: 'العربية' }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Anmelden' }).waitFor();
    expect(await rootOf(page)).toEqual(['de', 'ltr']);
  });

  it.each([
    { locale: 'de-CH', figure: /^\d+\.\d$/ },
    { locale: 'de-DE', figure: /^\d+,\d$/ },
    { locale: 'ar-EG', figure: /^\d+\.\d$/ },
  ])('writes numbers as in $locale', async ({ locale, figure }) => {
    const page = await site.open('/', { locale });
    const score = page.getByTestId('score');
    await score.waitFor();
    expect(await score.textContent()).toMatch(figure);
  });
});

const rootOf = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>('[document.documentElement.lang, document.documentElement.dir]');

const textsOf = (page: Page): Promise<string[]> => page.evaluate<string[]>(TEXTS);

/** Pixels by which the page is wider than the window. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** English texts without values that no text of the other language equals. */
async function textsWithTranslation(language: string): Promise<ReadonlySet<string>> {
  const config = getConfig({ configPath: fileURLToPath(projectFile('apps/console/lingui.config.mjs')) });
  const catalog = (await (await getCatalogs(config))[0]!.read(language))!;
  const texts = Object.values(catalog);
  const translated = new Set(texts.map(({ translation }) => translation));
  return new Set(
    texts
      .map(({ message }) => message!)
      .filter((message) => !/[{<]/.test(message) && !translated.has(message) && !DATA.includes(message)),
  );
}
