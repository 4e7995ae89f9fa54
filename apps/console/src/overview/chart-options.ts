import type uPlot from 'uplot';

const FONT = '12px Inter, system-ui, sans-serif';
/** Between labels of the axis of time, in pixels. */
const LABEL_SPACE = 76;
const WEEK_S = 8 * 86_400;
const YEAR_S = 300 * 86_400;
const STEPS = [10, 25, 50, 100];

type Options = Omit<uPlot.Options, 'width' | 'height'>;

/**
 * How the course is drawn: the score as a line with its area, the likelihood dashed, both on one axis.
 *
 * @param place whose CSS variables say the colours
 * @param span what the axis of time goes from and to, epoch seconds
 * @param onPoint with the number of the point under the pointer; null where there is none
 */
export function chartOptions(
  place: HTMLElement,
  span: () => [number, number],
  onPoint: (index: number | null) => void,
): Options {
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
      { ...axis, size: 36, space: 40 },
    ],
    series: [
      {},
      { stroke: colour('score'), fill: colour('area'), width: 2.5, points: { show: isAlone, size: 7 } },
      { stroke: colour('likelihood'), width: 1.75, dash: [6, 4], points: { show: isAlone, size: 6 } },
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

/** The next round number above what is drawn: small moves are seen, but begin at 0. */
const topOf = (most: number | null): number => STEPS.find((step) => (most ?? 0) * 1.1 <= step) ?? 100;

/** A line of one point is no line: a dot. */
const isAlone = ({ data }: uPlot, series: number): boolean =>
  (data[series] ?? []).filter((value) => value !== null).length < 2;

/** Days, months where there are many, hours where there is one. */
function timeLabels(_: uPlot, splits: number[], __: number, ___: number, increment: number): string[] {
  const whole = (splits.at(-1) ?? 0) - (splits[0] ?? 0);
  const format = new Intl.DateTimeFormat(
    undefined,
    increment < 86_400 && whole < WEEK_S
      ? { day: 'numeric', month: 'short', hour: '2-digit' }
      : whole > YEAR_S || increment >= 28 * 86_400
        ? { month: 'short', year: 'numeric' }
        : { day: 'numeric', month: 'short' },
  );
  return splits.map((at) => format.format(at * 1000));
}

/** A canvas knows no CSS variables and no light-dark(): what they come to on an element. */
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
