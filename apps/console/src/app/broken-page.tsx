import { Alert, Button, Code, Container, Stack } from '@mantine/core';
import { useRouteError } from 'react-router';

/** A fault of the console itself: says so, and offers the way out. */
export function BrokenPage() {
  const error = useRouteError();
  return (
    <Container component="main" size="sm" py="xl">
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
