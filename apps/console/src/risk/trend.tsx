import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Group, SegmentedControl, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Suspense } from 'react';
import { type Api, api } from '../api/client.ts';
import { retryableLazy } from '../app/retryable-lazy.tsx';
import { fullInstant } from '../parts/instant.tsx';
import { type ModelChange, ModelChangeNote, modelChangesOf } from '../parts/model-change.tsx';
import { Answered } from '../parts/states.tsx';
import { useSearch } from '../parts/use-search.ts';
import { useAsOf } from '../time/as-of.ts';
import { groupQuery, type Subject } from './group.ts';
import { type Beginning, beginning, type Point, pointsOf, trendText } from './points.ts';
import { DEFAULT_RANGE, isRange, RANGES, type Range } from './ranges.ts';
import { RECOUNT_MS } from './recount.tsx';
import { TrendTable } from './trend-table.tsx';
import { useMoment } from './use-moment.ts';
import type { Risk } from './use-risk.ts';

const HEIGHT = 260;
const Waiting = () => <Skeleton height={HEIGHT} role="status" aria-label={t`Loading`} />;

/** The chart library is large, so it loads after the figures. */
const TrendChart = retryableLazy(async () => (await import('./trend-chart.tsx')).TrendChart);

/** Score and breach likelihood over time, up to the displayed time. */
export function Trend({ subject, risk }: { subject: Subject; risk: Risk }) {
  const { asOf } = useAsOf();
  const search = useSearch();
  const asked = search.get('range');
  const range = isRange(asked) ? asked : DEFAULT_RANGE;
  const history = useHistory(subject, range, risk.model);
  const latestAt = asOf === null ? Date.now() : Date.parse(asOf);
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text fw={600} component="h2" size="md" m={0}>
          <Trans>Trend</Trans>
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t`Time range`}
          value={range}
          onChange={(value) => search.set({ range: value === DEFAULT_RANGE ? undefined : value })}
          data={Object.entries(RANGES).map(([value, { label }]) => ({ value, label: i18n._(label) }))}
        />
      </Group>
      <Answered query={history} waiting={<Waiting />}>
        {({ items, modelChanges }) => {
          const changes = modelChangesOf(modelChanges, items[0]!.model);
          return (
            <Drawn
              points={pointsOf(items, risk, latestAt, changes)}
              begun={beginning([...items, risk])}
              changes={changes}
              range={range}
              latestAt={latestAt}
            />
          );
        }}
      </Answered>
    </Stack>
  );
}

/**
 * Requested once per quarter of an hour: past values do not change, and another request returns the current value.
 *
 * @param model in force; if the history does not have it yet, it is requested again
 */
function useHistory(subject: Subject, range: Range, model: string) {
  const { asOf } = useAsOf();
  const { ms, step } = RANGES[range];
  const moment = useMoment();
  const from = new Date(moment - ms).toISOString();
  return api.useQuery(
    'get',
    '/api/v3/scores/organization/history',
    { params: { query: { ...groupQuery(subject), from, step, ...(asOf !== null && { to: asOf }) } } },
    {
      placeholderData: keepPreviousData,
      meta: { live: false },
      refetchInterval: ({ state }) => isBefore(state.data, model) && RECOUNT_MS,
    },
  );
}

/** Whether the history ends before the switch to the model. */
const isBefore = (history: Api['ScoreHistoryDto'] | undefined, model: string): boolean =>
  history !== undefined && (history.modelChanges.at(-1)?.model ?? history.model) !== model;

function Drawn({
  points,
  begun,
  changes,
  range,
  latestAt,
}: {
  points: Point[];
  begun: Beginning | null;
  changes: readonly ModelChange[];
  range: Range;
  latestAt: number;
}) {
  const { ms } = RANGES[range];
  const words = i18n._(RANGES[range].words);
  return (
    <>
      <Box role="img" aria-label={trendText(points, words, changes)}>
        <Suspense fallback={<Waiting />}>
          <TrendChart points={points} changes={changes} from={latestAt - ms} to={latestAt} height={HEIGHT} />
        </Suspense>
      </Box>
      {begun !== null && <Begun after={fullInstant(begun.after)} by={fullInstant(begun.by)} />}
      <ModelChangeNote changes={changes} />
      <VisuallyHidden>
        <TrendTable points={points} caption={t`Risk score and breach likelihood in ${words}`} />
      </VisuallyHidden>
    </>
  );
}

const Begun = ({ after, by }: Beginning) => (
  <Text size="xs" c="dimmed">
    <Trans>
      The first score was calculated between {after} and {by}.
    </Trans>
  </Text>
);
