import { t } from '@lingui/core/macro';
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
          <OneSignal of={signal} />
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

function OneSignal({ of: { name, asset, types } }: { of: SignalSummary }) {
  const [what, where] = [name || t`without a name`, asset || t`an asset without a name`];
  const kinds = types.length === 0 ? '' : ` (${types.map(typeName).join(', ')})`;
  return (
    <Trans>
      One signal: <b>{what}</b>
      {kinds} on <b>{where}</b>. It creates or updates data of this asset. To preview the changes, put the
      signal into a ZIP.
    </Trans>
  );
}
