import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { api } from '../api/client.ts';
import { eachMinute } from '../api/live.ts';
import { number } from '../language/format.ts';
import { fullInstant } from '../parts/instant.tsx';
import { type Place, pathOf, SIZE } from '../parts/plot-path.ts';
import { Answered } from '../parts/states.tsx';
import { Section, Waiting } from '../risk/section.tsx';
import { useAsOf } from '../time/as-of.ts';
import { type BurnDownPoint, burnDownText, stackedEdges } from './burn-down.ts';
import classes from './burn-down-chart.module.css';

const HEIGHT_PX = 200;

/** Findings of a plan by state, day by day. */
export function BurnDown({ id }: { id: string }) {
  const { asOf, query } = useAsOf();
  const burnDown = api.useQuery(
    'get',
    '/api/v3/plans/{id}/burn-down',
    { params: { path: { id }, query } },
    eachMinute(asOf),
  );
  return (
    <Section title={t`Burn-down`}>
      <Answered query={burnDown} waiting={<Waiting height={HEIGHT_PX + 60} />}>
        {({ points, keptFrom }) => (
          <>
            <Chart points={points} />
            {keptFrom && (
              <Text size="xs" c="dimmed" mt="xs">
                <Trans>Earlier history was removed under its retention.</Trans>
              </Text>
            )}
          </>
        )}
      </Answered>
    </Section>
  );
}

function Chart({ points }: { points: readonly BurnDownPoint[] }) {
  const edges = stackedEdges(points);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const [open, accepted, fixed] = [number(last.open), number(last.accepted), number(last.fixed)];
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.legend}>
        <span>
          <i />{' '}
          <Trans context="number of findings">
            Open <b>{open}</b>
          </Trans>
        </span>
        <span>
          <i className={classes.accepted} />{' '}
          <Trans context="number of findings">
            Accepted <b>{accepted}</b>
          </Trans>
        </span>
        <span>
          <i className={classes.fixed} />{' '}
          <Trans context="number of findings">
            Fixed <b>{fixed}</b>
          </Trans>
        </span>
      </figcaption>
      <svg
        className={classes.plot}
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        preserveAspectRatio="none"
        height={HEIGHT_PX}
        role="img"
        aria-label={burnDownText(points)}
      >
        <path className={classes.accepted} d={areaOf(edges.accepted, edges.open)} />
        <path className={classes.open} d={areaOf(edges.open, BASE)} />
        <path className={classes.acceptedLine} d={pathOf(edges.accepted)} />
        <path className={classes.line} d={pathOf(edges.open)} />
      </svg>
      <div className={classes.times} dir="ltr">
        <bdi>{fullInstant(first.at)}</bdi>
        <bdi>{fullInstant(last.at)}</bdi>
      </div>
    </figure>
  );
}

const BASE: readonly Place[] = [
  [0, 1],
  [1, 1],
];

const areaOf = (upper: readonly Place[], lower: readonly Place[]): string =>
  `${pathOf([...upper, ...lower.toReversed()])}Z`;
