import { expect, it } from '@jest/globals';
import type { TechnicalReportDto } from './technical-report.dto.ts';
import { technicalReportPage } from './technical-report-page.ts';

it.each([
  [0, '<h2>Affected assets: 0</h2>'],
  [5_000, '<h2>Assets of the listed findings: 0</h2>'],
])('of %s findings of which it lists 0 has "%s"', (total, heading) => {
  const report = {
    ...{ request: '/api/v3/reports/technical', at: '2026-03-02T10:00:00.000Z', assets: [], findings: [] },
    totals: { total, state: {}, severityLevel: {}, type: {} },
  };
  expect(technicalReportPage(report as unknown as TechnicalReportDto)).toContain(heading);
});
