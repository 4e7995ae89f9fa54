import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Code, Container, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { forgetFailedLoads } from './retryable-lazy.tsx';

/** Shown after an error of the console, or if a page could not be loaded. Opening the page again reloads it. */
export function BrokenPage() {
  const error = useRouteError();
  useEffect(forgetFailedLoads, []);
  return (
    <Container size="sm" py="xl">
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
    </Container>
  );
}
