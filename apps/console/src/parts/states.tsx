import { Alert, Button, Center, Loader, Stack, Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Failure } from '../api/client.ts';

export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <Center mih={120} role="status" aria-label={label}>
      <Loader type="dots" />
    </Center>
  );
}

/** Why it failed in the service's own words, and how to try again. */
export function Failed({ error, onRetry }: { error: Failure; onRetry?: () => void }) {
  return (
    <Alert color="red" role="alert" title="This could not be shown">
      <Stack align="flex-start" gap="sm">
        <span>{sentenceOf(error)}</span>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
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

/** The three states of every question: waiting, failed, answered. `waiting` stands in for what comes, at its size. */
export function Answered<Data>({
  query,
  waiting = <Loading />,
  children,
}: {
  query: Pick<UseQueryResult<Data, Failure>, 'data' | 'error' | 'refetch'>;
  waiting?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return waiting;
}

/** A failure as a sentence; 429 says when to try again. */
export function sentenceOf(error: Failure): string {
  if (error instanceof Error) return 'The service does not answer.';
  if (error.statusCode === 429) return `The service is busy: try again in ${error.message} seconds.`;
  return error.message;
}
