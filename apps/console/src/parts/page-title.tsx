import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

/**
 * The main heading of a page, also used as window title. It gets the focus when the page opens, so that screen readers
 * announce it.
 *
 * @param name text of the title; required unless `children` is a text
 */
export function PageTitle({
  children,
  name = String(children),
  above,
  actions,
}: ({ children: string; name?: string } | { children: ReactNode; name: string }) & {
  above?: ReactNode;
  actions?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${name} · Risk Posture`;
  }, [name]);
  useEffect(() => {
    // The time slider keeps the focus while the page changes.
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
