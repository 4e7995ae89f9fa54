import { expect, it } from '@jest/globals';
import type { TechnicalReportDto } from './technical-report.dto.ts';
import { technicalReportPage } from './technical-report-page.ts';

const reportWith = (more: Partial<TechnicalReportDto>) =>
  ({
    ...{ request: '/api/v3/reports/technical', at: '2026-03-02T10:00:00.000Z', assets: [], findings: [] },
    ...{ limits: { departments: null, locations: null }, slaBySeverityOnly: false },
    totals: { total: 0, state: {}, severityLevel: {}, type: {} },
    ...more,
  }) as unknown as TechnicalReportDto;

it.each([
  [0, '<h2>Affected assets: 0</h2>'],
  [5_000, '<h2>Assets of the listed findings: 0</h2>'],
])('of %s findings of which it lists 0 has "%s"', (total, heading) => {
  const totals = { total, state: {}, severityLevel: {}, type: {}, assetType: {} };
  expect(technicalReportPage(reportWith({ totals }))).toContain(heading);
});

it('counts the highest severity first', () => {
  const severityLevel = { critical: 1, high: 2, info: 3, low: 4, medium: 5 };
  const totals = { total: 15, state: { Retired: 1, Failed: 14 }, severityLevel, type: {}, assetType: {} };
  const rows = [...technicalReportPage(reportWith({ totals })).matchAll(/<td>(\w+)<\/td><td>(\w+)<\/td>/g)];
  expect(rows.map(([, , value]) => value)).toEqual([
    ...['Failed', 'Retired'],
    ...['critical', 'high', 'medium', 'low', 'info'],
  ]);
});

it('says all findings only without a filter and without limits of its reader', () => {
  expect(technicalReportPage(reportWith({}))).toContain('<p>All findings.</p>');
  const page = technicalReportPage(reportWith({ limits: { departments: ['Sales', 'HR'], locations: [] } }));
  expect(page).not.toContain('All findings.');
  expect(page).toContain('<th scope="row">Only departments</th><td>Sales, HR</td>');
  expect(page).toContain('<th scope="row">Only locations</th><td>none</td>');
});

it.each(['sla=met', 'dueBefore=2026-03-01'])('says that %s leaves out days by SSVC and KEV', (filter) => {
  const request = `/api/v3/reports/technical?${filter}`;
  const page = (slaBySeverityOnly: boolean) =>
    technicalReportPage(reportWith({ request, slaBySeverityOnly }));
  const note = 'by severity only (days by SSVC and KEV are not counted)';
  expect(page(true)).toContain(note);
  expect(page(false)).not.toContain(note);
  expect(technicalReportPage(reportWith({ slaBySeverityOnly: true }))).not.toContain(note);
});
