import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack } from '@mantine/core';
import type { Failure } from '../../api/client.ts';
import { sentenceOf, Unanswered } from '../states.tsx';
import { useSearch } from '../use-search.ts';

/** Error of a list. If a parameter in the address is invalid, a button removes all parameters. */
export function ListError({ error, onRetry }: { error: Failure; onRetry: () => void }) {
  const search = useSearch();
  if (error instanceof Error || error.statusCode !== 400)
    return <Unanswered error={error} onRetry={onRetry} />;
  const isAboutInstant = /\basOf\b/.test(error.message);
  const names = search.all().map(([name]) => name);
  return (
    <Alert color="red" role="alert" title={t`The address of this list is invalid`}>
      <Stack align="flex-start" gap="sm">
        <span dir="auto">{sentenceOf(error)}</span>
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
          <Trans>Reset filters</Trans>
        </Button>
      </Stack>
    </Alert>
  );
}
