import { number } from '../language/format.ts';
import { fullInstant } from './instant.tsx';
import classes from './step-line.module.css';

/** A value from `at` (epoch milliseconds) until the next step; null: no value. */
export interface Step {
  at: number;
  value: number | null;
}

interface Props {
  /** Description for screen readers. */
  label: string;
  steps: readonly Step[];
  /** Times of vertical lines, epoch milliseconds. */
  marks?: readonly number[];
  from: number;
  to: number;
  height?: number;
  /** Without scale and times, for small previews. */
  isBare?: boolean;
}

const WIDTH = 1_000;
const HEIGHT = 100;

/** A step chart. The scale starts at 0 and ends above the maximum. */
export function StepLine({ label, steps, marks = [], from, to, height = 140, isBare = false }: Props) {
  const max = scaleOf(Math.max(...steps.map(({ value }) => value ?? 0), 0));
  const runs = runsOf(steps, to).map((run) =>
    run.map(([at, value]) => [x(at, from, to), HEIGHT - (value / max) * HEIGHT] as const),
  );
  const plot = (
    <svg
      className={classes.plot}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      height={height}
      role="img"
      aria-label={label}
    >
      {!isBare && [0, 50, 100].map((y) => <path key={y} className={classes.grid} d={`M0 ${y}H${WIDTH}`} />)}
      {runs.map((run) => (
        <g key={run[0]![0]}>
          <path className={classes.area} d={`${pathOf(run)}V${HEIGHT}H${run[0]![0]}Z`} />
          <path className={classes.line} d={pathOf(run)} />
        </g>
      ))}
      {marks.map((at) => (
        <path key={at} className={classes.mark} d={`M${x(at, from, to)} 0V${HEIGHT}`} />
      ))}
    </svg>
  );
  if (isBare) return plot;
  return (
    <figure className={classes.figure} dir="ltr">
      <div className={classes.framed}>
        <div className={classes.scale} aria-hidden>
          {[max, max / 2, 0].map((value) => (
            <span key={value}>{number(value)}</span>
          ))}
        </div>
        {plot}
        <div className={classes.times} aria-hidden>
          <bdi>{fullInstant(new Date(from).toISOString())}</bdi>
          <bdi>{fullInstant(new Date(to).toISOString())}</bdi>
        </div>
      </div>
    </figure>
  );
}

const x = (at: number, from: number, to: number): number =>
  Math.round(((Math.min(Math.max(at, from), to) - from) / Math.max(to - from, 1)) * WIDTH * 100) / 100;

/** Corners of each line segment without gaps. */
function runsOf(steps: readonly Step[], to: number): [at: number, value: number][][] {
  const runs: [number, number][][] = [];
  let run: [number, number][] = [];
  for (const [i, { at, value }] of steps.entries()) {
    const end = steps[i + 1]?.at ?? to;
    if (value !== null) run.push([at, value], [end, value]);
    if ((value === null || i === steps.length - 1) && run.length > 0) {
      runs.push(run);
      run = [];
    }
  }
  return runs;
}

const pathOf = (corners: readonly (readonly [number, number])[]): string =>
  `M${corners.map(([left, top]) => `${left} ${top}`).join('L')}`;

/** End of the scale: a round number above the maximum. */
const scaleOf = (greatest: number): number =>
  [1, 2, 5, 10, 20, 40, 60, 80].find((end) => greatest <= end * 0.95) ?? 100;
