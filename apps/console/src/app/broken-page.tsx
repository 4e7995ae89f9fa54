import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Code, Container, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { Failed, Loading } from '../parts/states.tsx';
import { isAnswering } from './is-answering.ts';
import { forgetFailedLoads } from './retryable-lazy.tsx';

const RETRY_MS = 3_000;

/** Shown after an error of the console, or if a page could not be loaded. Opening the page again reloads it. */
export function BrokenPage() {
  const error = useRouteError();
  useEffect(forgetFailedLoads, []);
  const { data, refetch } = useQuery({
    queryKey: ['is answering'],
    queryFn: isAnswering,
    gcTime: 0,
    networkMode: 'always',
    refetchInterval: ({ state }) => (state.data === false ? RETRY_MS : false),
  });
  const [wasMissing, setMissing] = useState(false);
  if (data === false && !wasMissing) setMissing(true);
  useEffect(() => {
    if (data && wasMissing) window.location.reload();
  }, [data, wasMissing]);
  return (
    <Container size="sm" py="xl">
      {data === undefined && <Loading />}
      {data === false && <Failed error={new Error()} onRetry={() => void refetch()} />}
      {data && (
        <Alert color="red" role="alert" title={t`The page failed to load`}>
          <Stack align="flex-start">
            <span>
              <Trans>The console may have been updated. Reload the page.</Trans>
            </span>
            <Code block>{error instanceof Error ? error.message : String(error)}</Code>
            <Button onClick={() => window.location.reload()}>
              <Trans>Reload</Trans>
            </Button>
          </Stack>
        </Alert>
      )}
    </Container>
  );
}
