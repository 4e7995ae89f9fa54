import { t } from '@lingui/core/macro';
import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { copyWords, useCopy } from '../parts/use-copy.ts';
import classes from './copyable.module.css';

/** Terminal commands with a copy button. @param what object of "Copy", for screen readers */
export function Copyable({ label, what, children }: { label: string; what: string; children: ReactNode }) {
  const { shown, outcome, copy } = useCopy<HTMLPreElement>();
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className={classes.lines} tabIndex={0} aria-label={label}>
        <pre ref={shown} dir="ltr">
          {children}
        </pre>
      </section>
      <Group gap="sm" mt={8}>
        <Button
          size="xs"
          variant="default"
          onClick={copy}
          leftSection={
            outcome === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
          }
        >
          {outcome === 'copied' ? t`Copied` : t`Copy`}
          <VisuallyHidden>&nbsp;{what}</VisuallyHidden>
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {outcome === 'copied' && t`Paste it into a terminal.`}
          {outcome === 'selected' && copyWords().selected}
        </Text>
      </Group>
    </div>
  );
}
