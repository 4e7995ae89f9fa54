import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import classes from './copyable.module.css';

type Outcome = 'copied' | 'selected';

/** Lines for a terminal, and a button that takes them along. */
export function Copyable({ label, children }: { label: string; children: ReactNode }) {
  const lines = useRef<HTMLPreElement>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  async function copy() {
    setOutcome((await take(lines.current!)) ? 'copied' : 'selected');
  }
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className={classes.lines} tabIndex={0} aria-label={label}>
        <pre ref={lines}>{children}</pre>
      </section>
      <Group gap="sm" mt={8}>
        <Button
          size="xs"
          variant="default"
          onClick={() => void copy()}
          leftSection={
            outcome === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
          }
        >
          {outcome === 'copied' ? 'Copied' : 'Copy'}
          <VisuallyHidden>&nbsp;the {label}</VisuallyHidden>
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {outcome === 'copied' && 'Paste it into a terminal.'}
          {outcome === 'selected' && 'Selected: press Ctrl+C, or ⌘C, to copy it.'}
        </Text>
      </Group>
    </div>
  );
}

/** A page that came over plain HTTP may not write to the clipboard: then the lines are selected for the reader. */
async function take(lines: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(lines.textContent ?? '');
    return true;
  } catch {
    window.getSelection()?.selectAllChildren(lines);
    return false;
  }
}
