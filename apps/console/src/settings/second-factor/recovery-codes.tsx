import { Button, Code, Group, Stack } from '@mantine/core';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../notice.tsx';

/** Shows recovery codes once. Only its button closes the dialog. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Dialog
      onClose={onDone}
      title="Recovery codes"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Notice color="orange" title="The recovery codes are shown only once">
          Each signs you in once if you have lost your phone. Print them, or keep them in a password manager.
        </Notice>
        <Code block aria-label="Recovery codes" data-autofocus tabIndex={0}>
          {codes.join('\n')}
        </Code>
        <Group justify="flex-end">
          <Button onClick={onDone}>I saved the recovery codes</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
