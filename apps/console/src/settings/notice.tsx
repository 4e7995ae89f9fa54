import { Alert, type AlertProps } from '@mantine/core';

/** An important message. The title has the colour of the text, for contrast on the tint (WCAG AA). */
export function Notice(props: AlertProps) {
  return <Alert styles={{ title: { color: 'var(--mantine-color-text)' } }} {...props} />;
}
