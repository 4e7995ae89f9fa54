import type uPlot from 'uplot';
import { date, number } from '../language/format.ts';
import type { ModelChange } from '../parts/model-change.tsx';

const FONT = '12px Inter, system-ui, sans-serif';
/** Space between labels of the time axis, in pixels. */
const LABEL_SPACE = 76;
const WEEK_S = 8 * 86_400;
const YEAR_S = 300 * 86_400;
const STEPS = [10, 25, 50, 100];

type Options = Omit<uPlot.Options, 'width' | 'height'>;

interface Given {
  /** Start and end of the time axis, epoch seconds. */
  span: () => [number, number];
  /** Marked by vertical lines. */
  changes: () => readonly ModelChange[];
  /** Called with the index of the point under the pointer, or null. */
  onPoint: (index: number | null) => void;
}

/**
 * Chart options: the score as a line with an area, the likelihood as a dashed line, both on one axis.
 *
 * @param place element whose CSS variables define the colours
 */
export function chartOptions(place: HTMLElement, { span, changes, onPoint }: Given): Options {
  const colour = colours(place);
  const axis: uPlot.Axis = {
    stroke: colour('axis'),
    font: FONT,
    grid: { stroke: colour('grid'), width: 1 },
    ticks: { show: false },
  };
  return {
    legend: { show: false },
    padding: [8, 12, 0, 0],
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: true, range: span }, y: { range: (_, _least, most) => [0, topOf(most)] } },
    axes: [
      { ...axis, grid: { show: false }, space: LABEL_SPACE, size: 32, gap: 8, values: timeLabels },
      { ...axis, size: 36, space: 40, values: (_, splits) => splits.map((split) => number(split)) },
    ],
    series: [
      {},
      { stroke: colour('score'), fill: colour('area'), width: 2.5, points: { ...DOTS, size: 7 } },
      { stroke: colour('likelihood'), width: 1.75, dash: [6, 4], points: { ...DOTS, size: 6 } },
    ],
    hooks: {
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)],
      draw: [
        (chart) => {
          for (const change of changes()) drawChange(chart, change, colour('axis'));
        },
      ],
    },
  };
}

/** Next round number above the maximum, so that small changes are visible on an axis that starts at 0. */
const topOf = (most: number | null): number => STEPS.find((step) => (most ?? 0) * 1.1 <= step) ?? 100;

/** The last point is drawn as a dot, and so are points without neighbours, because they have no line. */
const DOTS: uPlot.Series.Points = {
  show: false,
  filter: ({ data }, series) => {
    const values = [...(data[series] ?? [])];
    const isMissing = (i: number) => (values[i] ?? null) === null;
    const isDot = (i: number) =>
      !isMissing(i) && (i === values.length - 1 || (isMissing(i - 1) && isMissing(i + 1)));
    return [...values.keys()].filter(isDot);
  },
};

/** A vertical line with the name of the new model. */
function drawChange(
  { ctx, bbox, valToPos, scales: { x } }: uPlot,
  { at, after }: ModelChange,
  colour: string,
) {
  const seconds = at / 1000;
  if (x === undefined || seconds < (x.min ?? 0) || seconds > (x.max ?? 0)) return;
  const left = Math.round(valToPos(seconds, 'x', true));
  const isNearEnd = left > bbox.left + bbox.width * 0.8;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(left, bbox.top);
  ctx.lineTo(left, bbox.top + bbox.height);
  ctx.stroke();
  ctx.font = FONT.replace(/\d+/, (size) => String(Number(size) * devicePixelRatio));
  ctx.textBaseline = 'top';
  ctx.textAlign = isNearEnd ? 'end' : 'start';
  ctx.fillText(after, left + (isNearEnd ? -6 : 6) * devicePixelRatio, bbox.top);
  ctx.restore();
}

/** Labels in hours, days or months, depending on the span. */
function timeLabels(_: uPlot, splits: number[], __: number, ___: number, increment: number): string[] {
  const whole = (splits.at(-1) ?? 0) - (splits[0] ?? 0);
  const format: Intl.DateTimeFormatOptions =
    increment < 86_400 && whole < WEEK_S
      ? { day: 'numeric', month: 'short', hour: '2-digit' }
      : whole > YEAR_S || increment >= 28 * 86_400
        ? { month: 'short', year: 'numeric' }
        : { day: 'numeric', month: 'short' };
  return splits.map((at) => date(at * 1000, format));
}

/** A canvas supports neither CSS variables nor light-dark(), so they are resolved on an element. */
function colours(place: HTMLElement): (name: string) => string {
  const probe = place.appendChild(document.createElement('span'));
  const found = new Map(
    ['score', 'area', 'likelihood', 'axis', 'grid'].map((name) => {
      probe.style.color = `var(--chart-${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return (name) => found.get(name) ?? 'gray';
}
