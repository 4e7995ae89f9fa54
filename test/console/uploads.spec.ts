import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { fixtureNamed } from '../fixtures/convert/reports.ts';
import { plainSignal, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { Gate } from '../support/gate.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';
import { holdFold } from './held-fold.ts';

const START_MS_MAX = 240_000;
const TEST_MS_MAX = 180_000;
const MEGABYTE = 1_048_576;
/** Browser messages about error responses that the tests cause. */
const EXPECTED_ERRORS = [/status of (400|404|429|503)/, /ERR_CONNECTION_RESET|ERR_FAILED/];
/** Enough hosts for every partition of the log. */
const HOSTS_OF_ALL_PARTITIONS = 40;

describeInRun({ shares: 3, turn: 2, ...CONSOLE }, 'uploads', () => {
  let site: ConsoleSite;
  let database: TestDatabase;
  /** Proxy between the service and its database. */
  let gate: Gate;
  beforeAll(async () => {
    database = await testDatabase();
    gate = await Gate.before(database.url);
    await gate.open();
    site = await ConsoleSite.start({ demo: false, env: { DATABASE_URL: gate.url } });
  }, START_MS_MAX);
  afterAll(async () => {
    await site?.stop();
    await gate?.shut();
    await database?.drop();
  }, 60_000);
  afterEach(() => site.endTest({ but: EXPECTED_ERRORS }));

  const uploadsCount = async () => (await site.client.all('/api/v3/uploads')).length;
  const findings = async (asset: string) =>
    (await site.client.all('/api/v3/findings')).filter(({ assetName }) => assetName === asset);

  it(
    'shows an empty list and the drop area',
    async () => {
      const page = await site.open('/uploads');
      await page.getByText('No uploads yet').waitFor();
      await site.look(page, 'uploads-empty');
      const phone = await site.open('/uploads', { on: 'phone', colorScheme: 'dark' });
      await phone.getByText('No uploads yet').waitFor();
      await site.look(phone, 'uploads-empty-phone-dark');
    },
    TEST_MS_MAX,
  );

  it(
    'previews a ZIP without storing it, uploads it and shows its progress',
    async () => {
      const zip = await zipOf(goodEntries());
      const page = await site.open('/uploads');
      const asked = page.waitForResponse(/signals\/zip\?dryRun=true/);
      await choose(page, { name: 'scan-monday.zip', buffer: zip });
      const card = page.getByRole('article', { name: 'scan-monday.zip' });
      await card.getByText('nothing is stored yet').waitFor();
      const { body: previewed } = await site.client.zip(zip, {}, '?dryRun=true');
      expect(await (await asked).json()).toEqual(previewed);
      expect(await countsOf(page)).toEqual(countsIn(previewed.outcome));
      await card.getByRole('cell', { name: 'Outdated OpenSSL' }).first().waitFor();
      await card.getByText('colour', { exact: true }).waitFor();
      expect(await uploadsCount()).toBe(0);
      await site.look(page, 'uploads-preview');

      await card.getByText('Ignored 1', { exact: true }).click();
      await card.getByText('Expired', { exact: true }).waitFor();
      expect(await card.getByRole('row').count()).toBe(2);
      await card.getByText('All 4', { exact: true }).click();
      await card.getByLabel('Search in the preview').fill('WEB02');
      await card.getByRole('cell', { name: 'web02.example' }).first().waitFor();
      expect(await card.getByRole('cell', { name: 'web01.example' }).count()).toBe(0);

      await card.getByRole('button', { name: 'Upload', exact: true }).click();
      await card.getByText('Upload complete: 5 signals.').waitFor();
      expect(await findings('web01.example')).toHaveLength(2);
      const [upload] = await site.client.all('/api/v3/uploads');
      expect(upload).toMatchObject({ done: true, outcome: previewed.outcome });
      expect(await countsOf(page)).toEqual(countsIn(upload.outcome));
      await page
        .getByRole('table')
        .last()
        .getByText('3 created, 2 new assets, 1 asset changed, 1 ignored, 1 unchanged')
        .waitFor();
      await site.look(page, 'uploads-done');

      await card.getByRole('button', { name: 'Show outcome' }).click();
      await page.getByRole('heading', { level: 1, name: /^ZIP of/ }).waitFor();
      await page.getByText('The expiry date is in the past', { exact: false }).waitFor();
      await page.getByText('colour', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Settings' }).first().waitFor();
      const joined = page.getByRole('link', { name: 'web01.other.example' });
      expect(await joined.getAttribute('href')).toBe(`/app/assets/${upload.merged[0].assetId}`);
      await page.reload();
      await page.getByRole('heading', { level: 1, name: /^ZIP of/ }).waitFor();
      await site.look(page, 'upload-page');
    },
    TEST_MS_MAX,
  );

  it(
    'shows the findings that a full assessment would retire, before anything is stored',
    async () => {
      const page = await site.open('/uploads', { colorScheme: 'dark' });
      const zip = await zipOf({
        'config.json': { fullAssessmentForTypes: ['va'] },
        '1.json': plainSignal('Outdated OpenSSL', 'web01.example'),
      });
      await choose(page, { name: 'replacing.zip', buffer: zip });
      const card = page.getByRole('article', { name: 'replacing.zip' });
      await card.getByText('1 finding would be retired').waitFor();
      await card
        .getByRole('row', { name: /Retired Weak SSH ciphers web01.example.*Not in this upload/ })
        .waitFor();
      expect((await findings('web01.example')).map(({ name }) => name)).toContain('Weak SSH ciphers');
      await site.look(page, 'uploads-replacing-dark');
      const phone = await site.open('/uploads', { on: 'phone' });
      await choose(phone, { name: 'replacing.zip', buffer: zip });
      await phone.getByText('1 finding would be retired').waitFor();
      await site.look(phone, 'uploads-replacing-phone');

      await card.getByRole('button', { name: 'Upload and retire 1 finding' }).click();
      await card.getByText('Upload complete', { exact: false }).waitFor();
      expect((await findings('web01.example')).map(({ name }) => name)).toEqual(['Outdated OpenSSL']);
    },
    TEST_MS_MAX,
  );

  it(
    'shows what an upload changed, with links to what it retired',
    async () => {
      const host = 'arn:aws:ec2:eu-central-1:123456789012:instance/i-0123456789abcdef0';
      const sent = async (entries: Record<string, unknown>) => {
        const { body } = await site.client.zip(await zipOf(entries));
        await site.client.folded(body.uploadId);
        return body.uploadId as string;
      };
      const stays = plainSignal('Weak SSH ciphers', host);
      const first = await sent({ '1.json': plainSignal('Log4Shell', host), '2.json': stays });
      const replacing = await sent({
        'config.json': { fullAssessmentForTypes: ['va'] },
        '2.json': stays,
        '3.json': plainSignal('Default password', host),
      });
      const retired = (await site.client.all('/api/v3/findings?state=Retired')).find(
        ({ name, assetName }) => name === 'Log4Shell' && assetName === host,
      );

      const page = await site.open(`/uploads/${replacing}`);
      const changes = page.getByRole('region', { name: 'What this upload changed' });
      await changes.getByRole('row', { name: /Default password.*Created.*Failed/ }).waitFor();
      await changes.getByRole('row', { name: /Log4Shell.*Retired.*Not in this upload/ }).waitFor();
      expect(await changes.getByRole('row').count()).toBe(3);
      for (const on of ['phone', 'tablet', 'wide'] as const) {
        for (const colorScheme of ['light', 'dark'] as const) {
          const other = await site.open(`/uploads/${replacing}`, { on, colorScheme });
          await other.getByRole('link', { name: 'Log4Shell' }).waitFor();
          await site.look(other, `upload-changes-${on}-${colorScheme}`);
        }
      }
      await site.look(page, 'upload-changes');

      await changes.getByRole('radio', { name: 'All 2' }).focus();
      await page.keyboard.press('ArrowRight');
      await until('only the retired finding', async () => (await changes.getByRole('row').count()) === 2);
      expect(await changes.getByRole('radio', { name: 'Retired 1' }).isChecked()).toBe(true);
      expect(new URL(page.url()).searchParams.get('changes')).toBe('retired');
      await page.reload();
      await changes.getByRole('link', { name: 'Log4Shell' }).press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Log4Shell' }).waitFor();
      expect(page.url()).toContain(`/app/findings/${retired.id}`);

      const listed = await site.open(`/uploads/${replacing}`);
      await listed.getByRole('link', { name: 'List the changed findings' }).press('Enter');
      const filters = listed.getByRole('list', { name: 'Active filters' });
      await filters.getByText(/^Upload: ZIP of /).waitFor();
      await listed.getByRole('row', { name: /Default password/ }).waitFor();
      await listed.getByRole('row', { name: /Log4Shell.*Retired/ }).waitFor();
      expect(await listed.getByRole('table').getByRole('row').count()).toBe(3);
      await site.look(listed, 'findings-of-an-upload');

      const again = await sent({ '1.json': stays });
      const unchanged = await site.open(`/uploads/${again}`);
      await unchanged.getByText('The upload changed no finding and no asset', { exact: false }).waitFor();

      await database.pool.query('update upload_progress set changes = null where upload_id = $1', [first]);
      const unknown = await site.open(`/uploads/${first}`, { on: 'phone' });
      await unknown.getByText('An earlier version of the service processed', { exact: false }).waitFor();
      await site.look(unknown, 'upload-changes-unknown-phone');

      const failing = await site.open('/uploads');
      await failing.route(/\/changes\?/, (route) =>
        route.fulfill({
          status: 503,
          json: { statusCode: 503, error: 'x', message: 'the database is away' },
        }),
      );
      await failing.goto(`${site.url}/app/uploads/${replacing}`);
      const section = failing.getByRole('region', { name: 'What this upload changed' });
      await section.getByText('the database is away').waitFor();
      await failing.unroute(/\/changes\?/);
      await section.getByRole('button', { name: 'Try again' }).press('Enter');
      await section.getByRole('link', { name: 'Log4Shell' }).waitFor();
    },
    TEST_MS_MAX,
  );

  it(
    'lists malformed entries, and can skip them',
    async () => {
      const page = await site.open('/uploads');
      const before = await uploadsCount();
      const zip = await zipOf({
        'good.json': plainSignal('Default password', 'db01'),
        'cut-short.json': '{"version": "1.0"\n "id": 1}',
        'deep/no-status.json': plainSignal('x', 'db02', {
          securityContext: { type: 'va', severity: { value: 12 } },
        }),
      });
      await choose(page, { name: 'half-good.zip', buffer: zip });
      const card = page.getByRole('article', { name: 'half-good.zip' });
      await card.getByText('2 of 3 entries are malformed').waitFor();
      const { body } = await site.client.zip(zip, {}, '?dryRun=true');
      expect(await card.getByRole('row').count()).toBe(1 + body.errors.length);
      await card.getByRole('row', { name: /cut-short.json line 2, column 2 Invalid JSON/ }).waitFor();
      await card
        .getByRole('row', { name: /no-status.json securityContext\.severity\.value Must be/ })
        .waitFor();
      await site.look(page, 'uploads-malformed');

      await card.getByRole('button', { name: 'Skip malformed entries and preview the rest' }).click();
      await card.getByText('2 malformed entries would be skipped', { exact: false }).waitFor();
      expect(await uploadsCount()).toBe(before);
      await card.getByRole('button', { name: 'Upload', exact: true }).click();
      await card.getByText('2 malformed entries skipped', { exact: false }).waitFor();
      await card.getByText('Upload complete', { exact: false }).waitFor();
      expect(await findings('db01')).toHaveLength(1);
      const [upload] = await site.client.all('/api/v3/uploads');
      expect(upload).toMatchObject({ accepted: 1, rejected: 2 });
      await page.goto(`${site.url}/app/uploads/${upload.id}`);
      await page.getByText('2 entries were skipped', { exact: false }).waitFor();
    },
    TEST_MS_MAX,
  );

  it(
    'rejects large, invalid and empty files before the upload; shows the error of a damaged ZIP',
    async () => {
      const page = await site.open('/uploads');
      const before = await uploadsCount();
      const posts: string[] = [];
      page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
      const large = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(5 * MEGABYTE)]);
      await choose(
        page,
        { name: 'large.zip', buffer: large },
        { name: 'picture.zip', buffer: Buffer.from('\x89PNG') },
        { name: 'empty.zip', buffer: Buffer.alloc(0) },
        { name: 'large-report.json', buffer: Buffer.alloc(33 * MEGABYTE, '[') },
      );
      for (const text of [
        'This ZIP is too large: 5.1 MB, maximum 5 MB',
        'This file is not a ZIP, although its name',
        'This file is empty',
        'This report is too large: 33 MB, maximum 32 MB',
      ])
        await page.getByText(text, { exact: false }).waitFor();
      expect(posts).toEqual([]);
      await site.look(page, 'uploads-not-taken');
      await choose(page, { name: 'damaged.zip', buffer: Buffer.from('PK\x03\x04 and no more') });
      await page.getByText('This ZIP is invalid').waitFor();
      await page.getByText('truncated or damaged', { exact: false }).waitFor();
      for (const name of ['large.zip', 'damaged.zip']) {
        await page.getByRole('button', { name: `Remove ${name}` }).click();
        await page.getByRole('article', { name }).waitFor({ state: 'detached' });
      }
      expect(await uploadsCount()).toBe(before);
    },
    TEST_MS_MAX,
  );

  it(
    'recognizes a report that is dropped, previews it, and uploads it with the keyboard',
    async () => {
      const { content, read, mapped, signals } = fixtureNamed('OpenVAS XML');
      const before = await uploadsCount();
      const page = await site.open('/uploads');
      await page.getByRole('button', { name: 'Choose files' }).waitFor();
      await drop(page, [{ name: 'scan.xml', buffer: Buffer.from(content) }]);
      const card = page.getByRole('article', { name: 'scan.xml' });
      await card.getByText('Recognized as openvas').waitFor();
      await card.getByText(`${read} findings, of which ${mapped} become signals`, { exact: false }).waitFor();
      await card.getByRole('heading', { name: 'Not mapped' }).waitFor();
      await card.getByRole('row', { name: /Marked as a false positive in the report/ }).waitFor();
      await card.getByText(`The report contains ${signals} signals`, { exact: false }).waitFor();
      expect(await uploadsCount()).toBe(before);
      for (const width of [1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await site.look(page, `uploads-report-${width}`);
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        const phone = await site.open('/uploads', { on: 'phone', colorScheme });
        await choose(phone, { name: 'scan.xml', buffer: Buffer.from(content) });
        await phone.getByText('Recognized as openvas').waitFor();
        await site.look(phone, `uploads-report-phone-${colorScheme}`);
      }

      const asked = page.waitForResponse(/reports\?dryRun=true&asset=shop&replace=va/);
      await card.getByLabel('Asset', { exact: true }).fill('shop');
      await card.getByRole('combobox', { name: 'Full assessment of' }).press('ArrowDown');
      await page.getByRole('option', { name: 'Vulnerability' }).click();
      await card.getByRole('combobox', { name: 'Full assessment of' }).press('Escape');
      expect(await card.getByRole('button', { name: /^Upload/ }).isDisabled()).toBe(true);
      await card.getByText('The options have changed.', { exact: false }).waitFor();
      await card.getByRole('button', { name: 'Preview with these options' }).press('Enter');
      expect((await asked).status()).toBe(200);
      await card.getByRole('button', { name: /^Upload/ }).press('Enter');
      await card.getByText(`Upload complete: ${signals} signals.`).waitFor();
      expect(await uploadsCount()).toBe(before + 1);
      const [upload] = await site.client.all('/api/v3/uploads');
      expect(upload).toMatchObject({ kind: 'zip', accepted: signals, done: true });
    },
    TEST_MS_MAX,
  );

  it('uploads no report whose options have changed since the preview with the others', async () => {
    const { content } = fixtureNamed('OpenVAS XML');
    const page = await site.open('/uploads');
    for (const name of ['a.xml', 'b.xml', 'c.xml']) {
      await choose(page, { name, buffer: Buffer.from(content) });
    }
    await page.getByRole('button', { name: /^Upload all 3/ }).waitFor();
    await page.getByRole('article', { name: 'a.xml' }).getByLabel('Asset', { exact: true }).fill('shop');
    await page.getByRole('button', { name: /^Upload all 2/ }).waitFor();
  });

  it(
    'asks for the format of a report that it does not recognize, and has no upload for a report without signals',
    async () => {
      const page = await site.open('/uploads', { colorScheme: 'dark' });
      await choose(page, { name: 'notes.txt', buffer: Buffer.from('hello') });
      const unknown = page.getByRole('article', { name: 'notes.txt' });
      await unknown.getByText('This report cannot be read').waitFor();
      await unknown.getByText('unknown format', { exact: false }).waitFor();
      await unknown.getByRole('combobox', { name: 'Format' }).waitFor();
      await site.look(page, 'uploads-report-unknown-dark');
      await choose(page, { name: 'clean.jsonl', buffer: Buffer.from('[]') });
      const clean = page.getByRole('article', { name: 'clean.jsonl' });
      await clean.getByRole('combobox', { name: 'Format' }).fill('Gitleaks');
      await clean.getByRole('combobox', { name: 'Format' }).press('ArrowDown');
      await clean.getByRole('combobox', { name: 'Format' }).press('Enter');
      await clean.getByRole('button', { name: 'Preview with these options' }).click();
      await clean.getByText('Recognized as gitleaks').waitFor();
      await clean.getByText('The report contains 0 signals', { exact: false }).waitFor();
      expect(await clean.getByRole('button', { name: 'Upload', exact: true }).count()).toBe(0);
    },
    TEST_MS_MAX,
  );

  it(
    'previews a full assessment without findings once the user confirms it',
    async () => {
      const trivy = (...found: unknown[]) =>
        JSON.stringify({
          ...{ SchemaVersion: 2, ArtifactName: 'shop:1.2', ArtifactType: 'container_image' },
          Results: [{ Target: 'shop', Class: 'os-pkgs', Type: 'debian', Vulnerabilities: found }],
        });
      const weakness = {
        ...{ VulnerabilityID: 'CVE-2024-5551', PkgName: 'libsample', InstalledVersion: '1.0' },
        Severity: 'CRITICAL',
      };
      const { body } = await site.client.request('POST', '/api/v3/reports', trivy(weakness));
      await site.client.folded(body.uploadId);
      const page = await site.open('/uploads');
      await choose(page, { name: 'rescan.json', buffer: Buffer.from(trivy()) });
      const card = page.getByRole('article', { name: 'rescan.json' });
      await card.getByRole('combobox', { name: 'Full assessment of' }).press('ArrowDown');
      await page.getByRole('option', { name: 'Vulnerability' }).click();
      await card.getByRole('combobox', { name: 'Full assessment of' }).press('Escape');
      await card.getByRole('button', { name: 'Preview with these options' }).click();
      await card.getByText('No finding of this report becomes a signal').waitFor();
      await site.look(page, 'uploads-report-empty');
      await card.getByRole('button', { name: 'Preview anyway' }).press('Enter');
      await card.getByText('1 finding would be retired').waitFor();

      await card.getByRole('combobox', { name: 'Full assessment of' }).press('ArrowDown');
      await page.getByRole('option', { name: 'Configuration' }).click();
      await card.getByRole('combobox', { name: 'Full assessment of' }).press('Escape');
      await card.getByRole('button', { name: 'Preview with these options' }).click();
      await card.getByRole('button', { name: 'Preview anyway' }).click();
      await card.getByRole('button', { name: 'Upload and retire 1 finding' }).click();
      await card.getByText('Upload complete', { exact: false }).waitFor();
      expect(await findings('shop:1.2')).toEqual([]);
    },
    TEST_MS_MAX,
  );

  it(
    'reads several JSON objects in one file as a report, and a signal with a syntax error as a signal',
    async () => {
      const events = JSON.parse(fixtureNamed('OCSF array, with Prowler').content.toString());
      const overLines = events.map((event: unknown) => JSON.stringify(event, null, 2)).join('\n');
      const signal = JSON.stringify(plainSignal('Two commas', 'commas01')).replace(',', ',,');
      const page = await site.open('/uploads');
      await choose(
        page,
        { name: 'found.jsonl', buffer: Buffer.from(fixtureNamed('Nuclei JSON Lines').content) },
        { name: 'events.json', buffer: Buffer.from(overLines) },
        { name: 'commas.json', buffer: Buffer.from(signal) },
      );
      await page.getByRole('article', { name: 'found.jsonl' }).getByText('Recognized as nuclei').waitFor();
      await page.getByRole('article', { name: 'events.json' }).getByText('Recognized as ocsf').waitFor();
      const malformed = page.getByRole('article', { name: 'commas.json' });
      await malformed.getByRole('button', { name: 'Upload', exact: true }).click();
      await malformed.getByText('This signal is malformed').waitFor();
    },
    TEST_MS_MAX,
  );

  it(
    'counts a repeated upload once after a lost connection',
    async () => {
      const page = await site.open('/uploads');
      const before = await uploadsCount();
      await choose(page, {
        name: 'once.zip',
        buffer: await zipOf({ '1.json': plainSignal('Sent twice', 'once01') }),
      });
      const card = page.getByRole('article', { name: 'once.zip' });
      await card.getByRole('button', { name: 'Upload', exact: true }).waitFor();
      const devtools = await cutAnswers(page, '*/api/v3/signals/zip*');
      await card.getByRole('button', { name: 'Upload', exact: true }).click();
      await card.getByText('The file may or may not have arrived', { exact: false }).waitFor();
      expect(await uploadsCount()).toBe(before + 1);
      await site.look(page, 'uploads-lost');
      await devtools.detach();
      await card.getByRole('button', { name: 'Try again' }).click();
      await card.getByText('Upload complete', { exact: false }).waitFor();
      expect(await uploadsCount()).toBe(before + 1);
      expect(await findings('once01')).toHaveLength(1);
      const [{ outcome }] = await site.client.all('/api/v3/uploads');
      expect(outcome).toMatchObject({ created: 1, unchanged: 0 });
    },
    TEST_MS_MAX,
  );

  it(
    'waits as long as a busy service requests, and retries',
    async () => {
      const page = await site.open('/uploads');
      const json = { 'content-type': 'application/json' };
      await site.client.request('PATCH', '/api/v3/settings', '{"maxLagSeconds":10}', json);
      const release = await holdFold(database.url);
      // Repeated requests count as one upload.
      const once = { 'idempotency-key': 'waits' };
      const sent = () => site.client.signal(plainSignal('Waits', 'waits01'), once);
      const card = page.getByRole('article', { name: 'busy.zip' });
      try {
        await until('the fold is too far behind', async () => (await sent()).status === 429);
        await choose(page, {
          name: 'busy.zip',
          buffer: await zipOf({ '1.json': plainSignal('Busy', 'busy01') }),
        });
        await card.getByRole('button', { name: 'Upload', exact: true }).click();
        await card.getByText(/Try again in \d+ seconds?\./).waitFor();
        await site.look(page, 'uploads-busy');
      } finally {
        await release();
      }
      await until('the fold has caught up', async () => (await sent()).status === 200);
      await card.getByRole('button', { name: 'Try again' }).click();
      await card.getByText('Upload complete', { exact: false }).waitFor();
      expect(await findings('busy01')).toHaveLength(1);
    },
    TEST_MS_MAX,
  );

  it(
    'reports that the database is unavailable, and resumes',
    async () => {
      const page = await site.open('/uploads');
      await choose(page, {
        name: 'away.zip',
        buffer: await zipOf({ '1.json': plainSignal('Away', 'away01') }),
      });
      const card = page.getByRole('article', { name: 'away.zip' });
      await card.getByRole('button', { name: 'Upload', exact: true }).waitFor();
      await gate.shut();
      try {
        await card.getByRole('button', { name: 'Upload', exact: true }).click();
        await card.getByText('The database is unavailable or overloaded', { exact: false }).waitFor();
        await site.look(page, 'uploads-away');
      } finally {
        await gate.open();
      }
      await until('the service is ready', async () => (await fetch(`${site.url}/health/ready`)).ok);
      await card.getByRole('button', { name: 'Try again' }).click();
      await card.getByText('Upload complete', { exact: false }).waitFor();
      expect(await findings('away01')).toHaveLength(1);
    },
    TEST_MS_MAX,
  );

  it(
    'shows the progress of an upload, cancels it, and sends it again',
    async () => {
      const page = await site.open('/uploads');
      const before = await uploadsCount();
      const description = randomBytes(200_000).toString('hex').slice(0, 60_000);
      const entries = Array.from({ length: 12 }, (_, i) => [
        `${i}.json`,
        plainSignal(`Slow ${i}`, 'slow01', { description }),
      ]);
      await choose(page, { name: 'slow.zip', buffer: await zipOf(Object.fromEntries(entries)) });
      const card = page.getByRole('article', { name: 'slow.zip' });
      await card.getByRole('button', { name: 'Upload', exact: true }).waitFor();
      const devtools = await page.context().newCDPSession(page);
      await throttle(devtools, 40_000);
      await card.getByRole('button', { name: 'Upload', exact: true }).click();
      await card.getByText(/Sending: [1-9]\d? %/).waitFor();
      await site.look(page, 'uploads-sending');
      await card.getByRole('button', { name: 'Cancel' }).click();
      await card.getByText('The upload was cancelled.', { exact: false }).waitFor();
      await throttle(devtools, -1);
      expect(await uploadsCount()).toBe(before);
      await card.getByRole('button', { name: 'Upload', exact: true }).click();
      await card.getByText('Upload complete', { exact: false }).waitFor();
      expect(await uploadsCount()).toBe(before + 1);
    },
    TEST_MS_MAX,
  );

  it(
    'accepts several dropped files, including a signal, and uploads them in order',
    async () => {
      const page = await site.open('/uploads');
      await page.getByRole('button', { name: 'Choose files' }).waitFor();
      await drop(page, [
        { name: 'one.zip', buffer: await zipOf({ '1.json': plainSignal('Dropped', 'drop01') }) },
        { name: 'signal.json', buffer: Buffer.from(JSON.stringify(plainSignal('A single one', 'drop02'))) },
      ]);
      await page.getByText('One signal: A single one (Vulnerability) on drop02.', { exact: false }).waitFor();
      await page.getByText('2 files to upload').waitFor();
      await site.look(page, 'uploads-several');
      await page.getByRole('button', { name: 'Upload all 2' }).click();
      for (const name of ['one.zip', 'signal.json'])
        await page.getByRole('article', { name }).getByText('Upload complete', { exact: false }).waitFor();
      expect(await findings('drop01')).toHaveLength(1);
      expect(await findings('drop02')).toHaveLength(1);
      const [json, zip] = await site.client.all('/api/v3/uploads');
      expect([zip.kind, json.kind]).toEqual(['zip', 'json']);

      await drop(page, [{ name: 'bad.json', buffer: Buffer.from('{"version":"1.0","entity":{}}') }]);
      const bad = page.getByRole('article', { name: 'bad.json' });
      await bad.getByRole('button', { name: 'Upload', exact: true }).click();
      await bad.getByText('This signal is malformed').waitFor();
      await bad.getByRole('row', { name: /^id Is missing/ }).waitFor();
    },
    TEST_MS_MAX,
  );

  it(
    'works with the keyboard only',
    async () => {
      const page = await site.open('/uploads');
      // Must be requested before the key press, so that the browser intercepts the file chooser.
      const chooser = page.waitForEvent('filechooser');
      await page.locator('h1:focus').waitFor();
      await page.keyboard.press('Tab');
      await page.locator('button:focus', { hasText: 'Choose files' }).waitFor();
      await page.keyboard.press('Enter');
      await (await chooser).setFiles([
        asFile({ name: 'keys.json', buffer: Buffer.from(JSON.stringify(plainSignal('By keys', 'keys01'))) }),
      ]);
      const card = page.getByRole('article', { name: 'keys.json' });
      await card.getByRole('button', { name: 'Upload', exact: true }).focus();
      await page.keyboard.press('Enter');
      await card.getByText('Upload complete', { exact: false }).waitFor();
      expect(await findings('keys01')).toHaveLength(1);
    },
    TEST_MS_MAX,
  );

  it(
    'lists uploads of others with progress and pages, without a reload',
    async () => {
      const page = await site.open('/uploads');
      const table = page.getByRole('region', { name: 'Uploads' });
      await table.getByRole('row').first().waitFor();
      const shown = await table.getByRole('row').count();
      await site.client.signal(plainSignal('From a script', 'script01'));
      await until('the row is listed', async () => (await table.getByRole('row').count()) === shown + 1);

      const release = await holdFold(database.url, 'partition % 2 = 0');
      try {
        const hosts = Array.from({ length: HOSTS_OF_ALL_PARTITIONS }, (_, i) => `half${i}`);
        const entries = hosts.map((host) => [`${host}.json`, plainSignal('Half', host)]);
        await site.client.zip(await zipOf(Object.fromEntries(entries)));
        await table
          .getByText(new RegExp(`^[1-9]\\d* of ${hosts.length} applied$`))
          .first()
          .waitFor();
        await page.getByRole('progressbar', { name: 'Signals applied' }).first().waitFor();
        await table.getByRole('link').first().click();
        await page.getByText('Outcome so far').waitFor();
        await site.look(page, 'upload-page-under-way');
      } finally {
        await release();
      }
      await page.getByText('Done', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Uploads' }).first().click();

      for (let i = await uploadsCount(); i < 26; i++)
        await site.client.signal(plainSignal(`Many ${i}`, 'many01'));
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByText('on page 2', { exact: false }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'First page' }).click();
      await page.getByText('25 on page 1').waitFor();
      const phone = await site.open('/uploads', { on: 'phone' });
      await phone.getByText('25 on page 1').scrollIntoViewIfNeeded();
      await site.look(phone, 'uploads-list-phone');
    },
    TEST_MS_MAX,
  );

  it(
    'offers no upload to viewers and for past times, and reports an unknown upload',
    async () => {
      const { body: viewer } = await site.client.request(
        'POST',
        '/api/v3/credentials',
        JSON.stringify({ username: 'looks-only', role: 'viewer' }),
        { 'content-type': 'application/json' },
      );
      const page = await site.open('/uploads', { as: viewer });
      await page.getByText('You can view uploads but cannot upload.').waitFor();
      expect(await page.getByRole('button', { name: 'Choose files' }).count()).toBe(0);
      await site.look(page, 'uploads-viewer');

      const past = await site.open(`/uploads?asOf=${new Date().toISOString()}`);
      await past.getByText('Go back to now to upload', { exact: false }).waitFor();
      expect(await past.getByRole('button', { name: 'Choose files' }).count()).toBe(0);
      await past.getByRole('region', { name: 'Uploads' }).getByRole('link').first().click();
      await past.getByText('Go back to now to upload', { exact: false }).waitFor();

      const unknown = await site.open('/uploads/00000000-0000-4000-8000-000000000000');
      await unknown.getByRole('heading', { level: 1, name: 'Upload not found' }).waitFor();
      await site.look(unknown, 'upload-unknown');
      await unknown.goto(`${site.url}/app/uploads/cut-short`);
      await unknown.getByRole('heading', { level: 1, name: 'Upload not found' }).waitFor();
    },
    TEST_MS_MAX,
  );
});

interface SelectedFile {
  name: string;
  buffer: Buffer;
}

const asFile = ({ name, buffer }: SelectedFile) => ({ name, buffer, mimeType: 'application/octet-stream' });

const goodEntries = () => ({
  'web01/openssl.json': plainSignal('Outdated OpenSSL', 'web01.example', {
    entity: {
      type: 'machine',
      name: 'web01.example',
      entityAttributes: { tags: { colour: ['red'] } },
    },
  }),
  'web01/ssh.json': plainSignal('Weak SSH ciphers', 'web01.example'),
  'web01/other-domain.json': plainSignal('Outdated OpenSSL', 'web01.other.example'),
  'web02/openssl.json': plainSignal('Outdated OpenSSL', 'web02.example'),
  'web02/old.json': plainSignal('Long gone', 'web02.example', { expiresAt: '2020-01-01T00:00:00Z' }),
});

async function choose(page: Page, ...files: SelectedFile[]): Promise<void> {
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  await page.locator('input[type=file]').setInputFiles(files.map(asFile));
}

/** Drops files on the page. */
async function drop(page: Page, files: SelectedFile[]): Promise<void> {
  const given = files.map(({ name, buffer }) => ({ name, base64: buffer.toString('base64') }));
  const dataTransfer = await page.evaluateHandle((listed) => {
    const transfer = new (globalThis as any).DataTransfer();
    for (const { name, base64 } of listed)
      transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    return transfer;
  }, given);
  const area = page.getByRole('region', { name: 'Upload files' });
  await area.dispatchEvent('dragover', { dataTransfer });
  await area.getByText('Drop to preview').waitFor();
  await area.dispatchEvent('drop', { dataTransfer });
}

/** Lets requests reach the service, but closes the connection before the response. */
async function cutAnswers(page: Page, urlPattern: string): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  devtools.on('Fetch.requestPaused', ({ requestId }) => {
    void devtools.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' });
  });
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern, requestStage: 'Response' }] });
  return devtools;
}

/** @param uploadThroughput bytes per second; -1: unlimited */
async function throttle(devtools: CDPSession, uploadThroughput: number): Promise<void> {
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
  await devtools.send('Network.emulateNetworkConditions', conditions);
}

/** The counts of the first card or report on the page, by label. */
async function countsOf(page: Page): Promise<Record<string, number>> {
  const counts = await page
    .locator('dl')
    .first()
    .locator('div')
    .evaluateAll((all) =>
      all.map((one) => [one.querySelector('dt')!.textContent, Number(one.querySelector('dd')!.textContent)]),
    );
  return Object.fromEntries(counts);
}

const countsIn = (outcome: any) => ({
  'Findings created': outcome.created,
  'Findings changed': outcome.updated,
  'Findings unchanged': outcome.unchanged,
  'Findings retired': outcome.retired,
  'Assets created': outcome.assetsCreated,
  'Assets changed': outcome.assetsUpdated,
  'Signals ignored': Object.values(outcome.ignored as Record<string, number>).reduce((a, b) => a + b, 0),
});
