import { Alert, Button, Code, Container, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { forgetFailedLoads } from './lazy-again.tsx';

/** A fault of the console itself, or a screen that could not be loaded: whoever goes there again loads it again. */
export function BrokenPage() {
  const error = useRouteError();
  useEffect(forgetFailedLoads, []);
  return (
    <Container size="sm" py="xl">
      <Alert color="red" role="alert" title="This page has failed">
        <Stack align="flex-start">
          <span>A newer version of the console may have been installed: load the page again.</span>
          <Code block>{error instanceof Error ? error.message : String(error)}</Code>
          <Button onClick={() => window.location.reload()}>Load again</Button>
        </Stack>
      </Alert>
    </Container>
  );
}
