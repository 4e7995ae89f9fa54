import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Code, Group, Stack } from '@mantine/core';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../notice.tsx';

/** Shows recovery codes once. Only its button closes the dialog. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Dialog
      onClose={onDone}
      title={t`Recovery codes`}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Notice color="orange" title={t`The recovery codes are shown only once`}>
          <Trans>
            Each signs you in once if you have lost your phone. Print them, or keep them in a password
            manager.
          </Trans>
        </Notice>
        <Code block dir="ltr" aria-label={t`Recovery codes`} data-autofocus tabIndex={0}>
          {codes.join('\n')}
        </Code>
        <Group justify="flex-end">
          <Button onClick={onDone}>
            <Trans>I saved the recovery codes</Trans>
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
