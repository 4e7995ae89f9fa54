import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

/**
 * The one heading of a page, which is also the window's title. It takes the focus when the page comes, so that a reader
 * of screens says where it is.
 *
 * @param name where `children` is more than text
 */
export function PageTitle({
  children,
  name = String(children),
  above,
  actions,
}: {
  children: ReactNode;
  name?: string;
  above?: ReactNode;
  actions?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${name} · Risk Posture`;
  }, [name]);
  useEffect(() => {
    // Who travels in time stays at the slider, whatever becomes of the page.
    if (!document.activeElement?.closest('[role=dialog]')) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Group justify="space-between" align="flex-end" mb="md">
      <Stack gap={2} miw={0}>
        {above}
        <Title order={1} size="h2" ref={heading} tabIndex={-1}>
          {children}
        </Title>
      </Stack>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
