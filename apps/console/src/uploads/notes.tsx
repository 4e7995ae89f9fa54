import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Group, List, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { ignoredReason, signalsText } from './words.ts';

/** A section of the outcome of an upload. */
export function Note({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={6} component="section" aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

export function IgnoredSignals({ ignored }: { ignored: Record<string, number> }) {
  const reasons = Object.entries(ignored);
  if (reasons.length === 0) return null;
  return (
    <Note title={t`Signals ignored`}>
      <List size="sm" spacing={4}>
        {reasons.map(([reason, count]) => (
          <List.Item key={reason}>
            <b>{signalsText(count)}</b>: {ignoredReason(reason)}
          </List.Item>
        ))}
      </List>
    </Note>
  );
}

/** @param isPreview the asset may not exist yet */
export function MergedNames({
  merged,
  isPreview = false,
}: {
  merged: Api['MergedNameDto'][];
  isPreview?: boolean;
}) {
  if (merged.length === 0) return null;
  return (
    <Note title={t`Names merged into another asset`}>
      <Text size="sm" c="dimmed">
        <Trans>
          These names have the host name of an asset in another domain, so they belong to that asset. To keep
          them separate, change the asset matching policy:{' '}
          <AppLink to="/settings" underline="always" inherit>
            Settings
          </AppLink>
          .
        </Trans>
      </Text>
      <List size="sm" spacing={4}>
        {merged.map(({ name, assetId }) => (
          <List.Item key={`${name} ${assetId}`}>
            {isPreview ? (
              name
            ) : (
              <AppLink to={`/assets/${assetId}`} inherit aria-label={t`${name}: merged into this asset`}>
                {name}
              </AppLink>
            )}
          </List.Item>
        ))}
      </List>
    </Note>
  );
}

export function UnrecognisedTags({ tags }: { tags: string[] }) {
  if (tags.length === 0) return null;
  return (
    <Note title={t`Tags without a custom field`}>
      <Text size="sm" c="dimmed">
        <Trans>
          They are stored as plain tags. To use them as a custom field, add a field with the same name:{' '}
          <AppLink to="/settings" underline="always" inherit>
            Settings
          </AppLink>
          .
        </Trans>
      </Text>
      <Group gap={6}>
        {tags.map((tag) => (
          <Code key={tag}>{tag}</Code>
        ))}
      </Group>
    </Note>
  );
}
