import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Draft } from './draft.ts';
import { DraftCard } from './draft-card.tsx';
import { upload } from './drafts.ts';
import { counted } from './words.ts';

/** The selected files. */
export function DraftsList({ drafts }: { drafts: readonly Draft[] }) {
  const ready = drafts.filter(({ step, preview }) => step.at === 'ready' && !isEmpty(preview));
  const retired = ready.reduce((sum, draft) => sum + retiredBy(draft), 0);
  return (
    <Stack gap="sm" component="section" aria-label={t`Selected files`}>
      {ready.length > 1 && (
        <Group justify="space-between">
          <Title order={2} size="h4">
            <Trans>{counted(ready.length, 'file')} to upload</Trans>
          </Title>
          <Group gap="sm">
            <Text size="sm" c="dimmed">
              <Trans>Files are uploaded one at a time, in this order</Trans>
            </Text>
            <Button
              color={retired > 0 ? 'red.9' : undefined}
              onClick={() => {
                for (const { id } of ready) upload(id);
              }}
            >
              {retired > 0
                ? t`Upload all and retire ${counted(retired, 'finding')}`
                : t`Upload all ${ready.length}`}
            </Button>
          </Group>
        </Group>
      )}
      {drafts.map((draft) => (
        <DraftCard key={draft.id} draft={draft} />
      ))}
    </Stack>
  );
}

/** A report without signals has nothing to upload. */
const isEmpty = (preview: Draft['preview']): boolean =>
  preview?.of === 'report' && preview.result.accepted === 0;

const retiredBy = ({ preview }: Draft): number =>
  preview === null || preview.of === 'json' ? 0 : preview.result.outcome.retired;
