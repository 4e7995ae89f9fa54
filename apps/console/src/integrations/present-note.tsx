import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAsOf } from '../time/as-of.ts';

/** A note while a past time is displayed, because integrations have no past states. */
export function PresentNote({ children }: { children: ReactNode }) {
  const { asOf } = useAsOf();
  if (asOf === null) return null;
  return (
    <Text size="sm" c="dimmed" mb="md" role="note">
      {children}
    </Text>
  );
}
