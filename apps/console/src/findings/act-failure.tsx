import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { Severity } from '../parts/severity.tsx';
import { State } from '../parts/state.tsx';
import { sentenceOf } from '../parts/states.tsx';
import { Notice } from '../settings/notice.tsx';
import { ActFailed } from './act-failed.tsx';
import type { FindingAct } from './use-finding-act.ts';

/** Error of an action, and the current state if the finding has changed. */
export function ActFailure({
  act,
  finding,
  isStillPossible,
}: {
  act: FindingAct;
  finding: Api['FindingDto'];
  isStillPossible: boolean;
}) {
  const { failure, hasChanged, continueWithCurrent, isBusy } = act;
  // The action itself changes the finding, possibly before its response arrives.
  if (isBusy || (failure === null && !hasChanged)) return null;
  const reason = failure && sentenceOf(failure);
  return (
    <>
      {failure && (
        <ActFailed error={failure}>
          <Trans>
            Rejected by the service: <bdi>{reason}</bdi>
          </Trans>
        </ActFailed>
      )}
      {hasChanged && (
        <Notice color="orange" role="alert" title={t`The finding has changed`}>
          <Stack gap="xs" align="flex-start">
            <Group gap="xs">
              <Trans>
                Current state: <State of={finding.state} /> <Severity value={finding.severity.value} />
              </Trans>
            </Group>
            {isStillPossible && (
              <Button size="xs" variant="default" onClick={continueWithCurrent}>
                <Trans>Use the current state</Trans>
              </Button>
            )}
          </Stack>
        </Notice>
      )}
    </>
  );
}
