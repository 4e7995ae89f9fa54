import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type Api, api } from '../api/client.ts';
import { fixed, number } from '../language/format.ts';
import { type ModelChange, ModelChangeNote, modelChangeText } from '../parts/model-change.tsx';
import { Panel } from '../parts/panel.tsx';
import { Answered } from '../parts/states.tsx';
import { type Step, StepLine } from '../parts/step-line.tsx';
import { useAsOf } from '../time/as-of.ts';

const PERIODS_MAX = 500;

/** Score of the asset over time. */
export function AssetScoreHistory({ asset: { id } }: { asset: Api['AssetDto'] }) {
  const asOf = useAsOf();
  const query = api.useQuery(
    'get',
    '/api/v3/assets/{id}/score/history',
    { params: { path: { id }, query: { ...asOf.query, limit: PERIODS_MAX } } },
    { placeholderData: keepPreviousData },
  );
  const most = number(PERIODS_MAX);
  const to = asOf.asOf === null ? Date.now() : Date.parse(asOf.asOf);
  return (
    <Panel title={t`Risk over time`}>
      <Answered query={query} waiting={<Skeleton height={160} />}>
        {({ items, nextCursor }) => (
          <>
            <Line steps={stepsOf(items)} changes={changesOf(items)} to={to} />
            <ModelChangeNote changes={changesOf(items)} />
            {nextCursor !== null && (
              <Text size="xs" c="dimmed">
                <Trans>Only the latest {most} steps are shown.</Trans>
              </Text>
            )}
          </>
        )}
      </Answered>
    </Panel>
  );
}

function Line({ steps, changes, to }: { steps: Step[]; changes: ModelChange[]; to: number }) {
  const scores = steps.flatMap(({ value }) => (value === null ? [] : [value]));
  if (scores.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        <Trans>This asset has never been scored.</Trans>
      </Text>
    );
  }
  const label = [labelOf(steps.length, scores), ...changes.map(modelChangeText)].join('. ');
  const marks = changes.map(({ at }) => at);
  const end = Math.max(to, steps.at(-1)!.at + 1);
  return <StepLine label={label} steps={steps} marks={marks} from={steps[0]!.at} to={end} />;
}

function labelOf(count: number, scores: readonly number[]): string {
  const first = fixed(scores[0]!);
  const last = fixed(scores.at(-1)!);
  const maximum = fixed(Math.max(...scores));
  return plural(count, {
    one: `Risk score over time, # step: first ${first}, last ${last}, maximum ${maximum}`,
    other: `Risk score over time, # steps: first ${first}, last ${last}, maximum ${maximum}`,
  });
}

/** Switches of the model between periods. */
const changesOf = (newestFirst: readonly Api['ScorePeriodDto'][]): ModelChange[] =>
  newestFirst.toReversed().flatMap(({ from, model }, i, periods) => {
    const before = periods[i - 1]?.model ?? model;
    return before === model ? [] : [{ at: Date.parse(from), before, after: model }];
  });

/** Oldest first. A gap between periods, after the last one, or at a change of the model has no score. */
function stepsOf(newestFirst: readonly Api['ScorePeriodDto'][]): Step[] {
  const periods = newestFirst.toReversed();
  return periods.flatMap(({ from, to, score, model }, i) => {
    const step = { at: Date.parse(from), value: score };
    const next = periods[i + 1];
    if (to === null) return [step];
    const end = { at: Date.parse(to), value: null };
    if (to !== next?.from) return [step, end];
    return next.model === model ? [step] : [step, { ...end, at: end.at - 1 }];
  });
}
