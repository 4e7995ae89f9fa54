import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { date } from '../language/format.ts';
import { assetsText } from '../parts/asset-count.ts';
import { Counts } from './counts.tsx';
import type { Preview } from './draft.ts';
import { preview as previewAgain, upload } from './drafts.ts';
import { EntryMessages } from './entry-messages.tsx';
import { MergedNames, UnrecognisedTags } from './notes.tsx';
import { PreviewTable } from './preview-table.tsx';
import { malformedText, signalsText } from './words.ts';

/** Preview of a ZIP or of the signals of a report, with the upload button. */
export function ZipPreview({
  id,
  preview: { of, at, result },
  hasOtherOptions,
}: {
  id: string;
  preview: Extract<Preview, { of: 'zip' | 'report' }>;
  /** The form shows other options than those of the preview. */
  hasOtherOptions: boolean;
}) {
  const { accepted, rejected, outcome } = result;
  const { retired } = outcome;
  const time = date(at, { timeStyle: 'short' });
  return (
    <Stack gap="md">
      <Text>
        <Trans>
          Preview: <b>nothing is stored yet</b>.
        </Trans>{' '}
        {contentText(of, accepted, rejected)}
      </Text>
      {retired > 0 && <RetirementWarning of={of} result={result} />}
      <Counts outcome={outcome} />
      <Group gap="sm">
        {accepted > 0 && (
          <Button
            color={retired > 0 ? 'red.9' : undefined}
            disabled={hasOtherOptions}
            onClick={() => upload(id)}
          >
            {retired > 0
              ? plural(retired, { one: 'Upload and retire # finding', other: 'Upload and retire # findings' })
              : t`Upload`}
          </Button>
        )}
        <Button variant="default" onClick={() => previewAgain(id)}>
          <Trans>Preview again</Trans>
        </Button>
        <Text size="sm" c="dimmed">
          {hasOtherOptions ? (
            <Trans>The options have changed. Preview the report with them before the upload.</Trans>
          ) : (
            <Trans>Based on the data stored at {time}</Trans>
          )}
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
      title={plural(outcome.retired, {
        one: '# finding would be retired',
        other: '# findings would be retired',
      })}
    >
      {replaces
        ? fullAssessmentText(of, findingsLeftOut > 0 ? null : assets)
        : t`Signals of this upload revoke findings that were reported earlier.`}
    </Alert>
  );
}

function contentText(of: 'zip' | 'report', accepted: number, rejected: number): string {
  const [signals, skipped] = [signalsText(accepted), malformedText(rejected)];
  if (rejected === 0) {
    return of === 'zip' ? t`The ZIP contains ${signals}.` : t`The report contains ${signals}.`;
  }
  return of === 'zip'
    ? t`The ZIP contains ${signals}; ${skipped} would be skipped.`
    : t`The report contains ${signals}; ${skipped} would be skipped.`;
}

/** @param assets with a retired finding; null: unknown */
function fullAssessmentText(of: 'zip' | 'report', assets: number | null): string {
  if (assets === null) {
    return of === 'zip'
      ? t`This ZIP is a full assessment of its assets. Findings that it does not contain are retired. Upload it only if it contains all findings of these assets.`
      : t`This report is a full assessment of its assets. Findings that it does not contain are retired. Upload it only if it contains all findings of these assets.`;
  }
  const on = assetsText(assets);
  return of === 'zip'
    ? t`This ZIP is a full assessment of its assets. Findings that it does not contain are retired, on ${on}. Upload it only if it contains all findings of these assets.`
    : t`This report is a full assessment of its assets. Findings that it does not contain are retired, on ${on}. Upload it only if it contains all findings of these assets.`;
}
