import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInRun } from '../support/part-of-run.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';
import { oneDecimal } from './shown.ts';

const START_MS_MAX = 240_000;
jest.setTimeout(120_000);

const KINDS = [
  ['Departments', 'Department', 'department', 'departments'],
  ['Locations', 'Location', 'location', 'locations'],
  ['Attack surfaces', 'Surface', 'attackSurface', 'attack-surfaces'],
  ['Asset types', 'Asset type', 'type', 'asset-types'],
] as const;
const row = (criticality: string, min: number, max: number, department: string | null = null) => ({
  currency: 'EUR',
  department,
  criticality,
  min,
  max,
});
const RANGES = [row('critical', 50_000, 2_000_000), row('medium', 1_000, 20_000)];
/** Every compromised asset has a loss. */
const WHOLE_RANGES = ['critical', 'high', 'medium', 'low', 'info'].map((level) => row(level, 5_000, 90_000));
const LOSS = 'Expected annual loss';
const LOSS_FIXES = 'Fixes that avoid most loss';

const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const field = (page: Page, label: string) =>
  page.locator('input').and(page.getByLabel(label, { exact: true }));
const said = (page: Page, text: string) => page.getByText(text, { exact: false }).first().waitFor();
const percent = (likelihood: number) => `${(likelihood * 100).toFixed(1)} %`;

describeInRun({ shares: 3, turn: 0, ...CONSOLE }, 'risk', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: true });
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 180_000);
  // Caused by the tests: browsers report error responses as failed requests.
  afterEach(() => site.endTest({ but: [/status of (400|409|429)/] }));

  const change = async (settings: object) => {
    const { status } = await site.client.request('PATCH', '/api/v3/settings', JSON.stringify(settings));
    expect(status).toBe(200);
  };

  describe('the ATT&CK matrix', () => {
    const matrixOf = (query = '') => site.client.get(`/api/v3/attack-matrix?${query}`);
    /** The first technique of the first tactic that has failed findings. */
    const firstFailed = async () => {
      const { tactics } = await matrixOf();
      for (const { name, techniques } of tactics) {
        for (const one of techniques) if (one.findings.failed > 0) return { tactic: name, ...one };
      }
    };

    it('counts findings by technique; a technique leads to them', async () => {
      const page = await site.open('/', { on: 'wide' });
      await page.getByRole('link', { name: 'ATT&CK matrix' }).click();
      await heading(page, 'ATT&CK matrix').waitFor();
      const { tactic, id, name, findings } = await firstFailed();
      const column = region(page, tactic);
      const words = `${id} ${name}: ${findings.failed} failed finding${findings.failed === 1 ? '' : 's'}`;
      const link = column.getByRole('link', { name: words, exact: true });
      await link.waitFor();
      await site.look(page, 'attack-matrix');
      await link.click();
      await page.getByText(new RegExp(`^${findings.failed} findings?$`)).waitFor();
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
        technique: id,
        state: 'Failed',
      });
    });

    it('is entered once by Tab; the arrow keys move within it', async () => {
      const page = await site.open('/attack-matrix');
      const { tactics } = await matrixOf();
      const named = tactics.map(({ techniques }: any) =>
        techniques
          .flatMap((one: any) => [one, ...one.subtechniques])
          .filter((one: any) => one.findings.failed > 0),
      );
      const columns = named.filter((column: any[]) => column.length > 0);
      const focused = () => page.locator('a:focus').textContent();
      const reaches = (id: string) =>
        until(`the focus is on ${id}`, async () => (await focused())?.includes(id) === true);
      await region(page, 'Techniques by tactic').focus();
      await page.keyboard.press('Tab');
      await reaches(columns[0][0].id);
      await page.keyboard.press('ArrowRight');
      await reaches(columns[1][0].id);
      await page.keyboard.press('End');
      await reaches(columns[1].at(-1).id);
      await page.keyboard.press('ArrowLeft');
      await reaches(columns[0][Math.min(columns[1].length, columns[0].length) - 1].id);
      await page.keyboard.press('Home');
      await reaches(columns[0][0].id);
      await page.keyboard.press('Tab');
      expect(await page.locator('[aria-label="Techniques by tactic"] a:focus').count()).toBe(0);
    });

    it('shows detections and controls, the other domains, and only techniques with findings', async () => {
      const page = await site.open('/attack-matrix', { colorScheme: 'dark' });
      await page.getByText('Detections', { exact: true }).click();
      await until('the address follows', () => page.url().includes('heat=detections'));
      const linksOf = () => region(page, 'Techniques by tactic').getByRole('link').count();
      const { tactics } = await matrixOf();
      const detected = tactics
        .flatMap(({ techniques }: any) => techniques.flatMap((one: any) => [one, ...one.subtechniques]))
        .filter((one: any) => one.detections > 0);
      await until('all detections are shown', async () => (await linksOf()) === detected.length);
      await page.getByRole('switch', { name: 'Only techniques with detections' }).click();
      const items = region(page, 'Techniques by tactic').locator('[data-heat]');
      await until('the others are hidden', async () => (await items.count()) < 2 * detected.length + 1);
      await site.look(page, 'attack-matrix-dark');
      await page.getByText('ICS', { exact: true }).click();
      await region(page, 'Inhibit Response Function').waitFor();
    });

    it('saves a Navigator layer, also as of an instant', async () => {
      const page = await site.open('/attack-matrix?asOf=2020-01-01T00:00:00.000Z');
      await said(page, 'Failed findings: none');
      await page.getByRole('button', { name: 'Back to now' }).click();
      await said(page, '1 to ');
      const downloading = page.waitForEvent('download');
      await press(page, 'Export Navigator layer');
      const layer = JSON.parse(await readFile(await (await downloading).path(), 'utf8'));
      const expected = await matrixOf('format=navigator');
      expect(layer.techniques).toEqual(expected.techniques);
    });

    it('is a list on a phone', async () => {
      const page = await site.open('/attack-matrix', { on: 'phone' });
      const { tactic, id } = await firstFailed();
      await page.getByText(tactic, { exact: false }).first().click();
      await page
        .getByRole('link', { name: new RegExp(`^${id} `) })
        .first()
        .waitFor();
      await site.look(page, 'attack-matrix-phone');
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    });
  });

  describe('groups', () => {
    it.each(KINDS)('lists %s, highest score first, each with its page', async (many, label, kind, route) => {
      const page = await site.open('/groups');
      await heading(page, 'Groups').waitFor();
      await page.getByRole('radiogroup', { name: 'Kind of group' }).getByText(label, { exact: true }).click();
      const { items } = await site.client.get(`/api/v3/scores/${route}`);
      const rows = region(page, many).getByRole('row');
      await rows.nth(1).getByText(items[0].name, { exact: true }).waitFor();
      expect(await rows.count()).toBe(items.length + 1);
      expect(await rows.nth(1).textContent()).toContain(oneDecimal(items[0].score));
      expect(await page.getByRole('columnheader', { name: /Forecast/ }).count()).toBe(1);
      const asked = Object.fromEntries(
        ['history', 'explain', 'fixes', 'assets'].map((end) => [
          end,
          page.waitForRequest((request) => new URL(request.url()).pathname.endsWith(`/${end}`)),
        ]),
      );
      await rows.nth(1).getByRole('link').click();
      await heading(page, items[0].name).waitFor();
      for (const request of Object.values(asked)) {
        expect(new URL((await request).url()).searchParams.get(kind)).toBe(items[0].name);
      }
    });

    it('shows score, history, causes, fixes and assets of a group', async () => {
      const [group] = (await site.client.get('/api/v3/scores/departments')).items;
      const query = new URLSearchParams({ department: group.name });
      const page = await site.open(`/groups?${query}`);
      await heading(page, group.name).waitFor();
      await page.getByTestId('score').getByText(oneDecimal(group.score), { exact: true }).waitFor();
      await page.getByRole('img', { name: /In the last 30 days the risk score changed from/ }).waitFor();
      const from = new Date(Date.now() - 86_400_000).toISOString();
      const explained = await site.client.get(
        `/api/v3/scores/organization/explain?from=${from}&limit=10&${query}`,
      );
      const causes = page.getByRole('list', { name: 'Causes, largest first' }).getByRole('listitem');
      await causes.first().getByText(explained.causes[0].assetName).waitFor();
      const fixes = await site.client.get(`/api/v3/scores/fixes?${query}`);
      const listed = page.getByRole('list', { name: 'Fixes, most effective first' });
      await region(page, 'Most effective fixes').getByText('Findings', { exact: true }).click();
      await listed.getByRole('link', { name: fixes.findings[0].name }).first().waitFor();
      await region(page, 'Most effective fixes').getByText('CVEs', { exact: true }).click();
      const fix = listed.getByRole('link', { name: fixes.cves[0].id }).first();
      const led = new URL((await fix.getAttribute('href'))!, site.url).searchParams;
      expect([led.get('cve'), led.get('department')]).toEqual([fixes.cves[0].id, group.name]);
      const assets = await site.client.get(`/api/v3/scores/assets?limit=10&${query}`);
      const table = region(page, 'Assets of the group');
      expect(await table.getByRole('link').allTextContents()).toEqual(
        assets.items.map(({ name }: { name: string }) => name),
      );
      expect(await region(page, LOSS).count()).toBe(0);
      await site.look(page, 'group');
      await page.getByRole('link', { name: `All ${group.assets} assets` }).click();
      await page.waitForURL(/\/assets\?/);
      expect(new URL(page.url()).searchParams.get('department')).toBe(group.name);
    });

    it('shows only of the selected kind that no fix lowers the score', async () => {
      const page = await site.open('/');
      const { cves, ...rest } = await site.client.get('/api/v3/scores/fixes');
      await page.route('**/api/v3/scores/fixes', (route) =>
        route.fulfill({ json: { ...rest, cves, findings: [] } }),
      );
      await page.reload();
      const fixes = region(page, 'Most effective fixes');
      await fixes.getByRole('link', { name: cves[0].id }).waitFor();
      await fixes.getByText('Findings', { exact: true }).click();
      await fixes.getByText('Fixing a single finding does not lower the score.').waitFor();
    });

    it('is linked from an asset', async () => {
      const [asset] = (await site.client.get('/api/v3/assets?limit=1')).items;
      const page = await site.open(`/assets/${asset.id}`);
      await region(page, 'Details').getByRole('link', { name: asset.location, exact: true }).click();
      await heading(page, asset.location).waitFor();
      await page.getByRole('link', { name: 'Locations', exact: true }).click();
      await heading(page, 'Groups').waitFor();
      expect(new URL(page.url()).searchParams.get('by')).toBe('location');
    });

    it('reports an unknown group, and one without assets at a past time', async () => {
      const page = await site.open('/groups?location=Nowhere%26%2F..');
      await heading(page, 'Nowhere&/..').waitFor();
      await said(page, 'No assets in this location');
      const [group] = (await site.client.get('/api/v3/scores/asset-types')).items;
      const type = encodeURIComponent(group.name);
      await page.goto(`${site.url}/app/groups?type=${type}&asOf=2020-01-01T00:00:00.000Z`);
      await said(page, 'No assets in this asset type at this time');
    });
  });

  describe('with the model of new sites, posture-2', () => {
    it('shows the likelihood with its interval, forecast and evidence side by side', async () => {
      const page = await site.open('/');
      const { likelihood } = await site.client.get('/api/v3/scores/organization');
      const shown = page.getByRole('group', { name: 'Breach likelihood' });
      await shown.getByText(percent(likelihood.best), { exact: true }).first().waitFor();
      await said(page, `${percent(likelihood.low)} to ${percent(likelihood.high)}`);
      const evidence = shown.getByRole('definition').nth(1);
      expect(await evidence.textContent()).toBe(
        `${percent(likelihood.evidence.best)}${percent(likelihood.evidence.low)} to ${percent(likelihood.evidence.high)}`,
      );
      const [asset] = (await site.client.get('/api/v3/assets?sort=-score&limit=1')).items;
      const score = await site.client.get(`/api/v3/assets/${asset.id}/score`);
      await page.goto(`${site.url}/app/assets/${asset.id}`);
      const risk = region(page, 'Risk');
      await risk.getByText(new RegExp(`: ${score.band}`)).waitFor();
      await risk.getByRole('definition').nth(1).getByText(percent(score.likelihood.evidence.best)).waitFor();
      await page.goto(`${site.url}/app/groups`);
      await page.getByRole('columnheader', { name: 'Evidence, by detections' }).waitFor();
      await site.look(page, 'groups');
    });
  });

  describe('loss', () => {
    it('is not shown and not requested without ranges', async () => {
      const page = await site.open('/');
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.reload();
      await page.getByRole('list', { name: 'Fixes, most effective first' }).waitFor();
      expect(asked).toContain('/api/v3/settings');
      expect(asked).not.toContain('/api/v3/loss');
      expect(await region(page, LOSS).count()).toBe(0);
    });

    it('has a form, with an error at each invalid field', async () => {
      const page = await site.open('/settings/loss');
      await heading(page, 'Loss ranges').waitFor();
      expect(await page.getByRole('button', { name: 'Remove all ranges' }).count()).toBe(0);
      await site.look(page, 'settings-loss');
      const currency = field(page, 'Currency');
      await currency.fill('eurx');
      await field(page, 'Critical, minimum, all departments').fill('900');
      await field(page, 'Critical, maximum, all departments').fill('0');
      await field(page, 'Low, minimum, all departments').fill('7');
      await press(page, 'Add ranges of a department');
      await press(page, 'Save');
      for (const [label, error] of [
        ['Currency', 'Must be an ISO 4217 code such as EUR'],
        ['Critical, maximum, all departments', 'Must not be less than 0.01'],
        ['Low, maximum, all departments', 'Must be a number'],
        ['Department', 'Enter the name of a department'],
      ] as const) {
        await until(
          `${label} is wrong`,
          async () => (await field(page, label).getAttribute('aria-invalid')) === 'true',
        );
        await said(page, error);
      }
      await said(page, 'Set at least one range, or remove the department.');
      await currency.fill('eur');
      await field(page, 'Critical, maximum, all departments').fill('50');
      await field(page, 'Low, minimum, all departments').fill('');
      await press(page, 'Remove the ranges of new department');
      await press(page, 'Save');
      await said(page, 'Min must not be above max');
      const least = field(page, 'Critical, minimum, all departments');
      expect(await least.getAttribute('aria-invalid')).toBe('true');
      await site.look(page, 'settings-loss-wrong');
      await least.fill('');
      await field(page, 'Critical, maximum, all departments').fill('');
      await press(page, 'Save');
      await said(page, 'Set at least one range, or remove all ranges.');
      expect((await site.client.get('/api/v3/settings')).loss).toEqual([]);
    });

    it('saves ranges of all departments and of one, which the audit trail shows', async () => {
      const page = await site.open('/settings/loss');
      await field(page, 'Currency').fill('eur');
      await field(page, 'Critical, minimum, all departments').fill('50000');
      await field(page, 'Critical, maximum, all departments').fill('2000000');
      await press(page, 'Add ranges of a department');
      await field(page, 'Department').fill('Sales');
      await field(page, 'Low, minimum, Sales').fill('0.5');
      await field(page, 'Low, maximum, Sales').fill('90');
      await said(page, '4 unsaved changes');
      await press(page, 'Save');
      await said(page, 'The loss ranges are saved and in effect.');
      expect((await site.client.get('/api/v3/settings')).loss).toEqual([
        row('critical', 50_000, 2_000_000),
        row('low', 0.5, 90, 'Sales'),
      ]);
      await page.getByRole('link', { name: 'Audit trail' }).click();
      const act = page.getByRole('row', { name: /Policies changed/ }).first();
      await act.getByRole('button', { name: /more$/ }).click();
      await act.getByText('Loss ranges of a department: Sales · low 0.5 to 90').waitFor();
      await act.getByText('Loss range, critical: maximum: 2,000,000').waitFor();
    });

    it('asks before it replaces ranges of another admin, and removes all', async () => {
      const page = await site.open('/settings/loss');
      await field(page, 'Info, minimum, all departments').fill('1');
      await field(page, 'Info, maximum, all departments').fill('2');
      await change({ loss: RANGES });
      await press(page, 'Save');
      await said(page, 'Another user changed the settings.');
      expect((await site.client.get('/api/v3/settings')).loss).toEqual(RANGES);
      await press(page, 'Discard');
      await until(
        'their ranges',
        async () => (await field(page, 'Medium, maximum, all departments').inputValue()) === '20,000',
      );
      await press(page, 'Remove all ranges');
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await said(page, 'The loss ranges were removed.');
      expect((await site.client.get('/api/v3/settings')).loss).toEqual([]);
    });

    it('can only be read by other roles', async () => {
      await change({ loss: RANGES });
      const { body } = await site.client.request(
        'POST',
        '/api/v3/credentials',
        JSON.stringify({ username: 'reader', role: 'viewer' }),
      );
      const page = await site.open('/settings/loss', {
        as: { username: 'reader', password: body.password },
      });
      await page.getByRole('cell', { name: '2,000,000' }).waitFor();
      expect(await page.locator('main').getByRole('textbox').count()).toBe(0);
    });

    it('is shown with its curve and the fixes that avoid most of it', async () => {
      await change({ loss: WHOLE_RANGES });
      const [group] = (await site.client.get('/api/v3/scores/departments')).items;
      const ofGroup = `?department=${encodeURIComponent(group.name)}`;
      for (const [path, query] of [
        ['/', ''],
        [`/groups${ofGroup}`, ofGroup],
      ] as const) {
        const page = await site.open(path);
        const { loss } = await site.client.get(`/api/v3/loss${query}`);
        const shown = region(page, LOSS);
        await shown.getByRole('img', { name: /^Loss-exceedance curve\..* probability of 1\.0 %/ }).waitFor();
        const table = shown.getByRole('table', { name: /exceeded with a probability/ });
        expect(await table.getByRole('row').count()).toBe(loss.exceedance.length + 1);
        const money = new Intl.NumberFormat('en-GB', {
          style: 'currency',
          currency: 'EUR',
          notation: 'compact',
          maximumSignificantDigits: 3,
        });
        await shown
          .getByText(money.format(loss.annualLossExpectancy.best), { exact: true })
          .first()
          .waitFor();
        const { fixes } = await site.client.get(`/api/v3/loss/fixes${query}`);
        const listed = region(page, LOSS_FIXES).getByRole('listitem');
        await listed.first().waitFor();
        expect(await listed.count()).toBe(fixes.length);
        expect(await listed.first().textContent()).toContain(`−${money.format(fixes[0].avoidedLoss)}`);
        await site.look(page, query === '' ? 'overview-loss' : 'group-loss');
      }
      const phone = await site.open(`/groups${ofGroup}`, { on: 'phone', colorScheme: 'dark' });
      await region(phone, LOSS_FIXES).getByRole('listitem').first().waitFor();
      expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await site.look(phone, 'group-loss-phone');
    });

    it('states in words that the service is busy, and why there are no amounts', async () => {
      await change({ loss: WHOLE_RANGES });
      const page = await site.open('/');
      const answer = (reply: { status: number; json: object }) =>
        page.route('**/api/v3/loss', (route) => route.fulfill(reply));
      await answer({
        status: 429,
        json: { statusCode: 429, error: 'Too Many Requests', message: '1', retryIn: 1 },
      });
      await page.reload();
      await region(page, LOSS).getByText('The service is busy. Try again in 1 second.').waitFor();
      await page.unroute('**/api/v3/loss');
      await region(page, LOSS).getByRole('button', { name: 'Try again' }).click();
      await region(page, LOSS).getByRole('img').waitFor();
      const none = { currency: 'EUR', scope: 'organization', position: '', loss: null };
      await answer({ status: 200, json: { ...none, reason: 'otherModel' } });
      await page.reload();
      await region(page, LOSS).getByText('Amounts require the scoring model posture-2.').waitFor();
      expect(await region(page, LOSS_FIXES).count()).toBe(0);
    });

    it('shows the fixes again once their scores are computed', async () => {
      await change({ loss: WHOLE_RANGES });
      const page = await site.open('/');
      await page.clock.install();
      const unknown = { currency: 'EUR', scope: 'organization', position: '', fixes: null };
      await page.route('**/api/v3/loss/fixes', (route) =>
        route.fulfill({ json: { ...unknown, reason: 'beingScored' } }),
      );
      await page.reload();
      const fixes = region(page, LOSS_FIXES);
      await fixes
        .getByText('The scores are being calculated again. The amounts appear afterwards.')
        .waitFor();
      await page.unroute('**/api/v3/loss/fixes');
      await page.clock.fastForward(30_000);
      await fixes.getByRole('listitem').first().waitFor();
    });

    it('is not available for past times', async () => {
      await change({ loss: RANGES });
      const page = await site.open(`/?asOf=${new Date().toISOString()}`);
      await region(page, LOSS).getByText('Not available for past times').waitFor();
    });
  });

  /** Last: the tests above need posture-2. */
  describe('after a switch to posture-1', () => {
    beforeAll(async () => {
      await change({ scoringModel: 'posture-1' });
      await until('all assets are scored again', async () => {
        const { items } = await site.client.get('/api/v3/scores/assets?limit=500');
        return items.every(({ model }: { model: string }) => model === 'posture-1');
      });
    });

    it('shows one likelihood for each group', async () => {
      const page = await site.open('/groups');
      await region(page, 'Departments').getByRole('row').nth(1).waitFor();
      expect(await page.getByRole('columnheader', { name: /Forecast/ }).count()).toBe(0);
    });

    it('marks the switch of the model, and explains it', async () => {
      const page = await site.open('/');
      await page.getByRole('img', { name: /^The model changed from posture-2 to posture-1 on/ }).waitFor();
      await said(page, 'Scores and likelihoods of two models cannot be compared.');
      const [asset] = (await site.client.get('/api/v3/assets?sort=-score&limit=1')).items;
      await page.goto(`${site.url}/app/assets/${asset.id}`);
      const history = region(page, 'Risk over time');
      await history.getByRole('img', { name: /The model changed from posture-2 to posture-1/ }).waitFor();
      await history.getByRole('link', { name: 'Show the change' }).click();
      await heading(page, 'Audit trail').waitFor();
      // Another change of the settings may be of the same second.
      const act = page.getByRole('row', { name: /Policies changed/ });
      await act.filter({ hasText: 'posture-2 → posture-1' }).waitFor();
    });

    it('states that a change of the model is not explained', async () => {
      const page = await site.open('/');
      await page.route('**/explain?*', (route) =>
        route.fulfill({
          status: 409,
          json: { statusCode: 409, error: 'Conflict', message: 'to: posture-2 was in force' },
        }),
      );
      const changes = region(page, /^Score changes/);
      await page.reload();
      await changes.getByText('Not available').waitFor();
      expect(await changes.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    });
  });
});
