import { expect, it } from '@jest/globals';
import type { BoardReportDto } from './board-report.dto.ts';
import { boardReportPage } from './board-report-page.ts';

const AT = '2026-05-31T12:00:00.000Z';
const listed = { total: 0, findings: [] };

/** The page of an organization with one department, which has the same risk. */
function pageOf(risk: object, more: object = {}): string {
  const score = { at: AT, catalogue: '', score: 46.67, assets: 7, scoredAssets: 5, ...risk };
  const report = {
    request: '/api/v3/reports/board',
    ...{ at: AT, from: '2026-05-01T12:00:00.000Z' },
    ...{ score, trend: [], modelChanges: [] },
    movers: {
      from: { at: '2026-05-01T12:00:00.000Z' },
      causes: [],
      others: { causes: 0, share: 0 },
      difference: 0,
    },
    fixes: { cves: [], findings: [] },
    ...{ overdue: listed, endingAcceptances: listed },
    groups: { departments: [{ name: 'Sales', ...score }], locations: [], assetTypes: [], attackSurfaces: [] },
    ...more,
  };
  return boardReportPage(report as unknown as BoardReportDto);
}

it.each([
  [{ low: 0.000028219, best: 0.000184719, high: 0.000544301 }, '0.02 % (0.0028 % to 0.05 %)'],
  [{ low: 0.000000001, best: 0.004, high: 0.25 }, '0.40 % (0.0000001 % to 25.0 %)'],
  [{ low: 0, best: 0.0000003, high: 0.9999 }, '0.00003 % (0 % to 100.0 %)'],
])('says small likelihoods of posture-2 with two digits: %j', (likelihood, text) => {
  const page = pageOf({ model: 'posture-2', likelihood, breachLikelihood: likelihood.best });
  expect(page).toContain(`<dt>Likelihood of a compromise within 30 days</dt><dd>${text}</dd>`);
  expect(page).toContain(`<td>Sales</td><td class="number">7</td><td>${text}</td>`);
});

it('says of what the likelihood of posture-1 is, also for groups', () => {
  const page = pageOf({ model: 'posture-1', breachLikelihood: 0.41 });
  const asset = 'Likelihood that a randomly selected asset is breached within 30 days';
  expect(page).toContain(`<dt>${asset}</dt><dd>41.0 %</dd>`);
  expect(page).toContain('<td>Sales</td><td class="number">7</td><td>41.0 %</td>');
});

it.each(['posture-1', 'posture-2'])('has no likelihood without a score of %s', (model) => {
  expect(pageOf({ model, score: null, breachLikelihood: null })).toContain(
    '<td>Sales</td><td class="number">7</td><td>–</td>',
  );
});

it.each([
  [true, 'Overdue findings by severity only (days by SSVC and KEV are not counted): 0'],
  [false, 'Overdue findings: 0'],
])('says whether overdue findings leave out days by SSVC and KEV: %s', (slaBySeverityOnly, heading) => {
  const page = pageOf({ model: 'posture-1', breachLikelihood: null }, { slaBySeverityOnly });
  expect(page).toContain(`<h2>${heading}</h2>`);
});
