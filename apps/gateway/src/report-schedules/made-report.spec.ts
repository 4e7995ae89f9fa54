import { expect, it } from '@jest/globals';
import { ALL_ROWS } from '#libs/tables';
import type { BoardReports } from '../board-report/board-report.service.ts';
import type { TechnicalReports } from '../technical-report/technical-report.service.ts';
import { ReportMakers } from './made-report.ts';

const AT = '2026-05-31T12:00:00.000Z';
const BEGIN = '2026-05-01T12:00:00.000Z';

async function summaryWith(modelChanges: object[], slaBySeverityOnly = false): Promise<string> {
  const none = { total: 0, findings: [] };
  const report = {
    ...{ request: '/api/v3/reports/board', at: AT, from: BEGIN, modelChanges, slaBySeverityOnly },
    score: { score: 53.9, model: 'posture-2', breachLikelihood: 0.1 },
    trend: [{ at: BEGIN, score: 37, model: 'posture-1' }],
    movers: { from: { at: BEGIN }, causes: [], others: { causes: 0, share: 0 }, difference: 0 },
    ...{ fixes: { cves: [], findings: [] }, overdue: none, endingAcceptances: none },
    groups: { departments: [], locations: [], assetTypes: [], attackSurfaces: [] },
  };
  const boards = { report: () => Promise.resolve(report) } as unknown as BoardReports;
  const makers = new ReportMakers(boards, {} as TechnicalReports);
  const { summary } = await makers.make('board', '', Date.parse(AT), ALL_ROWS, new AbortController().signal);
  return summary.join(' ');
}

it('compares the score with that at the beginning of the period (R-SEND-2)', async () => {
  expect(await summaryWith([])).toContain('Risk score: 53.90 of 100. At the beginning of the period: 37.00.');
});

it('compares no scores of two models', async () => {
  const summary = await summaryWith([{ at: '2026-05-20T08:00:00.000Z', model: 'posture-2' }]);
  expect(summary).not.toContain('37.00');
  expect(summary).toContain(
    'Risk score: 53.90 of 100. The model changed from posture-1 to posture-2 on 2026-05-20 08:00 UTC. Scores of two models cannot be compared.',
  );
});

it('says that overdue findings leave out days by SSVC and KEV, as the page does', async () => {
  expect(await summaryWith([], true)).toContain(
    'Overdue findings by severity only (days by SSVC and KEV are not counted): 0.',
  );
});

async function technicalReport(query: string) {
  const report = {
    ...{ request: '/api/v3/reports/technical', at: AT, slaBySeverityOnly: false, assets: [], findings: [] },
    limits: { departments: ['Sales'], locations: null },
    totals: { total: 0, state: {}, severityLevel: {}, type: {} },
  };
  const technicals = { report: () => Promise.resolve(report) } as unknown as TechnicalReports;
  const makers = new ReportMakers({} as BoardReports, technicals);
  return makers.make('technical', query, Date.parse(AT), ALL_ROWS, new AbortController().signal);
}

it('says which assets a limited owner sees', async () => {
  const { summary } = await technicalReport('');
  expect(summary).toEqual([
    'Technical report as of 2026-05-31 12:00 UTC.',
    'Only departments: Sales.',
    'Findings: 0.',
  ]);
});

it.each([
  ['', 'state=any'],
  ['limit=50', 'state=any'],
  ['severityMin=7&q=log4j+type%3Ava', 'state=any&severityMin=7&q=log4j+type%3Ava'],
  ['state=Failed&state=NotAssessed&type=va,ca', 'state=Failed%2CNotAssessed&type=va%2Cca'],
])('links to the findings that it counts in the address of the console: %s', async (query, address) => {
  expect((await technicalReport(query)).link).toBe(`app/findings?${address}`);
});
