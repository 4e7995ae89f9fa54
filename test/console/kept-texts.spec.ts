import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { projectFile } from '#libs/project-files';
import { plainSignal, zipOf } from '../support/api-client.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';

jest.setTimeout(180_000);

const SOURCES = fileURLToPath(projectFile('apps/console/src'));
/** Forms that keep nothing over a reload, and why. */
const KEPT_NOWHERE: Record<string, string> = {
  'assets/custom-field-filter.tsx': 'a filter, in the address once it is applied',
  'integrations/finding-filters.tsx': 'a filter, in the address once it is applied',
  'parts/filters/text-filters.tsx': 'a filter, in the address once it is applied',
  'settings/audit/audit-filters.tsx': 'a filter, in the address once it is applied',
  'time/instant-form.tsx': 'a time, in the address once it is applied',
  'integrations/remove-integration.tsx': 'the name is typed again to confirm the removal',
  'session/sign-in-form.tsx': 'a password',
  'settings/second-factor/setup.tsx': 'a password and a code',
  'settings/second-factor/code-dialog.tsx': 'a code',
  'settings/webhooks/ticket-secret.tsx': 'a secret',
  'settings/settings-form.tsx': 'has no fields: policies, SLA and losses keep theirs',
  'plans/plan.page.tsx': 'has no fields',
  'uploads/report-options-form.tsx': 'of a chosen file, which a reload loses',
};
/** `DraftTextarea` in a component of its fields. */
const KEPT_BY_FIELDS = ['findings/triage/finding-comments.tsx'];

describe('forms of the console', () => {
  it('keep what is typed over a reload, or have a reason', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
    const forms = files.filter(
      (file) =>
        file.endsWith('.tsx') && /<form\b|component="form"/.test(readFileSync(`${SOURCES}/${file}`, 'utf8')),
    );
    expect(forms.length).toBeGreaterThan(25);
    const isKept = (file: string) => {
      const text = readFileSync(`${SOURCES}/${file}`, 'utf8');
      return /\buseKept(Fields)?[<(]|\buseIntegrationForm\(|\bDraftTextarea\b/.test(text);
    };
    const lost = forms.filter(
      (file) => !isKept(file) && !(file in KEPT_NOWHERE) && !KEPT_BY_FIELDS.includes(file),
    );
    expect(lost).toEqual([]);
    expect([...Object.keys(KEPT_NOWHERE), ...KEPT_BY_FIELDS].filter((file) => !forms.includes(file))).toEqual(
      [],
    );
  });
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const dialog = (page: Page) => page.getByRole('dialog');
const field = (page: Page, name: string) => dialog(page).getByRole('textbox', { name, exact: false });

describeInRun({ shares: 3, turn: 0, ...CONSOLE }, 'what is typed', () => {
  let site: ConsoleSite;
  let findingId: string;

  const send = async (method: string, path: string, body: object) => {
    const { status, body: answer } = await site.client.request(method, path, JSON.stringify(body));
    expect({ path, status, answer }).toMatchObject({ status: 200 });
    return answer;
  };
  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: false });
    const { body } = await site.client.zip(await zipOf({ 'a.json': plainSignal('Weak cipher', 'web01') }));
    await site.client.folded(body.uploadId);
    findingId = (await site.client.get('/api/v3/findings')).items[0].id;
    await send('PATCH', '/api/v3/notification-settings', {
      email: { url: 'smtp://mail.example', from: 'risk@example.com', domains: ['example.com'] },
    });
  }, 240_000);
  afterAll(() => site?.stop(), 120_000);
  afterEach(() => site.endTest({ but: [/ERR_INTERNET_DISCONNECTED/] }));

  it.each<[section: string, open: string, texts: Record<string, string>]>([
    ['departments', 'Add a department', { Name: 'Research' }],
    ['custom-fields', 'Add a custom field', { Name: 'Cost centre' }],
    ['credentials', 'Add a credential', { 'User name': 'bo' }],
    ['webhooks', 'Add a webhook', { URL: 'https://siem.example/hook' }],
    ['reports', 'Add a report schedule', { Name: 'Weekly', 'Mail server': 'smtp://mail.example' }],
    ['identity-providers', 'Add an identity provider', { Issuer: 'https://id.example', 'Client ID': 'risk' }],
    ['owner-rules', 'Add a rule', { Name: 'platform' }],
    ['os-mapping', 'Add a row', { Pattern: '*bsd*' }],
  ])('in %s survives a reload until it is sent or cancelled', async (section, open, texts) => {
    const page = await site.open(`/settings/${section}`);
    await press(page, open);
    for (const [name, text] of Object.entries(texts)) await field(page, name).first().fill(text);
    await page.reload();
    await press(page, open);
    for (const [name, text] of Object.entries(texts)) {
      expect([name, await field(page, name).first().inputValue()]).toEqual([name, text]);
    }
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await press(page, open);
    for (const name of Object.keys(texts)) expect(await field(page, name).first().inputValue()).toBe('');
  });

  it('and chosen in a form is kept with it, but no secret', async () => {
    const page = await site.open('/settings/credentials');
    await press(page, 'Add a credential');
    await field(page, 'User name').fill('bo');
    await dialog(page).getByRole('radio', { name: 'viewer' }).check();
    await page.reload();
    await press(page, 'Add a credential');
    await dialog(page).getByRole('radio', { name: 'viewer', checked: true }).waitFor();
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('bo was added.').waitFor();

    const other = await site.open('/integrations?add=falcon');
    await other.getByLabel('URL').fill('https://edr.example');
    await other.getByLabel('Client secret', { exact: false }).first().fill('never-kept');
    await other.reload();
    await other.getByLabel('URL').waitFor();
    expect(await other.getByLabel('URL').inputValue()).toBe('https://edr.example');
    expect(await other.getByLabel('Client secret', { exact: false }).first().inputValue()).toBe('');
    expect(await other.evaluate('JSON.stringify(sessionStorage)')).not.toContain('never-kept');
  });

  it('in preferences of notifications survives a reload and a lost network', async () => {
    const page = await site.open('/notifications/preferences');
    await page.getByLabel('Such findings are overdue').uncheck();
    await page.getByLabel('Channel').selectOption('E-mail');
    await page.getByLabel('E-mail address').fill('ana@example.com');
    await page.getByRole('combobox', { name: 'Teams that I follow' }).fill('platform');
    await page.getByRole('combobox', { name: 'Teams that I follow' }).press('Enter');
    await page.getByLabel('Quiet hours').check();
    await page.getByLabel('From').fill('20:15');
    await page.reload();
    await page.getByLabel('E-mail address').waitFor();
    const typed = async () => [
      await page.getByLabel('E-mail address').inputValue(),
      await page.getByLabel('From').inputValue(),
      await page.getByLabel('Such findings are overdue').isChecked(),
      await page.getByText('platform', { exact: true }).count(),
    ];
    expect(await typed()).toEqual(['ana@example.com', '20:15', false, 1]);
    await page.context().setOffline(true);
    await press(page, 'Save');
    // It waits for the network.
    expect(await typed()).toEqual(['ana@example.com', '20:15', false, 1]);
    await page.context().setOffline(false);
    await page.getByText('Your preferences are saved.').waitFor();
    const stored = await site.client.get('/api/v3/notifications/preferences');
    expect(stored).toMatchObject({
      address: 'ana@example.com',
      teams: ['platform'],
      quiet: { from: '20:15' },
    });
    await page.reload();
    await page.getByText('Present address: ana@example.com', { exact: false }).waitFor();
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('');
  });

  it('in settings survives a reload as an unsaved change', async () => {
    const page = await site.open('/settings/policies');
    const days = page.getByRole('textbox', { name: 'Vulnerability', exact: false }).first();
    await days.fill('77');
    await page.getByRole('button', { name: 'Discard', exact: false }).waitFor();
    page.on('dialog', (asked) => void asked.accept());
    await page.reload();
    await days.waitFor();
    expect(await days.inputValue()).toBe('77 days');
    await press(page, 'Discard');
    expect(await days.inputValue()).not.toBe('77 days');
  });

  it('in settings is not lost at a click on another section without a question', async () => {
    const page = await site.open('/settings/sla');
    const critical = page.getByRole('textbox', { name: 'Critical' });
    await critical.fill('7');
    await page.getByText('One unsaved change').waitFor();
    const asked: string[] = [];
    const answers = ['dismiss', 'dismiss', 'accept'] as const;
    page.on('dialog', async (question) => {
      const answer = answers[asked.length]!;
      asked.push(question.message());
      await question[answer]();
    });
    const roles = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Roles' });
    await roles.click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click();
    expect([page.url(), await critical.inputValue()]).toEqual([`${site.url}/app/settings/sla`, '7 days']);
    await roles.click();
    await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor();
    expect(asked).toEqual(Array(3).fill('Leave this page? Changes that are not saved may be lost.'));
  });

  it('in acts on many findings survives a reload, and ends with the dialog: it is about these findings', async () => {
    const page = await site.open('/findings');
    const open = async () => {
      await page.getByRole('row').nth(1).getByRole('checkbox').check();
      await press(page, 'Accept …');
    };
    await open();
    await dialog(page).getByLabel('Rationale').fill('behind the firewall');
    await page.reload();
    await open();
    expect(await dialog(page).getByLabel('Rationale').inputValue()).toBe('behind the firewall');
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await press(page, 'Accept …');
    expect(await dialog(page).getByLabel('Rationale').inputValue()).toBe('');
  });

  it('in an act that replaces a value does not put back what another user has replaced', async () => {
    const due = (day: string) => send('POST', `/api/v3/findings/${findingId}/due`, { due: day });
    await due('2098-05-01');
    const page = await site.open(`/findings/${findingId}`);
    const open = () => page.getByRole('button', { name: 'Change: Due' }).click();
    await open();
    expect(await dialog(page).getByLabel('Due date').inputValue()).toBe('2098-05-01');
    await field(page, 'Reason').fill('after the release');
    await due('2098-06-01');
    await page.reload();
    await open();
    expect(await field(page, 'Reason').inputValue()).toBe('after the release');
    expect(await dialog(page).getByLabel('Due date').inputValue()).toBe('2098-06-01');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await site.client.get(`/api/v3/findings/${findingId}`)).toMatchObject({
      due: '2098-06-01T23:59:59.999Z',
      dueReason: 'after the release',
    });
  });

  it('in acts on a finding survives a reload, also in a field that appears later', async () => {
    const page = await site.open(`/findings/${findingId}`);
    await page.getByRole('button', { name: 'Change: Assignee' }).click();
    await dialog(page).getByRole('radio', { name: 'Team' }).check();
    await field(page, 'Name').fill('platform');
    await page.reload();
    await page.getByRole('button', { name: 'Change: Assignee' }).click();
    expect(await field(page, 'Name').inputValue()).toBe('platform');
    await dialog(page).getByRole('radio', { name: 'Team', checked: true }).waitFor();
    await page.keyboard.press('Escape');
    await press(page, 'Accept the risk');
    await dialog(page).getByLabel('Until').fill('2100-01-02T03:04');
    await page.reload();
    await press(page, 'Accept the risk');
    expect(await dialog(page).getByLabel('Until').inputValue()).toBe('2100-01-02T03:04');
  });
});
