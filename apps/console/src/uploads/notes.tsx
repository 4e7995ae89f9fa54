import { Code, Group, List, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { counted, ignoredReason } from './words.ts';

/** A part of what an upload came to. */
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
    <Note title="Signals ignored">
      <List size="sm" spacing={4}>
        {reasons.map(([reason, count]) => (
          <List.Item key={reason}>
            <b>{counted(count, 'signal')}</b>: {ignoredReason(reason)}
          </List.Item>
        ))}
      </List>
    </Note>
  );
}

/** @param isPreview the asset may not be there yet */
export function MergedNames({
  merged,
  isPreview = false,
}: {
  merged: Api['MergedNameDto'][];
  isPreview?: boolean;
}) {
  if (merged.length === 0) return null;
  return (
    <Note title="Names that joined another asset">
      <Text size="sm" c="dimmed">
        These have the host name of an asset with another domain, and count as the same one. The setting for
        asset matching keeps them apart:{' '}
        <AppLink to="/settings" underline="always" inherit>
          Settings
        </AppLink>
        .
      </Text>
      <List size="sm" spacing={4}>
        {merged.map(({ name, assetId }) => (
          <List.Item key={`${name} ${assetId}`}>
            {isPreview ? (
              name
            ) : (
              <AppLink to={`/assets/${assetId}`} inherit aria-label={`${name}: the asset that it joined`}>
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
    <Note title="Tags that no custom field takes">
      <Text size="sm" c="dimmed">
        They are kept as plain tags. A custom field of the same name would recognise them:{' '}
        <AppLink to="/settings" underline="always" inherit>
          Settings
        </AppLink>
        .
      </Text>
      <Group gap={6}>
        {tags.map((tag) => (
          <Code key={tag}>{tag}</Code>
        ))}
      </Group>
    </Note>
  );
}
