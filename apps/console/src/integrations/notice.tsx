import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

/** A message with a coloured frame and icon; the text keeps its normal contrast. */
export function Notice({
  color,
  title,
  role,
  icon,
  children,
}: {
  color: 'red' | 'orange' | 'blue' | 'teal';
  title: string;
  role: 'alert' | 'status';
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Alert
      color={color}
      variant="outline"
      title={title}
      role={role}
      icon={icon}
      classNames={{ root: classes.notice!, title: classes.title! }}
    >
      {children}
    </Alert>
  );
}
