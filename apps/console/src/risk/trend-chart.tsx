import { Trans } from '@lingui/react/macro';
import { date, fixed } from '../language/format.ts';
import 'uplot/dist/uPlot.min.css';
import { Group, useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import type { ModelChange } from '../parts/model-change.tsx';
import { percentRange, probabilityText } from '../parts/score.tsx';
import { chartOptions } from './chart-options.ts';
import type { Point } from './points.ts';
import classes from './trend-chart.module.css';

interface Props {
  points: readonly Point[];
  changes: readonly ModelChange[];
  /** Start and end of the axis, epoch milliseconds. */
  from: number;
  to: number;
  height: number;
}

/** Score and likelihood on one axis from 0 to 100. The legend shows the point under the pointer, or the last one. */
export function TrendChart({ points, changes, from, to, height }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(null);
  const span = useRef<[number, number]>([from, to]);
  span.current = [from / 1000, to / 1000];
  const marks = useRef(changes);
  marks.current = changes;
  const scheme = useComputedColorScheme('light');
  const [pointed, setPointed] = useState<number | null>(null);
  const data = useMemo<uPlot.AlignedData>(
    () => [
      points.map(({ at }) => at / 1000),
      points.map(({ score }) => score),
      points.map(({ likelihood }) => likelihood),
    ],
    [points],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read from the page and change with its scheme
  useEffect(() => {
    const stage = place.current!;
    const size = () => ({ width: stage.clientWidth, height });
    const drawn = new uPlot(
      {
        ...chartOptions(stage, {
          span: () => span.current,
          changes: () => marks.current,
          onPoint: setPointed,
        }),
        ...size(),
      },
      [[]],
      stage,
    );
    chart.current = drawn;
    const resized = new ResizeObserver(() => drawn.setSize(size()));
    resized.observe(stage);
    return () => {
      resized.disconnect();
      drawn.destroy();
    };
  }, [height, scheme]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart in other colours is a new chart
  useEffect(() => chart.current!.setData(data), [data, scheme, height]);

  const shown = points[pointed ?? points.length - 1] ?? points.at(-1);
  return (
    <div>
      {shown && <Legend of={shown} />}
      <div ref={place} className={classes.chart} style={{ height }} dir="ltr" />
    </div>
  );
}

function Legend({ of: shown }: { of: Point }) {
  const score = shown.score === null ? '–' : fixed(shown.score);
  const likelihood = probabilityText(shown.likelihood === null ? null : shown.likelihood / 100);
  return (
    <Group gap="md" className={classes.legend}>
      <span>
        <Trans>
          <i className={classes.score} /> Risk score <b>{score}</b>
        </Trans>
      </span>
      <span>
        <Trans>
          <i className={classes.likelihood} /> Breach likelihood <b>{likelihood}</b>
        </Trans>
        {shown.interval && ` (${percentRange(shown.interval)})`}
      </span>
      <span className={classes.when}>{date(shown.at, { dateStyle: 'medium', timeStyle: 'short' })}</span>
    </Group>
  );
}
