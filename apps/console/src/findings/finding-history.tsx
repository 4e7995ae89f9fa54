import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, Text } from '@mantine/core';
import { type Api, api } from '../api/client.ts';
import { PAGES } from '../api/pages.ts';
import { localInstant } from '../parts/instant.tsx';
import { Panel } from '../parts/panel.tsx';
import { Failed } from '../parts/states.tsx';
import { useAsOf } from '../time/as-of.ts';
import classes from './finding-history.module.css';
import { FindingStep } from './finding-step.tsx';

const STEPS_AT_ONCE = 20;

function removedText({ changes, before }: Api['RemovedHistoryDto']): string {
  const time = localInstant(before);
  return plural(changes, {
    one: `# earlier change was removed under the retention of history, which keeps what is known since ${time}.`,
    other: `# earlier changes were removed under the retention of history, which keeps what is known since ${time}.`,
  });
}

/** All changes of a finding with their causes, oldest first. */
export function FindingHistory({ id }: { id: string }) {
  const asOf = useAsOf();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = api.useInfiniteQuery(
    'get',
    '/api/v3/findings/{id}/history',
    { params: { path: { id }, query: { ...asOf.query, limit: STEPS_AT_ONCE } } },
    PAGES,
  );
  const steps = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Panel
      title={t`History`}
      actions={
        <Text size="sm" c="dimmed">
          <Trans>Oldest first</Trans>
        </Text>
      }
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} />}
      {data?.pages[0]?.removed && (
        <Text size="sm" c="dimmed" mb="sm">
          {removedText(data.pages[0].removed)}
        </Text>
      )}
      <ol className={classes.steps} aria-label={t`History`}>
        {steps.map((step) => (
          <FindingStep
            key={`${step.position.partition}/${step.position.offset}/${step.version}`}
            id={id}
            step={step}
          />
        ))}
      </ol>
      {hasNextPage && (
        <Button
          variant="default"
          size="xs"
          mt="sm"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          <Trans>Show later steps</Trans>
        </Button>
      )}
    </Panel>
  );
}
