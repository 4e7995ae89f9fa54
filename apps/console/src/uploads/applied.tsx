import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Progress, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { Api } from '../api/client.ts';
import { number } from '../language/format.ts';
import classes from './applied.module.css';

type Upload = Pick<Api['UploadDto'], 'accepted' | 'folded' | 'done'>;

/** Processing progress of an upload. */
export function Applied({ upload: { accepted, folded, done } }: { upload: Upload }) {
  if (done) {
    return (
      <span className={classes.done}>
        <Trans>
          <IconCircleCheck size={16} aria-hidden /> Done
        </Trans>
      </span>
    );
  }
  const [applied, all] = [number(folded), number(accepted)];
  const text = t`${applied} of ${all} applied`;
  return (
    <Stack gap={4} miw={120}>
      <Text size="sm" c="dimmed" className="numeric">
        {text}
      </Text>
      <Progress
        size="sm"
        animated
        value={accepted === 0 ? 0 : (100 * folded) / accepted}
        aria-label={t`Signals applied`}
      />
    </Stack>
  );
}
