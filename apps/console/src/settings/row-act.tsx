import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './row-act.module.css';

/** An act on one row of a list, named in full for readers of screens. A long list has hundreds: no tooltip of ours. */
export function RowAct({
  label,
  children,
  onClick,
  disabled = false,
  id,
}: {
  label: string;
  children: ReactNode;
  onClick: () => void;
  disabled?: boolean;
  id?: string;
}) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="dimmed"
      className={classes.act}
      aria-label={label}
      title={label}
      onClick={onClick}
      disabled={disabled}
      id={id}
    >
      {children}
    </ActionIcon>
  );
}
