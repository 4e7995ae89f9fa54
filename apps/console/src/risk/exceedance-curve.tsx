import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { pathOf, SIZE } from '../parts/plot-path.ts';
import { probabilityText } from '../parts/score.tsx';
import {
  areaOf,
  curveOf,
  curveText,
  type ExceedancePoint,
  type Frame,
  frameOf,
  placeOf,
} from './exceedance.ts';
import classes from './exceedance-curve.module.css';

const HEIGHT_PX = 180;

/** The probability that the loss of a year exceeds an amount. Both axes are logarithmic. */
export function ExceedanceCurve({
  points,
  money,
}: {
  points: readonly ExceedancePoint[];
  money: (amount: number) => string;
}) {
  const frame = frameOf(points);
  if (frame === null) {
    return (
      <Text size="sm" c="dimmed" mb="sm">
        <Trans>No loss is likely enough for a curve.</Trans>
      </Text>
    );
  }
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.legend} aria-hidden>
        <span>
          <Trans>
            <i className={classes.best} /> Best
          </Trans>
        </span>
        <span>
          <Trans>
            <i className={classes.range} /> Low to high
          </Trans>
        </span>
      </figcaption>
      <div className={classes.framed} dir="ltr">
        <Probabilities frame={frame} />
        <svg
          className={classes.plot}
          viewBox={`0 0 ${SIZE} ${SIZE}`}
          preserveAspectRatio="none"
          height={HEIGHT_PX}
          role="img"
          aria-label={curveText(points, money)}
        >
          <path className={classes.grid} d={gridOf(frame)} />
          <path className={classes.area} d={`${pathOf(areaOf(points, frame))}Z`} />
          <path className={classes.line} d={pathOf(curveOf(points, 'best', frame))} />
        </svg>
        <div className={classes.losses} aria-hidden>
          {frame.losses.map((loss) => (
            <span key={loss} style={{ left: `${placeOf(loss, 1, frame)[0] * 100}%` }}>
              {money(loss)}
            </span>
          ))}
        </div>
      </div>
    </figure>
  );
}

const Probabilities = ({ frame }: { frame: Frame }) => (
  <div className={classes.probabilities} aria-hidden>
    {frame.probabilities.map((probability) => (
      <span key={probability} style={{ top: `${placeOf(0, probability, frame)[1] * 100}%` }}>
        {probabilityText(probability)}
      </span>
    ))}
  </div>
);

const gridOf = (frame: Frame): string =>
  [
    ...frame.probabilities.map((probability) =>
      ['M', 0, placeOf(0, probability, frame)[1] * SIZE, 'H', SIZE].join(' '),
    ),
    ...frame.losses.map((loss) => ['M', placeOf(loss, 1, frame)[0] * SIZE, 0, 'V', SIZE].join(' ')),
  ].join('');
