import { Button, Group, Stack, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Dialog } from '../../parts/dialog.tsx';
import { COPY_WORDS, useCopy } from '../../parts/use-copy.ts';
import { endSession, session } from '../../session/session.ts';
import { Notice } from '../notice.tsx';
import type { WithPassword } from './with-password.ts';

/** The password, this once; nothing but its own button closes it. Whoever has rotated their own signs in anew. */
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
      title={`The password of ${username}`}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Notice color="orange" title="It cannot be seen again">
          The service does not keep it. Copy it now, to where it is kept safely; if it is lost, rotate it.
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
            {isOwn ? 'I have kept it: sign in anew' : 'I have kept it'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
