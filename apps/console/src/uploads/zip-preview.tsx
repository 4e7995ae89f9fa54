import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Counts } from './counts.tsx';
import type { Preview } from './draft.ts';
import { preview as previewAgain, upload } from './drafts.ts';
import { EntryMessages } from './entry-messages.tsx';
import { MergedNames, UnrecognisedTags } from './notes.tsx';
import { counted } from './words.ts';
import { WouldTable } from './would-table.tsx';

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** What a ZIP would change, and the button that lets it. */
export function ZipPreview({
  id,
  preview: { at, comesTo },
}: {
  id: string;
  preview: Extract<Preview, { of: 'zip' }>;
}) {
  const { accepted, rejected, outcome } = comesTo;
  const { retired } = outcome;
  return (
    <Stack gap="md">
      <Text>
        This is what would change: <b>nothing is stored yet</b>. The ZIP holds {counted(accepted, 'signal')}
        {rejected > 0 && `; ${counted(rejected, 'malformed entry', 'malformed entries')} would be left out`}.
      </Text>
      {retired > 0 && <WouldRetire comesTo={comesTo} />}
      <Counts outcome={outcome} />
      <Group gap="sm">
        <Button color={retired > 0 ? 'red.9' : undefined} onClick={() => upload(id)}>
          {retired > 0 ? `Upload and retire ${counted(retired, 'finding')}` : 'Upload'}
        </Button>
        <Button variant="default" onClick={() => previewAgain(id)}>
          Preview again
        </Button>
        <Text size="sm" c="dimmed">
          As of {TIME.format(new Date(at))}, on top of what is stored
        </Text>
      </Group>
      {comesTo.findings.length > 0 && (
        <WouldTable findings={comesTo.findings} leftOut={comesTo.findingsLeftOut} />
      )}
      {comesTo.errors.length > 0 && (
        <Stack gap={4} component="section" aria-label="Left out">
          <Title order={3} size="h5">
            Malformed entries, left out
          </Title>
          <EntryMessages label="Malformed entries" messages={comesTo.errors} />
        </Stack>
      )}
      <MergedNames merged={comesTo.merged} isPreview />
      <UnrecognisedTags tags={comesTo.unrecognisedTags} />
      {comesTo.warnings.length > 0 && (
        <Stack gap={4} component="section" aria-label="Warnings">
          <Title order={3} size="h5">
            Warnings
          </Title>
          <EntryMessages label="Warnings" messages={comesTo.warnings} />
        </Stack>
      )}
    </Stack>
  );
}

function WouldRetire({
  comesTo: { outcome, findings, findingsLeftOut },
}: {
  comesTo: Extract<Preview, { of: 'zip' }>['comesTo'];
}) {
  const retired = findings.filter(({ would }) => would === 'retired');
  const assets = new Set(retired.map(({ asset }) => asset)).size;
  const replaces = retired.some(({ reason }) => reason === 'replaced') || findingsLeftOut > 0;
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={`${counted(outcome.retired, 'finding')} would be retired`}
    >
      {replaces
        ? `This ZIP replaces the whole assessment of the assets that it names: what it leaves out is retired` +
          `${findingsLeftOut > 0 ? '' : `, on ${counted(assets, 'asset')}`}. ` +
          'Upload it only if it holds everything that is known about each of them.'
        : 'Signals of this ZIP take back what was reported before.'}
    </Alert>
  );
}
