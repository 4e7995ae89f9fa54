import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { type FindingType, typeNames } from '../parts/finding-type.ts';
import { upload } from './drafts.ts';
import type { SignalSummary } from './signal-summary.ts';

/** Summary of a single signal, because the service has no dry run for it. */
export function SignalPreview({ id, signal }: { id: string; signal: SignalSummary | null }) {
  return (
    <Stack gap="sm">
      {signal === null ? (
        <Text>
          <Trans>This file does not look like a signal. Upload it to see the errors.</Trans>
        </Text>
      ) : (
        <Text>
          <Trans>
            One signal: <b>{signal.name || 'without a name'}</b>
            {signal.types.length > 0 && ` (${signal.types.map(typeName).join(', ')})`} on{' '}
            <b>{signal.asset || 'an asset without a name'}</b>. It creates or updates data of this asset. To
            preview the changes, put the signal into a ZIP.
          </Trans>
        </Text>
      )}
      <Group>
        <Button onClick={() => upload(id)}>
          <Trans>Upload</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

const typeName = (type: string): string => typeNames()[type.toLowerCase() as FindingType] ?? type;
