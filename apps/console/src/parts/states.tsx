import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Center, Loader, Stack, Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Failure } from '../api/client.ts';
import { retrySecondsOf } from './retry-seconds.ts';

export function Loading({ label = t`Loading` }: { label?: string }) {
  return (
    <Center mih={120} role="status" aria-label={label}>
      <Loader type="dots" />
    </Center>
  );
}

/** The error message of the service, with a retry button. */
export function Failed({ error, onRetry }: { error: Failure; onRetry?: () => void }) {
  return (
    <Alert color="red" role="alert" title={t`The data could not be loaded`}>
      <Stack align="flex-start" gap="sm">
        <span dir="auto">{sentenceOf(error)}</span>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center mih={160} p="md">
      <Stack align="center" gap="xs" maw={460}>
        <IconInbox size={36} color="var(--mantine-color-dimmed)" aria-hidden />
        <Text fw={600}>{title}</Text>
        {children && (
          <Text c="dimmed" size="sm" ta="center" component="div">
            {children}
          </Text>
        )}
      </Stack>
    </Center>
  );
}

/** The states of a query: loading, failed, not available, answered. `waiting` is the placeholder while it loads. */
export function Answered<Data>({
  query,
  waiting = <Loading />,
  children,
}: {
  query: Pick<UseQueryResult<Data, Failure>, 'data' | 'error'> & { refetch: () => unknown };
  waiting?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return waiting;
  return <Unanswered error={query.error} onRetry={() => void query.refetch()} />;
}

/** Why a query has no data; without a retry button if a retry does not help. */
export function Unanswered({ error, onRetry }: { error: Failure; onRetry: () => void }) {
  if (isUnavailable(error)) return <Empty title={t`Not available`}>{sentenceOf(error)}</Empty>;
  return <Failed error={error} onRetry={onRetry} />;
}

/** The settings, the state of the site or the access of the user exclude the data: a retry does not help. */
const isUnavailable = (error: Failure): boolean =>
  !(error instanceof Error) && (error.statusCode === 409 || error.statusCode === 403);

/** The message of an error; for 429 with the retry delay. */
export function sentenceOf(error: Failure): string {
  if (error instanceof Error) return t`The service is not responding.`;
  if (error.statusCode !== 429) return error.message;
  const seconds = retrySecondsOf(error);
  if (seconds === undefined) return t`The service is busy. Try again later.`;
  return plural(seconds, {
    one: 'The service is busy. Try again in # second.',
    other: 'The service is busy. Try again in # seconds.',
  });
}
