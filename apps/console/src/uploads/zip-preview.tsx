import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Counts } from './counts.tsx';
import type { Preview } from './draft.ts';
import { preview as previewAgain, upload } from './drafts.ts';
import { EntryMessages } from './entry-messages.tsx';
import { MergedNames, UnrecognisedTags } from './notes.tsx';
import { PreviewTable } from './preview-table.tsx';
import { counted } from './words.ts';

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** Preview of a ZIP or of the signals of a report, with the upload button. */
export function ZipPreview({
  id,
  preview: { of, at, result },
}: {
  id: string;
  preview: Extract<Preview, { of: 'zip' | 'report' }>;
}) {
  const { accepted, rejected, outcome } = result;
  const { retired } = outcome;
  return (
    <Stack gap="md">
      <Text>
        <Trans>
          Preview: <b>nothing is stored yet</b>. The {of === 'zip' ? 'ZIP' : 'report'} contains{' '}
          {counted(accepted, 'signal')}
          {rejected > 0 && `; ${counted(rejected, 'malformed entry', 'malformed entries')} would be skipped`}.
        </Trans>
      </Text>
      {retired > 0 && <RetirementWarning of={of} result={result} />}
      <Counts outcome={outcome} />
      <Group gap="sm">
        {accepted > 0 && (
          <Button color={retired > 0 ? 'red.9' : undefined} onClick={() => upload(id)}>
            {retired > 0 ? t`Upload and retire ${counted(retired, 'finding')}` : t`Upload`}
          </Button>
        )}
        <Button variant="default" onClick={() => previewAgain(id)}>
          <Trans>Preview again</Trans>
        </Button>
        <Text size="sm" c="dimmed">
          <Trans>Based on the data stored at {TIME.format(new Date(at))}</Trans>
        </Text>
      </Group>
      {result.findings.length > 0 && (
        <PreviewTable findings={result.findings} leftOut={result.findingsLeftOut} />
      )}
      {result.errors.length > 0 && (
        <Stack gap={4} component="section" aria-label={t`Skipped`}>
          <Title order={3} size="h5">
            <Trans>Skipped malformed entries</Trans>
          </Title>
          <EntryMessages label={t`Malformed entries`} messages={result.errors} />
        </Stack>
      )}
      <MergedNames merged={result.merged} isPreview />
      <UnrecognisedTags tags={result.unrecognisedTags} />
      {result.warnings.length > 0 && (
        <Stack gap={4} component="section" aria-label={t`Warnings`}>
          <Title order={3} size="h5">
            <Trans>Warnings</Trans>
          </Title>
          <EntryMessages label={t`Warnings`} messages={result.warnings} />
        </Stack>
      )}
    </Stack>
  );
}

function RetirementWarning({
  of,
  result: { outcome, findings, findingsLeftOut },
}: Pick<Extract<Preview, { of: 'zip' | 'report' }>, 'of' | 'result'>) {
  const retired = findings.filter(({ would }) => would === 'retired');
  const assets = new Set(retired.map(({ asset }) => asset)).size;
  const replaces = retired.some(({ reason }) => reason === 'replaced') || findingsLeftOut > 0;
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={t`${counted(outcome.retired, 'finding')} would be retired`}
    >
      {replaces
        ? t`This ${of === 'zip' ? t`ZIP` : 'report'} is a full assessment of its assets. Findings that it does not contain are retired` +
          `${findingsLeftOut > 0 ? '' : t`, on ${counted(assets, 'asset')}`}. ` +
          t`Upload it only if it contains all findings of these assets.`
        : t`Signals of this upload revoke findings that were reported earlier.`}
    </Alert>
  );
}
