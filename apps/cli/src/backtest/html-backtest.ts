import { type backtest, isoTime } from '#libs/domain';
import { Html, html } from '#libs/html';
import { HTML_STYLE } from '../report/html-style.ts';
import type { BacktestResult, TargetResult, WindowResult } from './backtest-result.ts';
import { differenceText, figureText, likelihoodText, percentText } from './figure-words.ts';
import { dotPlot, type PlottedFigure, reliabilityPlot } from './plots.ts';
import { FORECASTER_NAMES, LEFT_OUT_WORDS, TARGET_TITLES, TARGET_UNITS } from './target-words.ts';

/** One self-contained page: no script, nothing from elsewhere, everything that came from outside escaped. */
export function htmlBacktest(result: BacktestResult): string {
  const { logId, days, windows, targets, remarks } = result;
  const [from, until] = [isoTime(windows[0]!.from), isoTime(windows.at(-1)!.until)];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Back-test from ${from}</title>
<style>${HTML_STYLE}${PLOT_STYLE}</style>
</head>
<body>
<main>
<header>
<p class="eyebrow">Back-test of risk scores</p>
<h1>What was forecast, and what came</h1>
<p class="soft">${windows.length === 1 ? 'One window' : `${windows.length} windows`} of ${days} days, from ${from} until ${until}, by log <code>${logId}</code>. Intervals contain 95 % of the samples of a bootstrap.</p>
</header>
${remarks.length === 0 ? '' : remarkSection(remarks)}${targets.map(targetSection)}${windowSection(windows)}<section aria-labelledby="limits">
<h2 id="limits">What this does not prove</h2>
<p>Additions to KEV are worldwide: they test the order of CVEs, and say nothing about the likelihood that this organization is compromised, about reach, controls or amounts. Detections depend on who looks. An area under the curve of 0.5 is no better than chance. A model that always says 0 has a Brier score equal to the rate of events.</p>
</section>
</main>
</body>
</html>
`.text;
}

const PLOT_STYLE = new Html(`
svg { display: block; width: 100%; max-width: 40rem; height: auto; margin: 0.6rem 0 1.2rem; }
svg.square { max-width: 22rem; }
svg text { fill: var(--ink); font-size: 13px; }
svg .tick { fill: var(--soft); font-size: 11px; text-anchor: middle; }
svg .side { text-anchor: end; }
svg .axis { stroke: var(--soft); }
svg .chance { stroke: var(--line); stroke-dasharray: 4 3; }
svg .interval { stroke: var(--accent); stroke-width: 2; }
svg .dot { fill: var(--accent); }
`);

const remarkSection = (remarks: readonly string[]): Html => html`<section aria-labelledby="remarks">
<h2 id="remarks">Remarks</h2>
<ul>
${remarks.map(
  (remark) => html`<li>${remark}</li>
`,
)}</ul>
</section>
`;

function targetSection({ target, evaluation, leftOut }: TargetResult): Html {
  const { outcome, source } = TARGET_UNITS[target];
  return html`<section aria-labelledby="${target}">
<h2 id="${target}">${TARGET_TITLES[target]}</h2>
<p>${
    evaluation === null
      ? 'No outcome.'
      : `${evaluation.outcomes} ${outcome}, ${evaluation.events} with the event (${percentText(evaluation.events / evaluation.outcomes)}), by ${evaluation.independentEvents} ${source}.`
  }${leftOut.map(
    ([reason, { outcomes, events }]) =>
      ` Left out: ${outcomes} ${outcome} ${LEFT_OUT_WORDS[reason]}${events > 0 ? `, ${events} of them with the event` : ''}.`,
  )}</p>
${evaluation === null ? '' : [figureTable(evaluation), orderPlots(evaluation), ...evaluation.forecasters.map(reliabilityOf)]}</section>
`;
}

const figureTable = ({ forecasters }: backtest.Evaluation): Html => html`<div class="scroll">
<table>
<thead><tr><th scope="col">Forecast</th><th scope="col">Brier score</th><th scope="col">Skill</th><th scope="col">Area under the curve</th><th scope="col">Difference to ${FORECASTER_NAMES[forecasters[0]!.forecaster]}</th><th scope="col">Lift of the top tenth</th></tr></thead>
<tbody>
${forecasters.map(
  ({ forecaster, calibration, ordering }) =>
    html`<tr><th scope="row">${FORECASTER_NAMES[forecaster]}</th><td>${calibration ? figureText(calibration.brierScore, 6) : NONE}</td><td>${calibration?.brierSkill?.toFixed(3) ?? NONE}</td><td>${ordering ? figureText(ordering.areaUnderCurve, 3) : NONE}</td><td>${ordering?.difference ? differenceText(ordering.difference, 3) : NONE}</td><td>${ordering ? figureText(ordering.topDecileLift, 2) : NONE}</td></tr>
`,
)}</tbody>
</table>
</div>
`;

const NONE = '–';

/** Lift of a perfect order of the top tenth. */
const LIFT_MAX = 10;

function orderPlots({ forecasters }: backtest.Evaluation): Html | string {
  const plotted = (figureOf: (ordering: backtest.Ordering) => backtest.Figure): PlottedFigure[] =>
    forecasters.flatMap(({ forecaster, ordering }) =>
      ordering ? [{ forecaster, figure: figureOf(ordering) }] : [],
    );
  const areas = plotted(({ areaUnderCurve }) => areaUnderCurve);
  if (areas.length === 0) return '';
  return html`<h3>Area under the curve</h3>
${dotPlot('Area under the curve of each forecast', areas, { from: 0, to: 1, chance: 0.5 })}<h3>Lift of the top tenth</h3>
${dotPlot(
  'Lift of the top tenth of each forecast',
  plotted(({ topDecileLift }) => topDecileLift),
  { from: 0, to: LIFT_MAX, chance: 1 },
)}`;
}

function reliabilityOf({ forecaster, calibration }: backtest.ForecasterFigures): Html | string {
  if (!calibration) return '';
  const name = FORECASTER_NAMES[forecaster];
  return html`<h3>Reliability of ${name}</h3>
${reliabilityPlot(`What ${name} forecast against what came`, calibration.reliability)}<div class="scroll">
<table>
<thead><tr><th scope="col">Forecast</th><th scope="col">Outcomes</th><th scope="col">Events</th><th scope="col">Mean forecast</th><th scope="col">Rate that came</th></tr></thead>
<tbody>
${calibration.reliability.map(
  ({ from, to, outcomes, events, meanLikelihood, rate, low, high }) =>
    html`<tr><th scope="row">${from} to ${to}</th><td>${outcomes}</td><td>${events}</td><td>${likelihoodText(meanLikelihood)}</td><td>${likelihoodText(rate)} [${likelihoodText(low)}, ${likelihoodText(high)}]</td></tr>
`,
)}</tbody>
</table>
</div>
`;
}

const windowSection = (windows: readonly WindowResult[]): Html => html`<section aria-labelledby="windows">
<h2 id="windows">Windows</h2>
<div class="scroll">
<table>
<thead><tr><th scope="col">From</th><th scope="col">Until</th><th scope="col">Assets</th><th scope="col">EPSS</th><th scope="col">KEV</th></tr></thead>
<tbody>
${windows.map(
  ({ from, until, assets, epss, kev }) =>
    html`<tr><td>${isoTime(from)}</td><td>${isoTime(until)}</td><td>${assets}</td><td><bdi>${epss.source}</bdi>, since ${isoTime(epss.validFrom)}</td><td><bdi>${kev.source}</bdi>, since ${isoTime(kev.validFrom)}</td></tr>
`,
)}</tbody>
</table>
</div>
</section>
`;
