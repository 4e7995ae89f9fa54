import { Box, Group, SegmentedControl, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Suspense } from 'react';
import { type Api, api } from '../api/client.ts';
import { lazyAgain } from '../app/lazy-again.tsx';
import { fullInstant } from '../parts/instant.tsx';
import { Answered } from '../parts/states.tsx';
import { useSearch } from '../parts/use-search.ts';
import { useAsOf } from '../time/as-of.ts';
import { CourseTable } from './course-table.tsx';
import { type Beginning, beginning, courseSentence, type Point, pointsOf } from './points.ts';
import { DEFAULT_RANGE, isRange, RANGES, type Range } from './ranges.ts';
import { useMoment } from './use-moment.ts';

const HEIGHT = 260;
const waiting = <Skeleton height={HEIGHT} role="status" aria-label="Loading" />;

/** What draws is large, and comes after the figures. */
const CourseChart = lazyAgain(async () => (await import('./course-chart.tsx')).CourseChart);

/** Score and breach likelihood over time, up to the instant that is shown. */
export function Course({ organization }: { organization: Api['OrganizationScoreDto'] }) {
  const { asOf } = useAsOf();
  const search = useSearch();
  const asked = search.get('range');
  const range = isRange(asked) ? asked : DEFAULT_RANGE;
  const history = useHistory(range);
  const latestAt = asOf === null ? Date.now() : Date.parse(asOf);
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text fw={600} component="h2" size="md" m={0}>
          Over time
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Time shown"
          value={range}
          onChange={(value) => search.set({ range: value === DEFAULT_RANGE ? undefined : value })}
          data={Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))}
        />
      </Group>
      <Answered query={history} waiting={waiting}>
        {({ items }) => (
          <Drawn
            points={pointsOf(items, organization, latestAt)}
            begun={beginning([...items, organization])}
            range={range}
            latestAt={latestAt}
          />
        )}
      </Answered>
    </Stack>
  );
}

/** Asked anew by the quarter of an hour only: what has passed stays, and the present stands beside it. */
function useHistory(range: Range) {
  const { asOf } = useAsOf();
  const { ms, step } = RANGES[range];
  const moment = useMoment();
  const from = new Date(moment - ms).toISOString();
  return api.useQuery(
    'get',
    '/api/v3/scores/organization/history',
    { params: { query: { from, step, ...(asOf !== null && { to: asOf }) } } },
    { placeholderData: keepPreviousData, meta: { live: false } },
  );
}

function Drawn({
  points,
  begun,
  range,
  latestAt,
}: {
  points: Point[];
  begun: Beginning | null;
  range: Range;
  latestAt: number;
}) {
  const { words, ms } = RANGES[range];
  return (
    <>
      <Box role="img" aria-label={courseSentence(points, words)}>
        <Suspense fallback={waiting}>
          <CourseChart points={points} from={latestAt - ms} to={latestAt} height={HEIGHT} />
        </Suspense>
      </Box>
      {begun !== null && (
        <Text size="xs" c="dimmed">
          Scores begin between {fullInstant(begun.after)} and {fullInstant(begun.by)}.
        </Text>
      )}
      <VisuallyHidden>
        <CourseTable points={points} caption={`Risk score and breach likelihood in ${words}`} />
      </VisuallyHidden>
    </>
  );
}
