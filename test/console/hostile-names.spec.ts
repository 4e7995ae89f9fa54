import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { plainSignal } from '../support/api-client.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';

const START_MS_MAX = 240_000;
const TEST_MS_MAX = 240_000;
/** The menu collapses some time after the window becomes narrow. */
const RESIZED_MS_MAX = 20_000;
const FITS = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
const WIDTHS = [390, 1024, 1440] as const;

const INSTANCE = 'ec2-203-0-113-25.eu-central-1.compute.amazonaws.internal.corporate.example.com';
const ARN =
  'arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/customer-portal-production/50dc6c495c0c9188';
const DIGEST = `registry.example.com/team/payments@sha256:${'9b2f6c1e'.repeat(8)}`;
const EMAIL = 'maximiliana.featherstonehaugh-cholmondeley.contractor@example.com';
const JAVA_CLASS = 'com.fasterxml.jackson.databind.jsontype.impl.LaissezFaireSubTypeValidatorDeserial';
/** Looks like a picture if direction controls are applied. */
const TURNED = 'invoice\u202egnp.exe';

const hostile = (name: string, host: string) => {
  const { securityContext, ...signal } = plainSignal(name, host);
  return {
    ...signal,
    description: `${ARN} ${DIGEST}`,
    source: { name: JAVA_CLASS.slice(0, 60) },
    securityContext: {
      ...securityContext,
      evidence: { observationText: `${DIGEST} ${ARN}` },
      remediation: { description: ARN, reference: `https://example.com/${'a'.repeat(120)}` },
    },
  };
};

describeInRun({ shares: 3, turn: 2, ...CONSOLE }, 'long and misleading names', () => {
  let site: ConsoleSite;
  let finding: any;
  let uploadId: string;

  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: false });
    const signals = [
      [ARN, INSTANCE],
      [DIGEST, EMAIL],
      [JAVA_CLASS, ARN],
      [EMAIL, DIGEST],
      [TURNED, `host\u202emoc.elpmaxe`],
      ...Array.from({ length: 40 }, (_, i) => [`Finding ${i}`, 'plain-host'] as const),
    ] as const;
    for (const [name, host] of signals) {
      const { status, body } = await site.client.signal(hostile(name, host));
      expect([name, status]).toEqual([name, 200]);
      uploadId = body.uploadId;
    }
    await site.client.folded(uploadId);
    await until('all is scored', async () => {
      const { assets, scoredAssets } = await site.client.get('/api/v3/scores/organization');
      return assets === 6 && scoredAssets === 6;
    });
    [finding] = await site.client.all('/api/v3/findings?name=arn%3Aaws');
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 120_000);
  afterEach(() => site.endTest({ but: [/status of (404|429|502)/, /ERR_FAILED/, /dynamically imported/] }));

  const idsOf = async (path: string) => (await site.client.all(path)).map(({ id }) => id as string);
  const rests = (page: Page) =>
    until(
      'the page is loaded',
      async () => (await page.locator('[role=status][aria-label=Loading]').count()) === 0,
    );

  /** The innermost elements that exceed a width, outside of scrollable areas. */
  const widest = (page: Page, width: number) =>
    page.evaluate(`[...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > ${width} && !element.closest('[data-wide]'))
      .map((element) => element.tagName + '.' + element.getAttribute('class') + ' ' + element.textContent.slice(0, 40))
      .slice(-3)`);

  it(
    'do not widen any page at any width',
    async () => {
      const [{ type }] = await site.client.all('/api/v3/assets');
      const pages = [
        '/',
        '/findings?state=any',
        '/assets',
        '/groups?by=type',
        `/groups?type=${encodeURIComponent(type)}`,
        '/uploads',
        `/uploads/${uploadId}`,
        '/settings/audit',
        ...(await idsOf('/api/v3/findings?severityMin=7')).slice(0, 5).map((id) => `/findings/${id}`),
        ...(await idsOf('/api/v3/assets')).map((id) => `/assets/${id}`),
      ];
      const page = await site.open('/');
      const tooWide: unknown[] = [];
      for (const path of pages) {
        await page.goto(`${site.url}/app${path}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await rests(page);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const fits = until('the page fits', () => page.evaluate<boolean>(FITS), RESIZED_MS_MAX);
          await fits.catch(async () => tooWide.push({ path, width, by: await widest(page, width) }));
        }
      }
      expect(tooWide).toEqual([]);
      await page.goto(`${site.url}/app/findings/${finding.id}`);
      await page.getByRole('heading', { level: 1, name: ARN }).waitFor();
      for (const [width, scheme] of [
        [390, 'light'],
        [1440, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        await site.look(page, `long-names-${width}-${scheme}`);
      }
    },
    TEST_MS_MAX,
  );

  it('show direction controls instead of applying them', async () => {
    const page = await site.open('/findings?state=any&q=invoice');
    await page.getByRole('link', { name: 'invoice⟨U+202E⟩gnp.exe' }).click();
    await page.getByRole('heading', { level: 1, name: 'invoice⟨U+202E⟩gnp.exe' }).waitFor();
    await rests(page);
    expect(await page.evaluate('document.body.innerText')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    const link = page.getByRole('link', { name: /^host/ }).first();
    expect(
      await link.evaluate(
        (element) => element.ownerDocument.defaultView.getComputedStyle(element).unicodeBidi,
      ),
    ).toBe('isolate');
  });

  it('show direction controls in notifications too', async () => {
    const post = (path: string, body: object) => site.client.request('POST', path, JSON.stringify(body));
    const { body: reader } = await post('/api/v3/credentials', {
      username: 'reader-of-names',
      role: 'viewer',
    });
    const [turned] = await site.client.all('/api/v3/findings?name=invoice');
    const text = 'see, @reader-of-names';
    expect((await post(`/api/v3/findings/${turned.id}/comments`, { text })).status).toBe(200);
    const as = { username: 'reader-of-names', password: reader.password };
    const page = await site.open('/notifications', { as });
    await page.getByRole('link', { name: 'invoice⟨U+202E⟩gnp.exe' }).waitFor();
    expect(await page.evaluate('document.body.innerText')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it(
    'every dialog restores the focus, and a change of a field clears its error',
    async () => {
      const page = await site.open(`/findings/${finding.id}`);
      const focused = () =>
        page.evaluate(
          `document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText`,
        );
      const opens = async (name: string | RegExp, title: string, path?: string) => {
        if (path) await page.goto(`${site.url}/app${path}`);
        const button = page
          .getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
          .first();
        await button.focus();
        const opener = await focused();
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog', { name: title });
        await dialog.waitFor();
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        expect([title, await focused()]).toEqual([title, opener]);
      };
      await opens('Accept the risk', 'Accept the risk');
      await page.getByRole('button', { name: 'Accept the risk' }).click();
      const accept = page.getByRole('dialog', { name: 'Accept the risk' });
      await accept.getByRole('button', { name: 'Accept' }).click();
      await accept.getByText('Enter a rationale.').waitFor();
      await accept.getByLabel('Rationale').fill('b');
      await accept.getByText('Enter a rationale.').waitFor({ state: 'detached' });
      await accept.getByLabel('Until').fill('2099-12-31T23:59');
      await accept.getByRole('button', { name: 'Accept' }).click();
      await opens('Revert', 'Revert the acceptance');
      const history = page.getByRole('list', { name: 'History' });
      await history.getByText('31 Dec 2099', { exact: false }).waitFor();
      expect(await history.innerText()).not.toMatch(/\d{4}-\d\d-\d\dT/);

      await page.goto(`${site.url}/app/findings?state=any`);
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await opens('Accept …', 'Accept findings');
      await opens('Revert …', 'Revert findings');
      await opens('Add a credential', 'Add a credential', '/settings/credentials');
      await opens(/^Rotate the password of/, 'Rotate the password of admin?');
      await opens(/^Delete /, 'Delete admin?');
      await page.getByRole('button', { name: 'Add a credential' }).click();
      await page.getByRole('textbox', { name: 'User name' }).fill('reader');
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('button', { name: 'I saved the password' }).click();
      // The dialog for the name opened the dialog for the password.
      await until('the focus is on the first opener', async () => (await focused()) === 'Add a credential');
      await opens('Add a department', 'Add a department', '/settings/departments');
      await opens('Add a location', 'Add a location', '/settings/locations');
      await opens(/^Add a (custom )?field/, 'Add a custom field', '/settings/custom-fields');
      await opens('Add a row', 'Add a row', '/settings/os-mapping');
      await opens('Add a rule', 'Add a rule', '/settings/owner-rules');
    },
    TEST_MS_MAX,
  );

  it('a page that failed to load loads when it is opened again', async () => {
    const page = await site.open('/uploads');
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
    await page.route('**/files/assets.page-*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Assets' }).click();
    await page.getByText('The page failed to load').waitFor();
    expect(await page.locator('main main').count()).toBe(0);
    await page.unroute('**/files/assets.page-*.js');
    await page.getByRole('link', { name: 'Uploads' }).click();
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
    await page.getByRole('link', { name: 'Assets' }).click();
    await page.getByRole('heading', { level: 1, name: 'Assets' }).waitFor();
  });

  it('a page that failed to load while the service does not respond loads when it does', async () => {
    const page = await site.open('/uploads');
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
    const missing = /\/files\/assets\.page-.*\.js$|\/app\/$/;
    await page.route(missing, (route) => route.abort());
    await page.getByRole('link', { name: 'Assets' }).click();
    await page.getByText('The service is not responding.').waitFor();
    expect(await page.getByText('updated').count()).toBe(0);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.unroute(missing);
    await page.getByRole('heading', { level: 1, name: 'Assets' }).waitFor();
    site.expectNoComplaint({ but: [/ERR_FAILED/, /assets\.page/] });
  });

  it.each([
    ['text/html', '<html><body><h1>502 Bad Gateway</h1></body></html>'],
    ['text/plain', ''],
    ['application/json', '{"message":""}'],
  ])('an error of a proxy has a message: %s %s', async (contentType, body) => {
    const page = await site.open('/uploads');
    await page.route('**/api/v3/findings?*', (route) => route.fulfill({ status: 502, contentType, body }));
    await page.getByRole('link', { name: 'Findings' }).click();
    await page.getByText('returned status 502 without an error message', { exact: false }).waitFor();
  });

  it('a refusal of a proxy without a time to wait has a message', async () => {
    const page = await site.open('/uploads');
    const answer = { status: 429, contentType: 'text/html', body: '<h1>429 Too Many Requests</h1>' };
    await page.route('**/api/v3/findings?*', (route) => route.fulfill(answer));
    await page.getByRole('link', { name: 'Findings' }).click();
    await page.getByText('The service is busy. Try again later.', { exact: true }).waitFor();
  });

  it('the time of the first score is independent of the browser clock', async () => {
    const page = await site.open('/uploads');
    // Three hours fast, so that its last point is in the past of the service.
    await page.clock.install({ time: Date.now() + 3 * 3_600_000 });
    await page.getByRole('link', { name: 'Overview' }).click();
    const { at } = await site.client.get('/api/v3/scores/organization');
    const format = new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'medium',
      timeZone: 'UTC',
    });
    await page
      .getByText(
        new RegExp(`^The first score was calculated between .* and ${format.format(Date.parse(at))}`),
      )
      .waitFor();
  });

  describe('a long list', () => {
    it('has sticky headers, and prints without interactive elements', async () => {
      const page = await site.open('/findings?state=any', { colorScheme: 'dark' });
      await page.setViewportSize({ width: 1440, height: 600 });
      const header = page.getByRole('columnheader', { name: 'Severity' });
      await header.waitFor();
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
      await until('the header is below the header of the page', async () => {
        const box = await header.boundingBox();
        return box !== null && box.y >= 50 && box.y < 120;
      });
      await page.evaluate('window.scrollTo(0, 0)');
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
      expect(await page.getByRole('combobox', { name: 'Search and filter' }).isVisible()).toBe(false);
      expect(await page.getByText('Finding 1', { exact: true }).isVisible()).toBe(true);
      const cell = page.getByRole('cell').filter({ hasText: 'plain-host' }).first();
      expect(
        await cell.evaluate((element) => element.ownerDocument.defaultView.getComputedStyle(element).color),
      ).toBe('rgb(0, 0, 0)');
      await site.look(page, 'findings-print');
    });
  });
});
