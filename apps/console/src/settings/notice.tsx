import { Alert, type AlertProps } from '@mantine/core';

/** What the reader must know first; its title is as dark as its text (WCAG AA on the tint). */
export function Notice(props: AlertProps) {
  return <Alert styles={{ title: { color: 'var(--mantine-color-text)' } }} {...props} />;
}
