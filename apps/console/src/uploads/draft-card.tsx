import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Button,
  CloseButton,
  Group,
  Paper,
  Progress,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { IconFile, IconFileTypeZip, IconJson, IconReport } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { percent } from '../language/format.ts';
import { AcceptedUpload } from './accepted-upload.tsx';
import { type Draft, hasEditedOptions } from './draft.ts';
import classes from './draft-card.module.css';
import { DraftFailed } from './draft-failed.tsx';
import { cancel, remove } from './drafts.ts';
import { MalformedFile } from './malformed-file.tsx';
import { NothingMapped } from './nothing-mapped.tsx';
import { ReportOptionsForm } from './report-options-form.tsx';
import { ReportSummary } from './report-summary.tsx';
import { megabytes } from './selected-file.ts';
import { SignalPreview } from './signal-preview.tsx';
import { ZipPreview } from './zip-preview.tsx';

/** A selected file: its current step and the possible actions. */
export function DraftCard({ draft }: { draft: Draft }) {
  const { id, name, size, read, step } = draft;
  const Icon =
    read === null ? IconFile : { zip: IconFileTypeZip, json: IconJson, report: IconReport }[read.kind];
  const isSending = step.at === 'sending';
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Icon size={22} stroke={1.5} aria-hidden />
            <Title order={2} size="h5" className={classes.name} title={name}>
              {name}
            </Title>
            <Text size="sm" c="dimmed" className={classes.size}>
              {megabytes(size)}
            </Text>
          </Group>
          {!isSending && <CloseButton aria-label={t`Remove ${name}`} onClick={() => remove(id)} />}
        </Group>
        <VisuallyHidden role="status">{`${name}: ${statusOf(draft)}`}</VisuallyHidden>
        {bodyOf(draft)}
      </Stack>
    </Paper>
  );
}

function bodyOf(draft: Draft): ReactNode {
  const { id, name, preview, step } = draft;
  switch (step.at) {
    case 'waiting':
      return (
        <Group justify="space-between">
          <Text c="dimmed">
            {step.for === 'preview' ? t`Waiting for the preview` : t`Waiting for the upload`}
          </Text>
          {step.for === 'upload' && (
            <Button variant="default" onClick={() => cancel(id)}>
              <Trans>Cancel</Trans>
            </Button>
          )}
        </Group>
      );
    case 'rejected':
      return (
        <Text c="var(--mantine-color-error)" role="alert">
          {step.why} <Trans>Nothing was sent.</Trans>
        </Text>
      );
    case 'previewing':
      return <OnItsWay label={t`Preview of ${name}`} share={step.share} then={t`Creating the preview …`} />;
    case 'sending':
      return (
        <Group wrap="nowrap" align="flex-end">
          <OnItsWay
            label={t`Upload of ${name}`}
            share={step.share}
            then={t`Sent. Waiting for the service to store it …`}
          />
          <Button variant="default" onClick={() => cancel(id)}>
            <Trans>Cancel</Trans>
          </Button>
        </Group>
      );
    case 'malformed':
      return <MalformedFile draft={draft} rejection={step.rejection} />;
    case 'nothingMapped':
      return <NothingMapped draft={draft} />;
    case 'failed':
      return <DraftFailed draft={draft} step={step} />;
    case 'ready':
      return (
        <>
          {step.wasCancelled && (
            <Text>
              <Trans>
                The upload was cancelled. If the file arrived before that, the list below shows it. Another
                upload of the file does not count twice.
              </Trans>
            </Text>
          )}
          {preview?.of === 'report' && (
            <>
              <ReportSummary report={preview.result} />
              <ReportOptionsForm draft={draft} />
            </>
          )}
          {preview?.of === 'zip' || preview?.of === 'report' ? (
            <ZipPreview id={id} preview={preview} hasOtherOptions={hasEditedOptions(draft)} />
          ) : (
            <SignalPreview id={id} signal={preview?.signal ?? null} />
          )}
        </>
      );
    case 'accepted':
      return <AcceptedUpload uploadId={step.uploadId} rejected={step.rejected} />;
  }
}

function OnItsWay({ label, share, then }: { label: string; share: number; then: string }) {
  const isSent = share >= 1;
  const sent = percent(Math.floor(share * 100) / 100);
  return (
    <Stack gap={6} flex={1}>
      <Text size="sm" c="dimmed" className="numeric">
        {isSent ? then : t`Sending: ${sent}`}
      </Text>
      <Progress value={share * 100} animated={isSent} aria-label={label} />
    </Stack>
  );
}

/** Status for screen readers, announced once per step. */
function statusOf({ preview, step }: Draft): string {
  switch (step.at) {
    case 'waiting':
      return t`waiting`;
    case 'rejected':
      return t`rejected`;
    case 'previewing':
      return t`creating the preview`;
    case 'sending':
      return t`sending`;
    case 'malformed':
      return t`malformed, nothing was stored`;
    case 'nothingMapped':
      return t`no finding becomes a signal, nothing was stored`;
    case 'failed':
      return t`not sent`;
    case 'ready':
      return preview === null || preview.of === 'json' ? t`ready to upload` : t`preview ready`;
    case 'accepted':
      return t`stored`;
  }
}
