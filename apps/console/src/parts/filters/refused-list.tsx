import { Alert, Button, Stack } from '@mantine/core';
import type { Failure } from '../../api/client.ts';
import { Failed, sentenceOf } from '../states.tsx';
import { useSearch } from '../use-search.ts';

/** A list that the service did not give. What the address asks for may be nothing that it knows: a way out is offered. */
export function RefusedList({ error, onRetry }: { error: Failure; onRetry: () => void }) {
  const search = useSearch();
  if (error instanceof Error || error.statusCode !== 400) return <Failed error={error} onRetry={onRetry} />;
  const isAboutInstant = /\basOf\b/.test(error.message);
  const names = search.all().map(([name]) => name);
  return (
    <Alert color="red" role="alert" title="The list cannot be shown as the address asks for it">
      <Stack align="flex-start" gap="sm">
        <span>{sentenceOf(error)}</span>
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            search.set(
              Object.fromEntries(
                names.filter((name) => isAboutInstant || name !== 'asOf').map((name) => [name, undefined]),
              ),
            )
          }
        >
          Show the whole list
        </Button>
      </Stack>
    </Alert>
  );
}
