import type { backtest } from '#libs/domain';
import { type Html, html } from '#libs/html';
import { likelihoodText } from './figure-words.ts';
import { FORECASTER_NAMES } from './target-words.ts';

/** A figure of each forecaster, to be drawn on one axis. */
export interface PlottedFigure {
  forecaster: backtest.Forecaster;
  figure: backtest.Figure;
}

const WIDTH = 640;
const LABEL_WIDTH = 90;
const RIGHT = 620;
const ROW = 28;
const TOP = 14;

/**
 * A dot for each figure, with its interval as a line.
 *
 * @param axis the ends of the axis, and the value that is no better than chance
 */
export function dotPlot(
  title: string,
  figures: readonly PlottedFigure[],
  axis: { from: number; to: number; chance: number },
): Html {
  const x = (value: number) =>
    round(LABEL_WIDTH + ((clamp(value, axis) - axis.from) / (axis.to - axis.from)) * (RIGHT - LABEL_WIDTH));
  const bottom = TOP + figures.length * ROW;
  const ticks = [axis.from, axis.chance, axis.to];
  return html`<svg viewBox="0 0 ${WIDTH} ${bottom + 26}" role="img" aria-label="${title}">
<line class="chance" x1="${x(axis.chance)}" y1="${TOP - 8}" x2="${x(axis.chance)}" y2="${bottom}"/>
<line class="axis" x1="${LABEL_WIDTH}" y1="${bottom}" x2="${RIGHT}" y2="${bottom}"/>
${ticks.map(
  (tick) => html`<text class="tick" x="${x(tick)}" y="${bottom + 17}">${tick}</text>
`,
)}${figures.map(({ forecaster, figure: { value, interval } }, i) => {
  const y = TOP + i * ROW + ROW / 2;
  return html`<text class="label" x="0" y="${y + 4}">${FORECASTER_NAMES[forecaster]}</text>
${interval ? html`<line class="interval" x1="${x(interval.low)}" y1="${y}" x2="${x(interval.high)}" y2="${y}"/>` : ''}<circle class="dot" cx="${x(value)}" cy="${y}" r="4.5"/>
`;
})}</svg>
`;
}

const SIDE = 320;
const MARGIN = 48;
/** Everything below is drawn at the edge. */
const SMALLEST = 1e-6;
const DECADES: [value: number, name: string][] = [
  [1e-6, '≤10⁻⁶'],
  [1e-5, '10⁻⁵'],
  [1e-4, '10⁻⁴'],
  [1e-3, '10⁻³'],
  [1e-2, '0.01'],
  [0.1, '0.1'],
  [1, '1'],
];

/** What was forecast against what came, both logarithmic; on the diagonal they are equal. */
export function reliabilityPlot(title: string, bins: readonly backtest.ReliabilityBin[]): Html {
  const scale = (value: number) => Math.log10(Math.max(value, SMALLEST) / SMALLEST) / -Math.log10(SMALLEST);
  const x = (value: number) => round(MARGIN + scale(value) * (SIDE - MARGIN - 12));
  const y = (value: number) => round(SIDE - MARGIN - scale(value) * (SIDE - MARGIN - 12));
  const [left, right, bottom, top] = [x(0), x(1), y(0), y(1)];
  return html`<svg class="square" viewBox="0 0 ${SIDE} ${SIDE}" role="img" aria-label="${title}">
<line class="axis" x1="${left}" y1="${bottom}" x2="${right}" y2="${bottom}"/>
<line class="axis" x1="${left}" y1="${bottom}" x2="${left}" y2="${top}"/>
<line class="chance" x1="${left}" y1="${bottom}" x2="${right}" y2="${top}"/>
${DECADES.map(
  ([tick, name]) => html`<text class="tick" x="${x(tick)}" y="${bottom + 16}">${name}</text>
<text class="tick side" x="${left - 6}" y="${y(tick) + 4}">${name}</text>
`,
)}<text class="tick" x="${(left + right) / 2}" y="${SIDE - 8}">forecast</text>
<text class="tick" x="12" y="${(top + bottom) / 2}" transform="rotate(-90 12 ${(top + bottom) / 2})">rate that came</text>
${bins.map(
  ({
    meanLikelihood,
    rate,
    low,
    high,
  }) => html`<line class="interval" x1="${x(meanLikelihood)}" y1="${y(low)}" x2="${x(meanLikelihood)}" y2="${y(high)}"/>
<circle class="dot" cx="${x(meanLikelihood)}" cy="${y(rate)}" r="4.5"><title>${likelihoodText(meanLikelihood)} forecast, ${likelihoodText(rate)} came</title></circle>
`,
)}</svg>
`;
}

const clamp = (value: number, { from, to }: { from: number; to: number }): number =>
  Math.min(Math.max(value, from), to);

const round = (value: number): number => Math.round(value * 10) / 10;
