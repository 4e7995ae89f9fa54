import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './row-act.module.css';

/** A button for one row, with a full label. No tooltip component, because lists have hundreds of rows. */
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
