import { Alert, Button, Group, Stack } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { Severity } from '../parts/severity.tsx';
import { State } from '../parts/state.tsx';
import { sentenceOf } from '../parts/states.tsx';
import type { FindingAct } from './use-finding-act.ts';

/** Why an act was not done, and, where the finding has changed meanwhile, what it is now. */
export function ActFailure({
  act,
  finding,
  isStillPossible,
}: {
  act: FindingAct;
  finding: Api['FindingDto'];
  isStillPossible: boolean;
}) {
  const { failure, hasChanged, lookAnew, isBusy } = act;
  // The act itself changes it, and that may be seen before its answer.
  if (isBusy || (failure === null && !hasChanged)) return null;
  return (
    <Alert
      color={failure ? 'red' : 'orange'}
      role="alert"
      title={hasChanged ? 'It has changed meanwhile' : 'This was not done'}
    >
      <Stack gap="xs" align="flex-start">
        {failure && <span>The service refused: {sentenceOf(failure)}</span>}
        {hasChanged && (
          <>
            <Group gap="xs">
              It is now <State of={finding.state} /> <Severity value={finding.severity.value} />
            </Group>
            {isStillPossible && (
              <Button size="xs" variant="default" onClick={lookAnew}>
                Decide on what it is now
              </Button>
            )}
          </>
        )}
      </Stack>
    </Alert>
  );
}
