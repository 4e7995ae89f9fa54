import { t } from '@lingui/core/macro';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { copyWords, useCopy } from '../parts/use-copy.ts';
import { Notice } from './notice.tsx';

/** Shows a secret once. Only its button closes the dialog. */
export function ShownOnce({
  title,
  label,
  warning,
  secret,
  children,
  done,
  onDone,
}: {
  title: string;
  /** What it is, as `Password`. */
  label: string;
  /** That it is shown only once. */
  warning: string;
  secret: string;
  children: ReactNode;
  /** Label of the button. */
  done: string;
  onDone: () => void;
}) {
  const { shown, outcome, copy } = useCopy<HTMLInputElement>();
  return (
    <Dialog
      onClose={onDone}
      title={title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Notice color="orange" title={warning}>
          {children}
        </Notice>
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            ref={shown}
            label={label}
            description={outcome === 'selected' && copyWords().selected}
            value={secret}
            dir="ltr"
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
            {outcome === 'copied' ? t`Copied` : t`Copy`}
          </Button>
        </Group>
        <Group justify="flex-end">
          <Button onClick={onDone}>{done}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
