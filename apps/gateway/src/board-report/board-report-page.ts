import { type Html, html } from '#libs/html';
import { BY_SEVERITY_ONLY, dayOf, NONE, reportPage, table, timeOf } from '../report-pages/report-page.ts';
import type { BestFixesDto, FixDto } from '../scores/fixes.dto.ts';
import type { ScorePointDto } from '../scores/score-history.dto.ts';
import type { GroupScoreDto, OrganizationScoreDto } from '../scores/scores.dto.ts';
import type { BoardReportDto, ReportedFindingDto, ReportedFindingsDto } from './board-report.dto.ts';

/** The report as one page to print. */
export const boardReportPage = (report: BoardReportDto): string =>
  reportPage(report, {
    title: 'Board report',
    subtitle: `Risk posture as of ${timeOf(report.at)}, since ${timeOf(report.from)}`,
    sections: [
      scoreOf(report),
      trendOf(report),
      moversOf(report),
      fixesOf(report.fixes),
      findingsOf(overdueTitleOf(report), report.overdue, 'Due', ({ due }) => due),
      findingsOf(
        'Acceptances that end soon',
        report.endingAcceptances,
        'Ends',
        ({ accepted }) => accepted?.until ?? null,
      ),
      groupsOf('Departments', report.groups.departments),
      groupsOf('Locations', report.groups.locations),
      groupsOf('Asset types', report.groups.assetTypes),
      groupsOf('Attack surfaces', report.groups.attackSurfaces),
      html`<footer>Model ${report.score.model}, catalogues ${report.score.catalogue || 'none'}. Times are UTC.</footer>`,
    ],
  });

/** Also of the mail with the report. */
export const overdueTitleOf = ({ slaBySeverityOnly }: Pick<BoardReportDto, 'slaBySeverityOnly'>): string =>
  slaBySeverityOnly ? `Overdue findings ${BY_SEVERITY_ONLY}` : 'Overdue findings';

const pointsOf = (score: number | null): string => (score === null ? NONE : score.toFixed(2));
const signed = (points: number): string => `${points > 0 ? '+' : ''}${points.toFixed(2)}`;

/** A probability from 0 to 1. Two digits if it is small: likelihoods of posture-2 can be. */
function percent(probability: number): string {
  const percents = probability * 100;
  if (percents > 0 && percents < 0.01) return `${TWO_DIGITS.format(percents)} %`;
  return `${percents.toFixed(percents === 0 ? 0 : percents < 1 ? 2 : 1)} %`;
}

const TWO_DIGITS = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

function likelihoodOf({ likelihood, breachLikelihood }: OrganizationScoreDto): string {
  if (likelihood)
    return `${percent(likelihood.best)} (${percent(likelihood.low)} to ${percent(likelihood.high)})`;
  return breachLikelihood === null ? NONE : percent(breachLikelihood);
}

const likelihoodName = (model: string): string =>
  model === 'posture-1'
    ? 'Likelihood that a randomly selected asset is breached within 30 days'
    : 'Likelihood of a compromise within 30 days';

const scoreOf = ({ score }: BoardReportDto): Html => html`<section><h2>Score</h2>
<dl>
<div><dt>Risk score, 0 to 100</dt><dd class="score">${pointsOf(score.score)}</dd></div>
<div><dt>${likelihoodName(score.model)}</dt><dd>${likelihoodOf(score)}</dd></div>
<div><dt>Assets with a score</dt><dd>${score.scoredAssets} of ${score.assets}</dd></div>
</dl></section>
`;

const WIDTH = 640;
const HEIGHT = 120;

/** Half the length of the line of a single point. */
const MARK = 2;

type PlacedPoint = ScorePointDto & { x: number };

/** The score over the period, from 0 to 100. A change of the model interrupts it. */
function trendOf({ trend, modelChanges }: BoardReportDto): Html {
  const last = Math.max(trend.length - 1, 1);
  const points = trend.map((point, i) => ({ ...point, x: (i * WIDTH) / last }));
  const periods = [...modelChanges, null].map((end, i) =>
    points.filter(({ at }) => at >= (modelChanges[i - 1]?.at ?? '') && (end === null || at < end.at)),
  );
  const lines = periods.flatMap(linesOf);
  if (lines.length === 0)
    return html`<section><h2>Trend</h2><p>No score in the period.</p></section>
`;
  const changes = modelChangesOf({ trend, modelChanges });
  const words = periods
    .flatMap((period, i) => [scoresOf(period), changes[i] ?? ''])
    .filter((sentence) => sentence !== '')
    .join(' ');
  return html`<section><h2>Trend</h2>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Score over the period">
${lines.map((line) => html`<polyline points="${line}"/>`)}</svg>
<p>${words}</p></section>
`;
}

/** A text for each change of the model in the period: scores before and after it cannot be compared. */
export const modelChangesOf = ({
  trend,
  modelChanges,
}: Pick<BoardReportDto, 'trend' | 'modelChanges'>): string[] =>
  modelChanges.map(({ at, model }, i) => {
    const before = modelChanges[i - 1]?.model ?? trend[0]!.model;
    return `The model changed from ${before} to ${model} on ${timeOf(at)}. Scores of two models cannot be compared.`;
  });

/** Points without a score interrupt the line. */
function linesOf(points: readonly PlacedPoint[]): string[] {
  const lines: [x: number, y: number][][] = [[]];
  for (const { score, x } of points) {
    if (score === null) lines.push([]);
    else lines.at(-1)!.push([x, (HEIGHT * (100 - score)) / 100]);
  }
  return lines.filter(({ length }) => length > 0).map((line) => marked(line).join(' '));
}

const marked = (line: [x: number, y: number][]): [x: number, y: number][] =>
  line.length > 1 ? line : [-MARK, MARK].map((by) => [line[0]![0] + by, line[0]![1]]);

function scoresOf(points: readonly ScorePointDto[]): string {
  const first = points.find(({ score }) => score !== null);
  const end = points.at(-1);
  if (!first || !end) return '';
  return `${dayOf(first.at)}: ${pointsOf(first.score)}. ${dayOf(end.at)}: ${pointsOf(end.score)}.`;
}

function moversOf({ from, movers }: BoardReportDto): Html {
  const since = movers.from.at === from ? '' : ` since ${timeOf(movers.from.at)}`;
  const { causes, others, difference } = movers;
  const rows = causes.map(
    ({ name, id, assetName, what, share }) =>
      html`<tr><td>${name ?? assetName ?? id}</td><td>${assetName ?? NONE}</td><td>${what}</td><td class="number">${signed(share)}</td></tr>
`,
  );
  return table(
    `What moved the score${since}: ${signed(difference)} points`,
    ['Cause', 'Asset', 'Change', 'Points'],
    rows,
    others.causes === 0 ? '' : `${others.causes} other causes: ${signed(others.share)} points.`,
  );
}

function fixesOf(fixes: BestFixesDto): Html {
  const row = ({ name, id, assetName, assets, lowersBy }: FixDto) =>
    html`<tr><td>${name ?? id}</td><td>${assetName ?? `${assets} assets`}</td><td class="number">${signed(-lowersBy)}</td></tr>
`;
  return table(
    'Best fixes',
    ['Fix', 'Where', 'Points'],
    [...fixes.cves, ...fixes.findings].toSorted((a, b) => b.lowersBy - a.lowersBy).map(row),
  );
}

function findingsOf(
  title: string,
  { total, findings }: ReportedFindingsDto,
  when: string,
  timeOfFinding: (finding: ReportedFindingDto) => string | null,
): Html {
  const rows = findings.map((finding) => {
    const time = timeOfFinding(finding);
    return html`<tr><td>${finding.name}</td><td>${finding.assetName}</td><td class="number">${finding.severity.value.toFixed(1)}</td><td class="when">${time === null ? NONE : dayOf(time)}</td></tr>
`;
  });
  const more = total > findings.length ? `${total - findings.length} more.` : '';
  return table(`${title}: ${total}`, ['Finding', 'Asset', 'Severity', when], rows, more);
}

const groupsOf = (title: string, groups: readonly GroupScoreDto[]): Html =>
  table(
    title,
    ['Name', 'Assets', 'Likelihood', 'Score'],
    groups.map(
      (group) =>
        html`<tr><td>${group.name}</td><td class="number">${group.assets}</td><td>${likelihoodOf(group)}</td><td class="number">${pointsOf(group.score)}</td></tr>
`,
    ),
  );
