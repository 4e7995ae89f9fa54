import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, FileButton, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import classes from './drop-area.module.css';

/**
 * Accepts files by drag and drop anywhere on the page, or by its button.
 * @param isSmall after files are selected
 */
export function DropArea({ onGive, isSmall }: { onGive: (files: File[]) => void; isSmall: boolean }) {
  const isOver = useFileDrop(onGive);
  const reset = useRef<() => void>(null);
  return (
    <section
      className={classes.area}
      data-small={isSmall || undefined}
      data-over={isOver || undefined}
      aria-label={t`Upload files`}
    >
      <IconFileUpload size={isSmall ? 22 : 36} stroke={1.5} aria-hidden />
      <Text fw={600}>
        {isOver ? t`Drop to preview` : isSmall ? t`Drop more here` : t`Drop reports or ZIPs of signals here`}
      </Text>
      {!isSmall && (
        <Text size="sm" c="dimmed">
          <Trans>
            A preview shows the changes before anything is stored. Maximum size: 32&nbsp;MB for a report of a
            scanner, 5&nbsp;MB for a ZIP, 1&nbsp;MB for a single signal as a JSON file.
          </Trans>
        </Text>
      )}
      <FileButton
        multiple
        resetRef={reset}
        onChange={(files) => {
          onGive(files);
          // Without the reset, the same file name cannot be selected again.
          reset.current?.();
        }}
      >
        {(props) => (
          <Button {...props} size={isSmall ? 'xs' : 'sm'} mt={isSmall ? 0 : 6}>
            <Trans>Choose files</Trans>
          </Button>
        )}
      </FileButton>
    </section>
  );
}

/** Handles drops on the whole page. Otherwise the browser would open a file that is dropped outside of the area. */
function useFileDrop(onGive: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      onGive([...event.dataTransfer.files]);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [onGive]);
  return isOver;
}
