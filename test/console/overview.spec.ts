import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { zipOf } from '../support/api-client.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { ADMIN } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { ConsoleSite, signIn } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';
import { holdScorer } from './held-fold.ts';
import { oneDecimal } from './shown.ts';

const run = promisify(execFile);

const START_MS_MAX = 240_000;
const PROGRAM_BYTES_MAX = 300_000;
/** 57 to 62 kB are usual, 27 of them the history of 30 days by posture-2. */
const DATA_BYTES_MAX = 70_000;
const DAY_MS = 86_400_000;

const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const scoreOf = (page: Page) => page.getByTestId('score').textContent();

/** Waits until every section of the overview has data. */
async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Causes, largest first' }).waitFor();
  await page.getByRole('list', { name: 'Fixes, most effective first' }).waitFor();
  await page.locator('.uplot canvas').waitFor();
  await region(page, 'Risk by').getByRole('listitem').first().waitFor();
  await region(page, 'Failed findings').getByRole('listitem').first().waitFor();
}

describeInRun({ shares: 3, turn: 1, ...CONSOLE }, 'the overview', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: true });
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 60_000);
  afterEach(() => site.endTest());

  it('shows score, likelihood and their history', async () => {
    const page = await site.open('/', { as: null });
    await signIn(page, ADMIN);
    await waitUntilLoaded(page);
    const { score, breachLikelihood } = await site.client.get('/api/v3/scores/organization');
    expect(await scoreOf(page)).toBe(oneDecimal(score));
    const likelihood = page.getByRole('group', { name: 'Breach likelihood' });
    expect(await likelihood.textContent()).toContain(`${(breachLikelihood * 100).toFixed(1)} %`);
    await page.getByText('no value for the previous day').first().waitFor();
    await page.getByRole('img', { name: /In the last 30 days the risk score changed from/ }).waitFor();
    expect(
      await page
        .getByRole('table', { name: /Risk score and breach/ })
        .getByRole('row')
        .count(),
    ).toBeGreaterThan(1);
    await site.look(page, 'overview');
  });

  it('saves the board report as a page', async () => {
    const page = await site.open('/');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Board report' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^board-report-\d{4}-\d\d-\d\d\.html$/);
    const { score } = await site.client.get('/api/v3/scores/organization');
    expect(await readFile(await file.path(), 'utf8')).toContain(`<dd class="score">${score.toFixed(2)}</dd>`);
    await page.getByText(`${file.suggestedFilename()} is complete`, { exact: false }).waitFor();
  });

  it('prints reports on A4: nothing is wider than the paper, and the PDF has headings, tables and a language', async () => {
    const page = await site.open('/', { as: null });
    // A page without the content security policy of the console.
    await page.goto('about:blank');
    for (const path of ['board', 'technical?limit=200']) {
      const answer = await fetch(`${site.url}/api/v3/reports/${path}`, {
        headers: { authorization: site.client.authorization, accept: 'text/html' },
      });
      const html = await answer.text();
      await page.setContent(html.replaceAll('web', `web${'0123456789abcdef'.repeat(8)}`));
      await page.emulateMedia({ media: 'print' });
      // 210 mm without margins of 16 mm.
      await page.setViewportSize({ width: 673, height: 1_000 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(673);
      const pdf = (await page.pdf({ preferCSSPageSize: true, tagged: true })).toString('latin1');
      const pages = pdf.match(/\/Type\s*\/Page\b/g) ?? [];
      expect([path, pages.length > (path === 'board' ? 1 : 10)]).toEqual([path, true]);
      expect(pdf).toMatch(/\/MediaBox \[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/);
      for (const part of [/\/StructTreeRoot/, /\/Lang \(en\)/, /\/S \/H1\b/, /\/S \/TH\b/])
        expect(pdf).toMatch(part);
    }
  });

  it('loads less than 300 kB of program, and 70 kB of data', async () => {
    const page = await site.open('/', { as: null });
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.setCacheDisabled', { cacheDisabled: true });
    const bytes = { program: 0, data: 0 };
    const kinds = new Map<string, keyof typeof bytes>();
    network.on('Network.requestWillBeSent', ({ requestId, request }) => {
      kinds.set(requestId, new URL(request.url).pathname.startsWith('/app') ? 'program' : 'data');
    });
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      bytes[kinds.get(requestId)!] += encodedDataLength;
    });
    await page.reload();
    await signIn(page, ADMIN);
    await waitUntilLoaded(page);
    expect(bytes.program).toBeGreaterThan(PROGRAM_BYTES_MAX / 3);
    expect(bytes.program).toBeLessThan(PROGRAM_BYTES_MAX);
    expect(bytes.data).toBeGreaterThan(DATA_BYTES_MAX / 3);
    expect(bytes.data).toBeLessThan(DATA_BYTES_MAX);
  });

  it('keeps the time range of the trend in the address', async () => {
    const page = await site.open('/');
    await waitUntilLoaded(page);
    const asked = page.waitForRequest(/organization\/history\?.*step=PT2H/);
    await page.getByRole('radiogroup', { name: 'Time range' }).getByText('7 d').click();
    const from = new URL((await asked).url()).searchParams.get('from')!;
    expect(Math.round((Date.now() - Date.parse(from)) / DAY_MS)).toBe(7);
    expect(new URL(page.url()).searchParams.get('range')).toBe('7d');
    await page.reload();
    await page.getByRole('img', { name: /^In the last 7 days/ }).waitFor();
  });

  it.each([
    ['Location', 'location', 'locations'],
    ['Surface', 'attackSurface', 'attack-surfaces'],
    ['Asset type', 'type', 'asset-types'],
    ['Department', 'department', 'departments'],
  ])('ranks groups by %s, highest score first, with links to their pages', async (label, filter, route) => {
    const page = await site.open(filter === 'department' ? '/?by=type' : '/');
    const risk = region(page, 'Risk by');
    await risk.getByRole('radiogroup').getByText(label, { exact: true }).click();
    const { items } = await site.client.get(`/api/v3/scores/${route}`);
    const [worst] = items;
    const first = risk.getByRole('listitem').first();
    await first.getByText(worst.name, { exact: true }).waitFor();
    const assets = `${worst.assets} ${worst.assets === 1 ? 'asset' : 'assets'}`;
    const name = `${worst.name} ${assets} score ${oneDecimal(worst.score)}`;
    await first.getByRole('link', { name, exact: true }).waitFor();
    expect(await risk.getByRole('listitem').count()).toBe(Math.min(items.length, 12));
    await first.getByRole('link').click();
    await page.waitForURL(/\/groups\?/);
    expect(new URL(page.url()).searchParams.get(filter)).toBe(worst.name);
  });

  it('counts failed findings by severity and type, with links', async () => {
    const page = await site.open('/');
    const failed = region(page, 'Failed findings');
    const { severityLevel, type } = await site.client.get('/api/v3/findings/counts?state=Failed');
    const count = (n: number) => `${n.toLocaleString('en-GB')} ${n === 1 ? 'finding' : 'findings'}`;
    const link = (name: string) => failed.getByRole('link', { name, exact: true });
    for (const [level, from] of [
      ['critical', 9],
      ['high', 7],
      ['medium', 4],
      ['low', 0.1],
    ] as const) {
      const name = `${level[0]!.toUpperCase()}${level.slice(1)} from ${from} ${count(severityLevel[level] ?? 0)}`;
      expect(await link(name).getAttribute('href')).toBe(`/app/findings?state=Failed&severityMin=${from}`);
    }
    expect(await failed.getByRole('listitem').count()).toBe(4 + Object.keys(type).length);
    await link(`Vulnerability ${count(type.va)}`).click();
    await page.waitForURL(/\/findings\?state=Failed&type=va$/);
  });

  it('counts assets that are no longer reported, by source, with links', async () => {
    const page = await site.open('/');
    const coverage = region(page, 'Assets not seen for');
    const { sources, assets } = await site.client.get('/api/v3/assets/coverage?notSeenDays=90');
    await coverage.getByText('90 days').click();
    await coverage.getByRole('link', { name: `0 of ${assets} assets` }).waitFor();
    expect(await coverage.getByRole('listitem').count()).toBe(Math.min(sources.length, 12));
    const [first] = sources;
    await coverage
      .getByRole('link', {
        name: `${first.source} ${first.assets} ${first.assets === 1 ? 'asset' : 'assets'} 0 not seen`,
      })
      .click();
    await page.waitForURL(/\/assets\?.*notSeenDays=90/);
    await page.getByText('No assets match').waitFor();
    await page
      .getByRole('button', { name: /Not seen for/ })
      .first()
      .waitFor();
  });

  it('shows causes of score changes, largest first, with a correct sum', async () => {
    const page = await site.open('/');
    const causes = page.getByRole('list', { name: 'Causes, largest first' }).getByRole('listitem');
    await causes.first().waitFor();
    const from = new Date(Date.now() - DAY_MS).toISOString();
    const told = await site.client.get(`/api/v3/scores/organization/explain?from=${from}&limit=10`);
    const texts = await causes.allTextContents();
    expect(texts).toHaveLength(told.causes.length + (told.others.causes > 0 ? 1 : 0));
    expect(texts[0]).toBe(`+${told.causes[0].share.toFixed(2)}${told.causes[0].assetName}New asset`);
    expect(texts.at(-1)).toContain(`${told.others.causes} other cause`);
    const points = texts.map((text) => Number(/^[+−]\d+\.\d\d/.exec(text)![0].replace('−', '-')));
    expect(points.reduce((sum, one) => sum + one, 0)).toBeCloseTo(told.difference, 6);
    await causes.first().getByRole('link').click();
    await page.waitForURL(`**/assets/${told.causes[0].assetId}`);
  });

  it('shows the most effective fixes, of both kinds or of one', async () => {
    const page = await site.open('/');
    const fixes = page.getByRole('list', { name: 'Fixes, most effective first' }).getByRole('listitem');
    await fixes.first().waitFor();
    const { cves, findings } = await site.client.get('/api/v3/scores/fixes');
    const falls = [...cves, ...findings].map(({ lowersBy }) => lowersBy).sort((a, b) => b - a);
    expect(await fixes.count()).toBe(10);
    expect(await fixes.first().textContent()).toContain(`−${falls[0].toFixed(2)}`);
    const kinds = page.getByRole('radiogroup', { name: 'Kind of fix' });
    await kinds.getByText('Findings').click();
    await fixes.first().getByRole('link', { name: findings[0].name }).waitFor();
    expect(await fixes.first().textContent()).toContain(`Finding on ${findings[0].assetName}`);
    expect(await fixes.first().getByRole('link').getAttribute('href')).toBe(
      `/app/findings/${findings[0].id}`,
    );
    await kinds.getByText('CVEs').click();
    await fixes.first().getByRole('link', { name: cves[0].id }).click();
    await page.waitForURL(`**/findings?state=Failed&cve=${cves[0].id}`);
  });

  it('supports dark mode and phones', async () => {
    const dark = await site.open('/?by=type', { as: null, colorScheme: 'dark' });
    await signIn(dark, ADMIN);
    await waitUntilLoaded(dark);
    await site.look(dark, 'overview-dark');
    const phone = await site.open('/', { on: 'phone' });
    await waitUntilLoaded(phone);
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await site.look(phone, 'overview-phone');
  });

  it('fits the trend to the available width', async () => {
    const page = await site.open('/');
    await waitUntilLoaded(page);
    const width = () => page.locator('.uplot canvas').evaluate((canvas) => canvas.clientWidth);
    const wide = await width();
    await page.setViewportSize({ width: 1000, height: 900 });
    await until('the chart is narrower', async () => (await width()) < wide - 100);
  });

  it('shows a past time, without data that exists only for the current state', async () => {
    const { at, score } = await site.client.get('/api/v3/scores/organization');
    const asOf = new Date(Date.parse(at) + 1).toISOString();
    const asked: URL[] = [];
    const page = await site.open('/', { as: null });
    page.on('request', (request) => asked.push(new URL(request.url())));
    await page.goto(`${site.url}/app/?asOf=${asOf}`);
    await signIn(page, ADMIN);
    await page.getByText('Not available for past times').waitFor();
    await page.getByRole('list', { name: 'Causes, largest first' }).waitFor();
    expect(await scoreOf(page)).toBe(oneDecimal(score));
    const paramsOf = (end: string) => asked.find(({ pathname }) => pathname.endsWith(end))!.searchParams;
    expect(paramsOf('/history').get('to')).toBe(asOf);
    expect(paramsOf('/explain').get('to')).toBe(asOf);
    expect(Date.parse(asOf) - Date.parse(paramsOf('/explain').get('from')!)).toBe(DAY_MS);
    for (const end of ['/departments', '/counts']) expect(paramsOf(end).get('asOf')).toBe(asOf);
    expect(asked.some(({ pathname }) => pathname.endsWith('/fixes'))).toBe(false);
    await site.look(page, 'overview-past');
    await region(page, 'Risk by').getByRole('listitem').first().getByRole('link').click();
    await page.waitForURL((url) => url.pathname.endsWith('/groups') && url.searchParams.get('asOf') === asOf);
  });

  it('reports that no data exists before the first upload', async () => {
    const page = await site.open('/?asOf=2020-01-01T00:00:00.000Z');
    await page.getByText('No data at this time').waitFor();
  });

  it('refreshes automatically, and offers to recalculate outdated data', async () => {
    const page = await site.open('/');
    await waitUntilLoaded(page);
    const before = await scoreOf(page);
    const signals = Array.from({ length: 3 }, (_, i) => ({
      id: crypto.randomUUID(),
      name: `ransomware ${i}`,
      entity: {
        type: 'machine',
        name: 'sieve.halden.example',
        entityAttributes: { criticality: 'critical' },
      },
      securityContext: {
        type: 'edr',
        status: { complianceStatus: 'fail' },
        severity: { type: 'cvss', value: 9.8 },
        standardsMapping: [{ name: 'mitre', value: 'T1486' }],
      },
    }));
    const { status } = await site.client.zip(
      await zipOf(Object.fromEntries(signals.map((signal, i) => [`${i}.json`, signal]))),
    );
    expect(status).toBe(200);
    await until('the score has moved', async () => (await scoreOf(page)) !== before, 20_000);
    await page.getByRole('button', { name: 'Recalculate' }).first().click();
    await page
      .getByRole('list', { name: 'Causes, largest first' })
      .getByRole('link', { name: 'sieve.halden.example' })
      .waitFor();
  });

  it('reports a failed section, and retries it', async () => {
    const page = await site.open('/', { as: null });
    await page.route('**/scores/fixes', (route) => route.abort());
    await signIn(page, ADMIN);
    const fixes = region(page, 'Most effective fixes');
    await fixes.getByRole('alert').getByText('The service is not responding.').waitFor();
    await page.unroute('**/scores/fixes');
    await fixes.getByRole('button', { name: 'Try again' }).click();
    await fixes.getByRole('list', { name: 'Fixes, most effective first' }).waitFor();
    site.expectNoComplaint({ but: [/ERR_FAILED/] });
  });
});

describeInRun({ shares: 3, turn: 1, ...CONSOLE }, 'the first run', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: false });
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 60_000);
  afterEach(() => site.endTest());

  it('shows a welcome page with links', async () => {
    const page = await site.open('/', { on: 'phone', colorScheme: 'dark' });
    await page.getByRole('heading', { level: 1, name: 'Welcome to Risk Posture' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await site.look(page, 'first-run-phone');
    await page.getByRole('link', { name: 'Go to Uploads' }).click();
    await page.waitForURL('**/app/uploads');
    await page.goBack();
    await page.getByRole('link', { name: 'Go to Integrations' }).click();
    await page.waitForURL('**/app/integrations');
  });

  it('refers a viewer to an admin or analyst', async () => {
    const added = await site.client.request(
      'POST',
      '/api/v3/credentials',
      JSON.stringify({ username: 'looker', role: 'viewer' }),
      { 'content-type': 'application/json' },
    );
    const page = await site.open('/', { as: { username: 'looker', password: added.body.password } });
    await page.getByText('You cannot upload signals.').waitFor();
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
  });

  it('copies a working curl command, and then shows the overview automatically', async () => {
    const page = await site.open('/');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the command that loads the demo data' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('npm run demo');
    await site.look(page, 'first-run');
    await page.getByRole('button', { name: 'Copy the curl command that sends a first signal' }).click();
    await page.getByText('Paste it into a terminal.').last().waitFor();
    const line = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(line).toBe(await page.locator('pre').first().textContent());
    await page.evaluate('isTheSamePage = true');

    const release = await holdScorer(site.service.databaseUrl);
    try {
      const { stdout } = await run('sh', ['-c', line]);
      expect(JSON.parse(stdout)).toMatchObject({ success: true, accepted: 1, ignored: 0, warnings: [] });
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await page.getByText('The score is being calculated.').waitFor();
    } finally {
      await release();
    }
    await waitUntilLoaded(page);
    expect(await page.evaluate('isTheSamePage')).toBe(true);
    const [asset] = await site.client.all('/api/v3/assets');
    expect(asset.name).toBe('web01.halden.example');
    await page.getByRole('link', { name: 'web01.halden.example' }).waitFor();
    await site.look(page, 'overview-first-signal');
  });
});
