import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { plainSignal, zipOf } from '../support/api-client.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { ADMIN } from '../support/started-standalone.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';
import { oneDecimal } from './shown.ts';

const START_MS_MAX = 240_000;
const TEST_MS_MAX = 90_000;
const UNKNOWN = '00000000-0000-4000-8000-00000000dead';

/** A signal of the finding whose history is tested, with a given severity. */
const printerSignal = (value: number) => {
  const { securityContext, ...signal } = plainSignal('Printer speaks to strangers', 'printer77.example.com');
  return {
    ...signal,
    description: 'The printer answers everybody.',
    source: { name: 'scanner-x' },
    entity: { type: 'machine', name: 'printer77.example.com' },
    securityContext: {
      ...securityContext,
      severity: { type: 'cvss', value },
      standardsMapping: [
        { name: 'cve', value: 'CVE-2021-44228' },
        { name: 'ttp', value: 'T1059.001' },
      ],
      evidence: { observationText: `answered ${value}` },
      remediation: {
        description: 'Close the port.',
        reference: 'https://printer.example.com/advisory?id=7',
      },
    },
  };
};

describeInRun({ shares: 3, turn: 2, ...CONSOLE }, 'an asset and a finding', () => {
  let site: ConsoleSite;
  let uploads: string[];
  /** The printer's finding. */
  let findingId: string;

  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: true });
    uploads = [];
    for (const [entry, severity] of [
      ['first.json', 7.5],
      ['second.json', 9.8],
    ] as const) {
      const { body } = await site.client.zip(await zipOf({ [entry]: printerSignal(severity) }));
      await site.client.folded(body.uploadId);
      uploads.push(body.uploadId);
    }
    const [printer] = await site.client.all('/api/v3/findings?name=Printer%20speaks');
    findingId = printer.id;
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 120_000);
  afterEach(() => site.endTest({ but: [/status of (404|400|409)/] }));

  const finding = (query = '') => site.client.get(`/api/v3/findings/${findingId}${query}`);
  const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  /** The score. */
  const risk = (page: Page) =>
    section(page, 'Risk')
      .locator('div', { has: page.getByText('of 100', { exact: true }) })
      .last();
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  /** The demo asset with the most data. */
  async function richAsset(): Promise<any> {
    const { items } = await site.client.get('/api/v3/assets?sort=-score&limit=1');
    return items[0];
  }

  async function failedFinding(): Promise<any> {
    const { items } = await site.client.get('/api/v3/findings?state=Failed&limit=1');
    return items[0];
  }

  describe('an asset', () => {
    it(
      'shows its data',
      async () => {
        const asset = await richAsset();
        const page = await site.open(`/assets/${asset.id}`);
        await heading(page, asset.name).waitFor();
        const about = section(page, 'Details');
        for (const known of [asset.type, asset.department, asset.location, asset.os, asset.fqdn].concat(
          asset.ipAddresses,
          asset.macAddresses,
          asset.sources.join(', '),
        )) {
          if (known) await about.getByText(known, { exact: true }).first().waitFor();
        }
        const score = await site.client.get(`/api/v3/assets/${asset.id}/score`);
        const ofRisk = section(page, 'Risk');
        await risk(page)
          .filter({ hasText: oneDecimal(score.score) })
          .waitFor();
        const bars = ofRisk.getByRole('list', { name: 'Contributions' }).getByRole('listitem');
        expect(await bars.count()).toBe(Math.min(score.contributions.length, 5));
        const [greatest] = score.contributions;
        await bars.first().getByText(greatest.why, { exact: false }).waitFor();
        await bars
          .first()
          .getByText(`${greatest.share.toFixed(2)} points`)
          .waitFor();
        await section(page, 'Risk over time')
          .getByRole('img', { name: /^Risk score over time/ })
          .waitFor();
        await section(page, 'Score changes').getByRole('list').waitFor();
        await section(page, 'Findings').getByRole('table').waitFor();
        await site.look(page, 'asset');
        await page.mouse.wheel(0, 5_000);
        await site.look(page, 'asset-below');
        await bars.first().getByRole('link').click();
        await heading(page, greatest.name).waitFor();
      },
      TEST_MS_MAX,
    );

    it(
      'shows what each source said of it, and which values are shown',
      async () => {
        for (const [source, location] of [
          ['scanner-y', 'Oslo'],
          ['scanner-z', 'Pune'],
        ] as const) {
          const { securityContext: _, ...signal } = plainSignal('About a disputed host', 'disputed01');
          const described = {
            ...signal,
            entityOnly: true,
            source: { name: source },
            entity: {
              type: 'machine',
              name: 'disputed01',
              entityAttributes: { tags: { location, owner: `team ${location}` } },
            },
          };
          const config = { shouldUpdateExistingAssetsMetadata: true };
          const { body } = await site.client.zip(await zipOf({ '1.json': described, 'config.json': config }));
          await site.client.folded(body.uploadId);
        }
        const [asset] = await site.client.all('/api/v3/assets?name=disputed01');
        const page = await site.open(`/assets/${asset.id}`);
        const rows = section(page, 'Data by source').getByRole('row');
        await rows.filter({ hasText: 'scanner-z' }).getByText('Location: Pune').waitFor();
        const shown = async (source: string) =>
          (await rows.filter({ hasText: source }).locator('b').allTextContents()).join(', ');
        expect(await shown('scanner-z')).toBe('Pune, team Pune');
        expect(await shown('scanner-y')).toBe('');
        await section(page, 'Data by source').scrollIntoViewIfNeeded();
        await site.look(page, 'asset-sources');
      },
      TEST_MS_MAX,
    );

    it(
      'filters, sorts and pages its findings in the address bar',
      async () => {
        const asset = await richAsset();
        const page = await site.open(`/assets/${asset.id}?state=Failed`);
        const table = section(page, 'Findings');
        const failed = await site.client.get(
          `/api/v3/assets/${asset.id}/findings?state=Failed&sort=-severity&limit=25`,
        );
        const rows = table.getByRole('row');
        await table.getByText(new RegExp(`^${failed.items.length} on page 1`)).waitFor();
        expect(await rows.count()).toBe(failed.items.length + 1);
        const first = failed.items[0];
        await rows.nth(1).getByText(first.name, { exact: true }).waitFor();
        await rows.nth(1).getByText(String(first.instanceCount), { exact: true }).waitFor();

        await table.getByRole('button', { name: 'Finding' }).click();
        await page.waitForURL(/sort=name/);
        const byName = await site.client.get(
          `/api/v3/assets/${asset.id}/findings?state=Failed&sort=name&limit=25`,
        );
        await rows.nth(1).getByText(byName.items[0].name, { exact: true }).waitFor();

        await table.getByRole('searchbox').fill('zzzznothing');
        await table.getByText('No findings match these filters').waitFor();
        expect(page.url()).toContain('q=zzzznothing');
        await page.reload();
        await table.getByText('No findings match these filters').waitFor();
      },
      TEST_MS_MAX,
    );

    it(
      'reports an unknown id, also in dark mode',
      async () => {
        const page = await site.open(`/assets/${UNKNOWN}`, { colorScheme: 'dark' });
        await heading(page, 'Asset not found').waitFor();
        await page.goto(`${site.url}/app/assets/${(await richAsset()).id}`);
        await section(page, 'Score changes').getByRole('list').waitFor();
        await site.look(page, 'asset-dark');
      },
      TEST_MS_MAX,
    );
  });

  describe('a finding', () => {
    it(
      'shows its data, with links',
      async () => {
        const page = await site.open(`/findings/${findingId}`);
        await heading(page, 'Printer speaks to strangers').waitFor();
        await section(page, 'Description').getByText('The printer answers everybody.').waitFor();
        const reference = section(page, 'Remediation').getByRole('link');
        expect(await reference.getAttribute('href')).toBe('https://printer.example.com/advisory?id=7');
        expect(await reference.getAttribute('rel')).toBe('noopener noreferrer');
        await section(page, 'Evidence').getByText('answered 9.8').waitFor();
        const known = section(page, 'CVEs and techniques');
        expect(await known.getByRole('link', { name: 'CVE-2021-44228' }).getAttribute('href')).toBe(
          '/app/findings?cve=CVE-2021-44228',
        );
        await known.getByText('PowerShell').waitFor();
        await known.getByText('Execution').waitFor();
        await section(page, 'Details').getByText('scanner-x').waitFor();
        await section(page, 'Status').getByText('Counted').waitFor();
        await section(page, 'Instances (1)').getByRole('row').nth(1).getByText('Failed').waitFor();
        await site.look(page, 'finding');
        await page.getByRole('link', { name: 'printer77.example.com' }).first().click();
        await heading(page, 'printer77.example.com').waitFor();
      },
      TEST_MS_MAX,
    );

    it(
      'shows the decision that is stored with the score, after the finding',
      async () => {
        let isScored = false;
        const page = await site.open('/findings');
        await page.route(`**/api/v3/findings/${findingId}`, async (route) => {
          const response = await route.fetch();
          return route.fulfill({
            response,
            json: { ...(await response.json()), ...(!isScored && { ssvc: null }) },
          });
        });
        await page.goto(`${site.url}/app/findings/${findingId}`);
        await page.getByText('Live', { exact: true }).waitFor();
        await section(page, 'Details').getByText('scanner-x').waitFor();
        expect(await section(page, 'SSVC decision').count()).toBe(0);
        isScored = true;
        const { securityContext: _, ...signal } = printerSignal(9.8);
        const entity = { ...signal.entity, entityAttributes: { criticality: 'critical' } };
        const zip = await zipOf({
          '1.json': { ...signal, entity, entityOnly: true },
          'config.json': { shouldUpdateExistingAssetsMetadata: true },
        });
        const { body } = await site.client.zip(zip);
        await site.client.folded(body.uploadId);
        await section(page, 'SSVC decision').waitFor();
      },
      TEST_MS_MAX,
    );

    it(
      'is not counted after it is accepted, and counted after a revert, without a reload',
      async () => {
        const { assetId } = await finding();
        const page = await site.open(`/findings/${findingId}`);
        const other = await site.open(`/assets/${assetId}`);
        const score = await site.client.get(`/api/v3/assets/${assetId}/score`);
        await risk(other)
          .filter({ hasText: oneDecimal(score.score) })
          .waitFor();

        await page.getByRole('button', { name: 'Accept the risk' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
        await dialog.getByText('Enter a rationale.').waitFor();
        await dialog.getByLabel('Rationale').fill('Behind a firewall, see RISK-42');
        await dialog.getByLabel('Until').fill('2100-01-31T12:00:00');
        await site.look(page, 'finding-accept');
        await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
        await section(page, 'Status').getByText('Behind a firewall, see RISK-42').waitFor();
        expect((await finding()).accepted).toMatchObject({
          by: 'admin',
          rationale: 'Behind a firewall, see RISK-42',
          until: '2100-01-31T12:00:00.000Z',
        });
        await section(page, 'History').getByRole('listitem').nth(2).getByText('by admin').first().waitFor();
        await risk(other).filter({ hasText: '0.0' }).waitFor();

        await page.getByRole('button', { name: 'Revert' }).click();
        await dialog.getByLabel('Failed').check();
        await dialog.getByLabel('Rationale').fill('The firewall is gone');
        await dialog.getByRole('button', { name: 'Revert' }).click();
        await section(page, 'Status').getByText('Held as Failed by').waitFor();
        expect(await finding()).toMatchObject({ state: 'Failed', heldFailed: { by: 'admin' } });
        await risk(other)
          .filter({ hasText: oneDecimal(score.score) })
          .waitFor();

        await page.getByRole('button', { name: 'End the hold' }).click();
        await dialog.getByRole('button', { name: 'End the hold' }).click();
        await dialog.waitFor({ state: 'detached' });
        expect(await finding()).toMatchObject({ state: 'NotAssessed', heldFailed: null });
      },
      TEST_MS_MAX,
    );

    it(
      'shows its history, each step with links to its cause and to that time',
      async () => {
        const page = await site.open(`/findings/${findingId}`);
        const history = await site.client.all(`/api/v3/findings/${findingId}/history`);
        const steps = section(page, 'History').getByRole('listitem');
        await steps.nth(history.length - 1).waitFor();
        expect(await steps.count()).toBe(history.length);
        for (const [i, entry] of ['first.json', 'second.json'].entries()) {
          await steps.nth(i).getByText(`entry ${entry}`, { exact: false }).waitFor();
          const link = steps.nth(i).getByRole('link', { name: 'ZIP upload' });
          expect(await link.getAttribute('href')).toBe(`/app/uploads/${uploads[i]}`);
        }
        await steps.nth(1).getByText('answered 9.8', { exact: false }).first().waitFor();
        for (const [i, { position }] of history.entries()) {
          await steps
            .nth(i)
            .getByText(`${position.topic}/${position.partition}/${position.offset}`)
            .waitFor();
        }
        await steps
          .first()
          .getByRole('button', { name: /Initial values/ })
          .click();
        await steps.first().getByText('The printer answers everybody.').waitFor();
        await page.mouse.wheel(0, 5_000);
        await site.look(page, 'finding-history');

        await steps.first().getByRole('link', { name: 'Show at this time' }).click();
        await page.waitForURL(/asOf=/);
        await section(page, 'Evidence').getByText('answered 7.5').waitFor();
        // The history is another request.
        await steps.nth(1).waitFor({ state: 'detached' });
        expect(await steps.count()).toBe(1);
        expect(await page.getByRole('button', { name: 'Accept the risk' }).count()).toBe(0);
      },
      TEST_MS_MAX,
    );

    it(
      'shows the current state after a concurrent change',
      async () => {
        const { id, name } = await failedFinding();
        const page = await site.open(`/findings/${id}`);
        await page.getByRole('button', { name: 'Accept the risk' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Rationale').fill('I thought it was open');
        const { status } = await site.client.request(
          'POST',
          `/api/v3/findings/${id}/accept`,
          JSON.stringify({ rationale: 'I was faster' }),
          { 'content-type': 'application/json' },
        );
        expect(status).toBe(200);
        await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
        const alert = dialog.getByRole('alert');
        await alert
          .getByText('Rejected by the service: only a Failed finding can be accepted', { exact: false })
          .waitFor();
        await alert.getByText('The finding has changed').waitFor();
        await alert.getByText('Accepted', { exact: true }).waitFor();
        await site.look(page, 'finding-changed-meanwhile');
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await section(page, 'Status').getByText('I was faster').waitFor();
        expect((await site.client.get(`/api/v3/findings/${id}`)).name).toBe(name);
      },
      TEST_MS_MAX,
    );

    it(
      'is assigned, given a due date, tagged and linked to a ticket',
      async () => {
        const { id } = await failedFinding();
        const page = await site.open(`/findings/${id}`, { on: 'tablet' });
        const triage = section(page, 'Triage');
        const dialog = page.getByRole('dialog');
        const change = async (what: string, fields: Record<string, string>) => {
          const button = triage.getByRole('button', { name: `Change: ${what}` });
          if ((await dialog.count()) === 0) await button.click();
          for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
          await dialog.getByRole('button', { name: 'Save' }).click();
        };
        const changed = async (what: string) => {
          await dialog.waitFor({ state: 'detached' });
          const label = await page.locator('button:focus').getAttribute('aria-label');
          expect(label).toBe(`Change: ${what}`);
        };
        await triage.getByRole('button', { name: 'Change: Assignee' }).click();
        await dialog.getByRole('button', { name: 'Me' }).click();
        await change('Assignee', {});
        await changed('Assignee');
        await triage.getByRole('link', { name: ADMIN.username }).waitFor();
        await change('Due', { 'Due date': '2026-01-31', Reason: 'PCI DSS' });
        await changed('Due');
        await triage.getByText('Overdue', { exact: true }).waitFor();
        await change('Tags', { 'Tags to add': 'Dmz, sch\u00f6n' });
        await dialog.getByText('1 to 50 letters', { exact: false }).waitFor();
        await change('Tags', { 'Tags to add': 'Dmz, urgent' });
        await changed('Tags');
        await triage.getByRole('link', { name: 'dmz' }).waitFor();
        const ticket = { 'Address of the ticket': 'http://t.example/1', 'Name of the ticket': 'RISK-1' };
        await change('Tickets', ticket);
        await dialog.getByText('https address', { exact: false }).waitFor();
        await change('Tickets', { ...ticket, 'Address of the ticket': 'https://t.example/1' });
        await changed('Tickets');
        await triage.getByRole('link', { name: 'RISK-1' }).waitFor();
        expect(await site.client.get(`/api/v3/findings/${id}`)).toMatchObject({
          assignee: { type: 'user', name: ADMIN.username },
          due: '2026-01-31T23:59:59.999Z',
          dueReason: 'PCI DSS',
          tags: ['dmz', 'urgent'],
          tickets: [{ url: 'https://t.example/1', label: 'RISK-1' }],
        });

        // Someone else is faster.
        await triage.getByRole('button', { name: 'Change: Assignee' }).click();
        await site.client.request(
          'POST',
          `/api/v3/findings/${id}/assign`,
          JSON.stringify({ assignee: { type: 'team', name: 'blue' } }),
          { 'content-type': 'application/json' },
        );
        await change('Assignee', {});
        await dialog.getByText('it has changed since', { exact: false }).waitFor();
        await dialog.getByRole('button', { name: 'Use the current state' }).click();
        expect(await dialog.getByLabel('Name').inputValue()).toBe('blue');
        await site.look(page, 'finding-triage');
      },
      TEST_MS_MAX,
    );

    it(
      'shows comments as text of their authors, and keeps a comment that is not sent over a reload',
      async () => {
        const page = await site.open(`/findings/${findingId}`, { on: 'phone' });
        const comments = section(page, 'Comments');
        const text =
          '# Patched\n\nOn **web01**, @admin please verify `@admin`\n\n' +
          '<img src=x onerror=alert(1)> ![pixel](https://t.example/p.png) [run](javascript:alert(1)) ' +
          `[proof](https://t.example/proof) ${'x'.repeat(120)}`;
        await comments.getByRole('textbox', { name: 'Comment' }).fill(text);
        await page.reload();
        await comments.getByRole('textbox', { name: 'Comment' }).waitFor();
        expect(await comments.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe(text);
        await comments.getByRole('button', { name: 'Comment' }).click();
        const comment = comments.getByRole('listitem');
        await comment.getByText(ADMIN.username, { exact: true }).waitFor();
        await comment.locator('strong', { hasText: '@admin' }).waitFor();
        await comment.getByText('<img src=x onerror=alert(1)>', { exact: false }).waitFor();
        const links = comment.getByRole('link');
        expect(await links.allTextContents()).toEqual(['proof']);
        expect(await links.getAttribute('rel')).toBe('noopener noreferrer');
        expect(await comment.locator('img, h1, script').count()).toBe(0);
        expect(await comments.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('');
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
        await comments.scrollIntoViewIfNeeded();
        await site.look(page, 'finding-comments-phone');

        const deep = `${'>'.repeat(4_000)} quoted`;
        const post = JSON.stringify({ text: deep });
        await site.client.request('POST', `/api/v3/findings/${findingId}/comments`, post);
        await page.reload();
        await comment.getByText(deep, { exact: true }).waitFor();
        await section(page, 'Triage').getByText('Assignee').waitFor();
      },
      TEST_MS_MAX,
    );

    it(
      'shows a comment that is sent after those of the first page',
      async () => {
        const { items } = await site.client.get('/api/v3/findings?state=Failed&limit=2');
        const { id } = items[1];
        const post = (text: string) =>
          site.client.request('POST', `/api/v3/findings/${id}/comments`, JSON.stringify({ text }));
        await Promise.all(Array.from({ length: 51 }, (_, i) => post(`no. ${i}`)));
        const page = await site.open(`/findings/${id}`);
        const comments = section(page, 'Comments');
        await comments.getByRole('button', { name: 'Show later comments' }).waitFor();
        await comments.getByRole('textbox', { name: 'Comment' }).fill('the newest');
        await comments.getByRole('button', { name: 'Comment', exact: true }).click();
        await comments.getByRole('listitem').getByText('the newest', { exact: true }).waitFor();
        expect(await comments.getByRole('listitem').count()).toBe(52);
        expect(await comments.getByRole('button', { name: 'Show later comments' }).count()).toBe(0);
      },
      TEST_MS_MAX,
    );

    it(
      'offers no actions to a viewer',
      async () => {
        const { status, body } = await site.client.request(
          'POST',
          '/api/v3/credentials',
          JSON.stringify({ username: 'looker', role: 'viewer' }),
          { 'content-type': 'application/json' },
        );
        expect(status).toBe(200);
        const { id, name } = await failedFinding();
        const page = await site.open(`/findings/${id}`, {
          as: { username: 'looker', password: body.password },
          on: 'phone',
        });
        await heading(page, name).waitFor();
        await section(page, 'History').getByRole('listitem').first().waitFor();
        expect(await page.getByRole('button', { name: 'Accept the risk' }).count()).toBe(0);
        await section(page, 'Triage').getByText('Assignee').waitFor();
        expect(await page.getByRole('button', { name: /^Change:|^Comment$/ }).count()).toBe(0);
        await site.look(page, 'finding-phone');
        await page.goto(`${site.url}/app/assets/${(await richAsset()).id}`);
        await section(page, 'Score changes').getByRole('list').waitFor();
        await site.look(page, 'asset-phone');
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      },
      TEST_MS_MAX,
    );

    it(
      'reports an unknown id',
      async () => {
        const page = await site.open(`/findings/${UNKNOWN}`, { colorScheme: 'dark' });
        await heading(page, 'Finding not found').waitFor();
        await page.goto(`${site.url}/app/findings/not-an-id`);
        await heading(page, 'Finding not found').waitFor();
        await site.look(page, 'finding-missing');
        await page.goto(`${site.url}/app/findings/${findingId}`);
        await section(page, 'History').getByRole('listitem').first().waitFor();
        await site.look(page, 'finding-dark');
      },
      TEST_MS_MAX,
    );
  });
});
