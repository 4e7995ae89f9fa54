import { Button, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { number } from '../../language/format.ts';
import { useIsCovered } from '../../session/session.ts';
import classes from './filters.module.css';

/** A button that opens a filter. Its options load when it opens. */
export function FilterMenu({
  label,
  chosen,
  children,
}: {
  label: string;
  /** Number of active values. */
  chosen: number;
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const isCovered = useIsCovered();
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && close()}
      position="bottom-start"
      // Unsaved input is kept during a sign-in or a warning.
      closeOnClickOutside={!isCovered}
      closeOnEscape={!isCovered}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          px="sm"
          fw={500}
          className={classes.menu}
          data-chosen={chosen > 0 || undefined}
          onClick={toggle}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {label}
          {chosen > 0 && <span className={classes.chosen}>{number(chosen)}</span>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>{children(close)}</Popover.Dropdown>
    </Popover>
  );
}
