import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { number } from '../language/format.ts';
import { Instant } from '../parts/instant.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useAsOf } from '../time/as-of.ts';
import { Applied } from './applied.tsx';
import { Counts } from './counts.tsx';
import { CurrentStateNote } from './current-state-note.tsx';
import { EntryMessages } from './entry-messages.tsx';
import { IgnoredSignals, MergedNames, Note, UnrecognisedTags } from './notes.tsx';
import { UploadChanges } from './upload-changes.tsx';
import { malformedText, uploadTitle } from './words.ts';

/** Details and outcome of an upload. */
export function UploadReport({ upload }: { upload: Api['UploadDto'] }) {
  const { receivedAt, by, source, accepted, rejected, outcome, merged, unrecognisedTags, warnings } = upload;
  const { asOf } = useAsOf();
  const hasRemarks =
    [merged, unrecognisedTags, warnings, Object.keys(outcome.ignored)].some(({ length }) => length > 0) ||
    rejected > 0;
  return (
    <>
      <PageTitle
        above={
          <AppLink to="/uploads">
            <Trans>Uploads</Trans>
          </AppLink>
        }
      >
        {uploadTitle(upload)}
      </PageTitle>
      <Stack gap="lg">
        {asOf !== null && <CurrentStateNote />}
        <Paper withBorder p="md">
          <Group justify="space-between" gap="xl">
            <Group gap="xl">
              <Fact label={t`Received`}>
                <Instant at={receivedAt} />
              </Fact>
              <Fact label={t`By`}>{by ?? source ?? t`the service`}</Fact>
              <Fact label={t`Signals`}>{number(accepted)}</Fact>
              {rejected > 0 && <Fact label={t`Skipped`}>{malformedText(rejected)}</Fact>}
            </Group>
            <Applied upload={upload} />
          </Group>
        </Paper>
        <Stack gap="xs" component="section" aria-labelledby="outcome">
          <Title order={2} size="h4" id="outcome">
            {upload.done ? t`Outcome` : t`Outcome so far`}
          </Title>
          <Counts outcome={outcome} />
        </Stack>
        <UploadChanges upload={upload} />
        {hasRemarks ? (
          <Paper withBorder p="md">
            <Stack gap="lg">
              <IgnoredSignals ignored={outcome.ignored} />
              <MergedNames merged={merged} />
              <UnrecognisedTags tags={unrecognisedTags} />
              {warnings.length > 0 && (
                <Note title={t`Warnings`}>
                  <EntryMessages label={t`Warnings`} messages={warnings} />
                </Note>
              )}
              {rejected > 0 && (
                <Note title={t`Malformed entries`}>
                  <Text size="sm">
                    <Plural
                      value={rejected}
                      one="# entry was skipped. The response to the upload listed them."
                      other="# entries were skipped. The response to the upload listed them."
                    />
                  </Text>
                </Note>
              )}
            </Stack>
          </Paper>
        ) : (
          upload.done && (
            <Text c="dimmed">
              <Trans>No ignored signals, skipped entries or warnings.</Trans>
            </Text>
          )
        )}
      </Stack>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Stack gap={0}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="div">{children}</Text>
    </Stack>
  );
}
