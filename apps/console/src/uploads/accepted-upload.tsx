import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { useGo } from '../app/links.tsx';
import { Answered, Loading } from '../parts/states.tsx';
import { Applied } from './applied.tsx';
import { Counts } from './counts.tsx';
import { useUpload } from './use-upload.ts';
import { malformedText, signalsText } from './words.ts';

/** A stored upload, with its progress until it is completely processed. */
export function AcceptedUpload({ uploadId, rejected }: { uploadId: string; rejected: number }) {
  const go = useGo();
  const upload = useUpload(uploadId);
  return (
    <Answered query={upload} waiting={<Loading label={t`Stored`} />}>
      {(found) => (
        <Stack gap="sm">
          <Group justify="space-between">
            <Text role="status">{statusOf(found, rejected)}</Text>
            <Applied upload={found} />
          </Group>
          <Counts outcome={found.outcome} />
          <Group>
            <Button variant="default" onClick={() => go(`/uploads/${uploadId}`)}>
              <Trans>Show outcome</Trans>
            </Button>
          </Group>
        </Stack>
      )}
    </Answered>
  );
}

function statusOf({ done, accepted }: Api['UploadDto'], rejected: number): string {
  const [signals, skipped] = [signalsText(accepted), malformedText(rejected)];
  if (rejected === 0) return done ? t`Upload complete: ${signals}.` : t`Stored, processing: ${signals}.`;
  return done
    ? t`Upload complete: ${signals}, ${skipped} skipped.`
    : t`Stored, processing: ${signals}, ${skipped} skipped.`;
}
