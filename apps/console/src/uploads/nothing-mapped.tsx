import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack } from '@mantine/core';
import type { Draft } from './draft.ts';
import { allowEmpty } from './drafts.ts';
import { ReportOptionsForm } from './report-options-form.tsx';

/** A full assessment of which no finding is mapped: the user decides whether its assets are clean. */
export function NothingMapped({ draft }: { draft: Draft }) {
  return (
    <Stack gap="sm">
      <Alert color="red" title={t`No finding of this report becomes a signal`}>
        <Trans>
          As a full assessment, this report retires all findings of the selected types on its assets. Upload
          it only if these assets have no such findings. Nothing was stored.
        </Trans>
      </Alert>
      <ReportOptionsForm draft={draft} />
      <Group>
        <Button variant="default" onClick={() => allowEmpty(draft.id)}>
          <Trans>Preview anyway</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
