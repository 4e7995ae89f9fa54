import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Stack, Text, Title } from '@mantine/core';
import { PageTitle } from '../parts/page-title.tsx';
import { useMay } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';
import { CurrentStateNote } from './current-state-note.tsx';
import { addFiles, useDrafts } from './drafts.ts';
import { DraftsList } from './drafts-list.tsx';
import { DropArea } from './drop-area.tsx';
import { UploadsTable } from './uploads-table.tsx';

export function Component() {
  const { asOf } = useAsOf();
  const maySend = useMay('signals:write');
  const drafts = useDrafts();
  return (
    <>
      <PageTitle>{t`Uploads`}</PageTitle>
      <Stack gap="lg">
        {asOf !== null && <CurrentStateNote />}
        {asOf === null && maySend && (
          <>
            <DropArea onGive={addFiles} isSmall={drafts.length > 0} />
            {drafts.length > 0 && <DraftsList drafts={drafts} />}
          </>
        )}
        {asOf === null && !maySend && (
          <Text c="dimmed">
            <Trans>You can view uploads but cannot upload.</Trans>
          </Text>
        )}
        <Stack gap="xs" component="section" aria-labelledby="uploads-so-far">
          <Title order={2} size="h4" id="uploads-so-far">
            <Trans>Upload history</Trans>
          </Title>
          <Paper withBorder p="sm">
            <UploadsTable />
          </Paper>
        </Stack>
      </Stack>
    </>
  );
}
