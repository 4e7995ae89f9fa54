import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type Draft, hasEditedOptions } from './draft.ts';
import { DraftCard } from './draft-card.tsx';
import { upload } from './drafts.ts';

/** The selected files. */
export function DraftsList({ drafts }: { drafts: readonly Draft[] }) {
  const ready = drafts.filter(
    (draft) => draft.step.at === 'ready' && !isEmpty(draft.preview) && !hasEditedOptions(draft),
  );
  const retired = ready.reduce((sum, draft) => sum + retiredBy(draft), 0);
  return (
    <Stack gap="sm" component="section" aria-label={t`Selected files`}>
      {ready.length > 1 && (
        <Group justify="space-between">
          <Title order={2} size="h4">
            <Plural value={ready.length} one="# file to upload" other="# files to upload" />
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
                ? plural(retired, {
                    one: 'Upload all and retire # finding',
                    other: 'Upload all and retire # findings',
                  })
                : allText(ready.length)}
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

const allText = (files: number): string => t`Upload all ${files}`;

/** A report without signals has nothing to upload. */
const isEmpty = (preview: Draft['preview']): boolean =>
  preview?.of === 'report' && preview.result.accepted === 0;

const retiredBy = ({ preview }: Draft): number =>
  preview === null || preview.of === 'json' ? 0 : preview.result.outcome.retired;
