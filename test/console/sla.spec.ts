import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { plainSignal, zipOf } from '../support/api-client.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { until } from '../support/until.ts';
import { ConsoleSite } from './console-site.ts';
import { CONSOLE } from './describe-console.ts';

const START_MS_MAX = 240_000;
jest.setTimeout(120_000);
const DAY_MS = 86_400_000;

const SLA = {
  severity: { critical: 15, high: 30, medium: 90 },
  ssvc: {},
  kev: null,
  exceptionsNeedEnd: false,
};

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const isWithinWidth = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

/** A vulnerability that failed some days ago. */
const failing = (name: string, severity: number, daysAgo: number, complianceStatus = 'fail') => {
  const { securityContext, ...signal } = plainSignal(name, 'web01.example.com');
  return {
    ...signal,
    firstSeen: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
    securityContext: {
      ...securityContext,
      status: { complianceStatus },
      severity: { type: 'cvss', value: severity },
    },
  };
};

describeInRun({ shares: 3, turn: 1, ...CONSOLE }, 'the SLA', () => {
  let site: ConsoleSite;
  const patch = async (settings: object) => {
    const { status } = await site.client.request('PATCH', '/api/v3/settings', JSON.stringify(settings));
    expect(status).toBe(200);
  };
  const upload = async (...signals: object[]) => {
    const entries = Object.fromEntries(signals.map((signal, i) => [`${i}.json`, signal]));
    const { body } = await site.client.zip(await zipOf(entries));
    await site.client.folded(body.uploadId);
  };
  const named = async (name: string) =>
    (await site.client.get(`/api/v3/findings?name=${encodeURIComponent(name)}`)).items[0];
  const stored = async () => (await site.client.get('/api/v3/settings')).sla;
  const rowOf = (page: Page, name: string) =>
    region(page, 'Findings').getByRole('row', { name: new RegExp(`^(Select .*)?.*${name}`) });

  beforeAll(async () => {
    site = await ConsoleSite.start({ demo: false });
    await upload(
      failing('Late patch', 7.5, 40),
      failing('New hole', 9.5, 1),
      failing('Fixed fast', 7.5, 5),
      failing('Fixed slowly', 7.5, 50),
    );
    await upload(failing('Fixed fast', 7.5, 5, 'pass'), failing('Fixed slowly', 7.5, 50, 'pass'));
    await until('the asset is scored', async () => {
      const { at, scoredAssets } = await site.client.get('/api/v3/scores/organization');
      return at !== null && scoredAssets === 1;
    });
  }, START_MS_MAX);
  afterAll(() => site?.stop(), 120_000);
  beforeEach(() => patch({ sla: SLA }));
  afterEach(() => site.endTest({ but: [/status of (400|409)/] }));

  describe('in the settings', () => {
    it('has days by severity, decision and KEV, each with its error, and is in the audit trail', async () => {
      await patch({ sla: null });
      const page = await site.open('/settings/sla');
      const severity = region(page, 'By severity');
      const decisions = region(page, 'By SSVC decision and known exploitation');
      await page.getByRole('switch', { name: 'Acceptances require an end' }).press('Space');
      await press(page, 'Save');
      await page.getByText('Set at least one number of days, or remove the SLA.').waitFor();
      await severity.getByLabel('Critical').fill('0');
      await decisions.getByLabel('Track*').fill('4000');
      await decisions.getByLabel('Known exploited (KEV)').fill('1.5');
      await press(page, 'Save');
      await severity.getByText('Must not be less than 1').waitFor();
      await decisions.getByText('Must not be greater than 3650').waitFor();
      await decisions.getByText('Must be an integer').waitFor();
      await site.look(page, 'settings-sla-wrong');
      expect(await stored()).toBeNull();

      await severity.getByLabel('Critical').fill('15');
      await severity.getByLabel('High').fill('30');
      await decisions.getByLabel('Act', { exact: true }).fill('3');
      await decisions.getByLabel('Track*').fill('');
      await decisions.getByLabel('Known exploited (KEV)').fill('14');
      await page.getByText('their due dates move, and some can be overdue then', { exact: false }).waitFor();
      await page.getByText('lists of past times cannot be filtered', { exact: false }).waitFor();
      await page.getByText('5 unsaved changes').waitFor();
      await press(page, 'Save');
      await page.getByText('The SLA is saved and in effect.').waitFor();
      expect(await stored()).toEqual({
        severity: { critical: 15, high: 30 },
        ssvc: { Act: 3 },
        kev: 14,
        exceptionsNeedEnd: true,
      });
      await site.look(page, 'settings-sla');
      await page.goto(`${site.url}/app/settings/audit`);
      const act = page.getByRole('row', { name: /Policies changed/ }).first();
      await act.getByRole('button', { name: /more$/ }).click();
      await act.getByText('SLA, critical: days: 15').waitFor();
      await act.getByText('SLA, Act: days: 3').waitFor();
      await act.getByText('SLA, known exploited: days: 14').waitFor();
      await act.getByText('SLA: acceptances require an end: yes').waitFor();
    });

    it('is not overwritten unseen, and removed', async () => {
      const page = await site.open('/settings/sla');
      const high = region(page, 'By severity').getByLabel('High');
      await high.fill('20');
      await patch({ sla: { ...SLA, severity: { high: 25 } } });
      await press(page, 'Save');
      await page.getByText('Another user changed the settings.', { exact: false }).waitFor();
      expect(await stored()).toMatchObject({ severity: { high: 25 } });
      await press(page, 'Discard');
      await until('the other value', async () => (await high.inputValue()) === '25 days');
      await high.fill('20');
      await press(page, 'Save');
      await page.getByText('The SLA is saved and in effect.').waitFor();
      expect(await stored()).toMatchObject({ severity: { high: 20 } });
      await press(page, 'Remove the SLA');
      const dialog = page.getByRole('dialog', { name: 'Remove the SLA?' });
      await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('The SLA was removed.').waitFor();
      expect(await stored()).toBeNull();
    });
  });

  it('gives findings a due date and a state, by which the list is filtered and sorted', async () => {
    const page = await site.open('/findings');
    await page.waitForURL(/state=Failed/);
    await rowOf(page, 'Late patch').getByText('Overdue', { exact: true }).waitFor();
    await rowOf(page, 'New hole').getByText('Due', { exact: true }).waitFor();
    await region(page, 'Findings').getByRole('columnheader', { name: 'Due' }).getByRole('button').click();
    await page.waitForURL(/sort=due/);
    const shown = () => region(page, 'Findings').locator('tbody a[href*="/findings/"]').allTextContents();
    await until('the earliest is first', async () => (await shown()).join() === 'Late patch,New hole');

    const choose = async (option: string) => {
      await page.locator('#main').getByRole('button', { name: /^Due/ }).first().click();
      await page.getByRole('radio', { name: option, exact: true }).click();
    };
    await choose('Overdue');
    await until('only what is overdue', async () => (await shown()).join() === 'Late patch');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      state: 'Failed',
      sort: 'due',
      sla: 'overdue',
    });
    await page.getByRole('list', { name: 'Active filters' }).getByText('Due: Overdue').waitFor();
    // Failed findings are not remedied.
    await page.goto(`${site.url}/app/findings?state=Failed`);
    await choose('Missed: remedied late');
    await until('what was remedied late', async () => (await shown()).join() === 'Fixed slowly');
    await rowOf(page, 'Fixed slowly').getByText('Missed', { exact: true }).waitFor();
    await choose('Met: remedied in time');
    await rowOf(page, 'Fixed fast').getByText('Met', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove Due' }).click();
    await until('all', async () => (await shown()).length === 4);
    await site.look(page, 'findings-due');
  });

  it('lists only findings with a due date while it is sorted by it, and says so', async () => {
    await patch({ sla: null });
    const page = await site.open('/findings?state=Failed&sort=due');
    const shown = () => region(page, 'Findings').locator('tbody a[href*="/findings/"]').allTextContents();
    await page.getByText('No findings with a due date').waitFor();
    expect(await page.getByText('No failed findings').count()).toBe(0);
    await press(page, 'Show all');
    await until('all are shown', async () => (await shown()).join() === 'New hole,Late patch');
    await page.getByText('2 findings', { exact: true }).waitFor();

    const act = (date: string | null) =>
      site.client.request('POST', '/api/v3/findings/acts', JSON.stringify({ ids: [id], due: { due: date } }));
    const { id } = await named('New hole');
    expect((await act('2100-01-31')).status).toBe(200);
    await page.goto(`${site.url}/app/findings?state=Failed&sort=due`);
    await until('only the dated one is shown', async () => (await shown()).join() === 'New hole');
    await page.getByText('Only findings with a due date are listed.').waitFor();
    await press(page, 'Export');
    await page.getByText('All matching findings with a due date').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByText('2 findings', { exact: true }).count()).toBe(0);
    await page.getByText('1 on page 1', { exact: true }).waitFor();
    await site.look(page, 'findings-due-only');
    expect((await act(null)).status).toBe(200);
  });

  it('is shown with a finding, and not taken for a date that a user has set', async () => {
    const { id } = await named('Late patch');
    const page = await site.open(`/findings/${id}`);
    const triage = region(page, 'Triage');
    await triage.getByText('Overdue', { exact: true }).waitFor();
    await triage.getByText('By the SLA: 30 days after it failed').waitFor();
    await region(page, 'Details').getByText('Failed since').waitFor();
    await press(page, 'Change: Due');
    const dialog = page.getByRole('dialog', { name: 'Set the due date' });
    expect(await dialog.getByLabel('Due date').inputValue()).toBe('');
    await dialog.getByText('Leave empty for the date of the SLA', { exact: false }).waitFor();
    await dialog.getByLabel('Due date').fill('2100-01-31');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Is required, because the due date replaces that of the setting sla').waitFor();
    await site.look(page, 'finding-due-without-reason');
    await dialog.getByLabel('Reason').fill('The vendor has no fix');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await triage.getByText('Set by a user').waitFor();
    await triage.getByText('Due', { exact: true }).last().waitFor();
    await press(page, 'Change: Due');
    expect(await dialog.getByLabel('Due date').inputValue()).toBe('2100-01-31');
    await dialog.getByLabel('Due date').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await triage.getByText('By the SLA: 30 days after it failed').waitFor();

    await page.goto(`${site.url}/app/findings/${(await named('Fixed slowly')).id}`);
    await triage.getByText('Missed', { exact: true }).waitFor();
    await triage.getByText('By the SLA of its severity').waitFor();
    await region(page, 'Details').getByText('Settled').waitFor();
  });

  it('demands an end of acceptances, of one finding and of many', async () => {
    await patch({ sla: { ...SLA, exceptionsNeedEnd: true } });
    const { id } = await named('New hole');
    const page = await site.open(`/findings/${id}`);
    await press(page, 'Accept the risk');
    const one = page.getByRole('dialog', { name: 'Accept the risk' });
    await one.getByText('The SLA requires an end.', { exact: false }).waitFor();
    await one.getByLabel('Rationale').fill('Behind the firewall');
    await one.getByRole('button', { name: 'Accept', exact: true }).click();
    await one.getByText('Enter an end.').waitFor();
    await site.look(page, 'finding-accept-without-end');
    await one.getByRole('button', { name: 'Cancel' }).click();

    await page.goto(`${site.url}/app/findings?severityMin=9`);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await press(page, 'Accept …');
    const many = page.getByRole('dialog', { name: 'Accept findings' });
    await many.getByLabel('Rationale').fill('Behind the firewall');
    await many.getByRole('button', { name: 'Accept 1 finding' }).click();
    await many.getByText('Enter an end.').waitFor();
    await many.getByLabel('Until').fill('2099-12-31T23:59');
    await many.getByRole('button', { name: 'Accept 1 finding' }).click();
    await many.getByText(/^1 finding (accepted|pending)$/).waitFor();
    await until('it is accepted', async () => (await named('New hole')).accepted?.until !== undefined);
    await site.client.request('POST', `/api/v3/findings/${id}/revert`, JSON.stringify({ to: 'Failed' }));
  });

  it('is shown to users who cannot read settings, and demands an end of them too', async () => {
    await patch({ sla: { ...SLA, exceptionsNeedEnd: true } });
    const role = { name: 'risk-manager', scopes: ['findings:read', 'assets:read', 'findings:accept'] };
    await site.client.request('POST', '/api/v3/roles', JSON.stringify(role));
    const username = 'rita.risk';
    const rita = JSON.stringify({ username, role: role.name });
    const { password } = (await site.client.request('POST', '/api/v3/credentials', rita)).body;
    const page = await site.open('/findings?severityMin=9', { as: { username, password } });
    await region(page, 'Findings').getByRole('columnheader', { name: 'Due' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await press(page, 'Accept …');
    const dialog = page.getByRole('dialog', { name: 'Accept findings' });
    await dialog.getByText('The SLA requires an end.', { exact: false }).waitFor();
    await dialog.getByLabel('Rationale').fill('Behind the firewall');
    await dialog.getByLabel('Until').fill('2099-12-31T23:59');
    await dialog.getByRole('button', { name: 'Accept 1 finding' }).click();
    await dialog.getByText(/^1 finding (accepted|pending)$/).waitFor();
    await until('it is accepted', async () => (await named('New hole')).accepted?.until !== undefined);
    const { id } = await named('New hole');
    await site.client.request('POST', `/api/v3/findings/${id}/revert`, JSON.stringify({ to: 'Failed' }));
    // Without `changes:read`, the page refreshes every minute.
    site.expectNoComplaint({ but: [/status of 403/] });
  });

  it('is counted in the overview, with links, also as of an instant unless decisions matter', async () => {
    const page = await site.open('/');
    const due = region(page, 'Due dates');
    const count = async (sla: string) => (await site.client.get(`/api/v3/findings/counts?sla=${sla}`)).total;
    expect([await count('overdue'), await count('due'), await count('met'), await count('missed')]).toEqual([
      1, 1, 1, 1,
    ]);
    await due.getByText('50 % of the remedied findings were remedied in time.').waitFor();
    await due.getByRole('link', { name: 'Overdue past the due date 1 finding' }).waitFor();
    await due.getByRole('link', { name: 'Missed remedied late 1 finding' }).waitFor();
    await due.getByRole('link', { name: 'High from 7 1 finding' }).click();
    await page.waitForURL(/\/findings\?sla=overdue&sort=due&severityMin=7$/);
    await rowOf(page, 'Late patch').waitFor();

    const asOf = new Date().toISOString();
    await patch({ sla: { ...SLA, kev: 3 } });
    await page.goto(`${site.url}/app/?asOf=${asOf}`);
    await due.getByRole('link', { name: 'Overdue past the due date 1 finding' }).waitFor();
    await page.goto(`${site.url}/app/?asOf=${new Date().toISOString()}`);
    await due.getByText('The SLA of that time has days by SSVC decision', { exact: false }).waitFor();
    await site.look(page, 'overview-due-past');

    await patch({ sla: null });
    await page.goto(`${site.url}/app/`);
    await due.getByText('No due dates').waitFor();
    await due.getByRole('link', { name: 'SLA' }).click();
    await page.getByRole('heading', { level: 1, name: 'SLA' }).waitFor();
  });

  it('is readable for viewers, who cannot change it', async () => {
    const { body } = await site.client.request(
      'POST',
      '/api/v3/credentials',
      JSON.stringify({ username: 'viewer', role: 'viewer' }),
    );
    const viewer = { username: 'viewer', password: body.password };
    const page = await site.open('/settings/sla', { as: viewer });
    await region(page, 'By severity').getByText('15 days').waitFor();
    expect(await page.locator('#main').getByRole('button').count()).toBe(0);
    expect(await page.getByRole('switch').isDisabled()).toBe(true);
    await patch({ sla: null });
    await page.reload();
    await page.getByText('No SLA is set').waitFor();
  });

  it.each([
    ['phone', 'dark'],
    ['tablet', 'light'],
    ['wide', 'dark'],
  ] as const)('fits a %s, in %s colours', async (on, colorScheme) => {
    const { id } = await named('Late patch');
    for (const [name, path, text] of [
      ['settings', '/settings/sla', 'Known exploited (KEV)'],
      ['overview', '/', 'Overdue by severity'],
      ['findings', '/findings?state=any&sort=-severity', 'New hole'],
      ['finding', `/findings/${id}`, 'By the SLA: 30 days after it failed'],
    ] as const) {
      const page = await site.open(path, { on, colorScheme });
      await page.getByText(text, { exact: true }).first().waitFor();
      const shown = {
        overview: 'Due dates',
        finding: 'Triage',
        settings: 'Exceptions',
        findings: 'Findings',
      };
      await region(page, shown[name]).scrollIntoViewIfNeeded();
      expect([name, await isWithinWidth(page)]).toEqual([name, true]);
      await site.look(page, `sla-${name}-${on}-${colorScheme}`);
    }
  });

  it('has times to remediate and the reopen rate in the overview, with links to the findings', async () => {
    const page = await site.open('/');
    const times = region(page, 'Time to remediate');
    const cells = (row: string) =>
      times
        .getByRole('row', { name: new RegExp(`^${row}`) })
        .getByRole('cell')
        .allTextContents();
    await times.getByRole('row', { name: /^All/ }).waitFor();
    expect(await cells('High')).toEqual(['2', '27.5 d', '45.5 d', '0 %']);
    expect(await cells('All')).toEqual(['2', '27.5 d', '45.5 d', '0 %']);
    await times.getByRole('img', { name: /^Median time to remediate by week: .* 27\.5 d$/ }).waitFor();
    await times.getByRole('radiogroup', { name: 'Remedied within' }).getByText('30 days').click();
    await times.getByText('settled in this time').waitFor();
    await site.look(page, 'overview-remediation');

    await upload(failing('Fixed fast', 7.5, 5));
    await page.reload();
    await until('one failed again', async () => (await cells('All'))[3] === '50 %');
    await times.getByRole('link', { name: 'Findings that failed again' }).click();
    await rowOf(page, 'Fixed fast').waitFor();
    const filters = page.getByRole('list', { name: 'Active filters' });
    await filters.getByText(/^Failed again since: /).waitFor();
    expect(await region(page, 'Findings').locator('tbody tr').count()).toBe(1);
    await page.goBack();
    await times.getByRole('link', { name: 'High' }).click();
    await rowOf(page, 'Fixed slowly').waitFor();
    await filters.getByText(/^Settled since: /).waitFor();
    expect(await region(page, 'Findings').locator('tbody tr').count()).toBe(1);

    const asOf = new Date().toISOString();
    await page.goto(`${site.url}/app/?asOf=${asOf}`);
    await until('the figures of that time', async () => (await cells('All'))[3] === '50 %');
  });
});
