import { Button, Group, Stack, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Dialog } from '../../parts/dialog.tsx';
import { COPY_WORDS, useCopy } from '../../parts/use-copy.ts';
import { endSession, session } from '../../session/session.ts';
import { Notice } from '../notice.tsx';
import type { WithPassword } from './with-password.ts';

/** Shows a password once. Only its button closes the dialog. Users who rotated their own password sign in again. */
export function NewPassword({
  of: { username, password },
  onClose,
}: {
  of: WithPassword;
  onClose: () => void;
}) {
  const { shown, outcome, copy } = useCopy<HTMLInputElement>();
  const isOwn = username === session.current?.username;
  return (
    <Dialog
      onClose={onClose}
      title={`Password of ${username}`}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Notice color="orange" title="The password is shown only once">
          The service does not store the password in readable form. Copy it to a safe place now. If you lose
          it, rotate the password.
        </Notice>
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            ref={shown}
            label="Password"
            description={outcome === 'selected' && COPY_WORDS.selected}
            value={password}
            readOnly
            flex={1}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <Button
            variant="default"
            onClick={copy}
            data-autofocus
            leftSection={
              outcome === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
            }
          >
            {outcome === 'copied' ? 'Copied' : 'Copy'}
          </Button>
        </Group>
        <Group justify="flex-end">
          <Button onClick={isOwn ? () => endSession('signedOut') : onClose}>
            {isOwn ? 'I saved the password, sign in again' : 'I saved the password'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
