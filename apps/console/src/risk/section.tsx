import { t } from '@lingui/core/macro';
import { Group, Paper, Skeleton, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A section of the overview with a heading. */
export function Section({
  title,
  control,
  children,
}: {
  title: string;
  control?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Group justify="space-between" gap="xs" mb="sm" mih={30}>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {control}
      </Group>
      {children}
    </Paper>
  );
}

/** Placeholder while data loads. @param height expected height in pixels */
export const Waiting = ({ height }: { height: number }) => (
  <Skeleton height={height} role="status" aria-label={t`Loading`} />
);
