import { Skeleton, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type Api, api } from '../api/client.ts';
import { Panel } from '../parts/panel.tsx';
import { Answered } from '../parts/states.tsx';
import { type Step, StepLine } from '../parts/step-line.tsx';
import { useAsOf } from '../time/as-of.ts';

const PERIODS_MAX = 500;

/** How the score went, from step to step. */
export function AssetScoreHistory({ asset: { id } }: { asset: Api['AssetDto'] }) {
  const asOf = useAsOf();
  const query = api.useQuery(
    'get',
    '/api/v3/assets/{id}/score/history',
    { params: { path: { id }, query: { ...asOf.query, limit: PERIODS_MAX } } },
    { placeholderData: keepPreviousData },
  );
  const to = asOf.asOf === null ? Date.now() : Date.parse(asOf.asOf);
  return (
    <Panel title="Risk over time">
      <Answered query={query} waiting={<Skeleton height={160} />}>
        {({ items, nextCursor }) => (
          <>
            <Line steps={stepsOf(items)} to={to} />
            {nextCursor !== null && (
              <Text size="xs" c="dimmed">
                The latest {PERIODS_MAX} steps; there were more before.
              </Text>
            )}
          </>
        )}
      </Answered>
    </Panel>
  );
}

function Line({ steps, to }: { steps: Step[]; to: number }) {
  const scores = steps.flatMap(({ value }) => (value === null ? [] : [value]));
  if (scores.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        It has never had a score.
      </Text>
    );
  }
  const label =
    `Risk score over time, ${steps.length} steps: first ${scores[0]!.toFixed(1)}, ` +
    `last ${scores.at(-1)!.toFixed(1)}, greatest ${Math.max(...scores).toFixed(1)}`;
  return <StepLine label={label} steps={steps} from={steps[0]!.at} to={Math.max(to, steps.at(-1)!.at + 1)} />;
}

/** Oldest first; where a period ends before the next begins, or the last one has ended, there was no score. */
function stepsOf(newestFirst: readonly Api['ScorePeriodDto'][]): Step[] {
  const periods = newestFirst.toReversed();
  return periods.flatMap(({ from, to, score }, i) => {
    const step = { at: Date.parse(from), value: score };
    const next = periods[i + 1];
    return to === null || to === next?.from ? [step] : [step, { at: Date.parse(to), value: null }];
  });
}
