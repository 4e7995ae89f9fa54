import { Text } from '@mantine/core';
import { useAsOf } from '../time/as-of.ts';

/** Integrations have no past to show; says so where the rest of the console shows one. */
export function PresentNote({ children }: { children: string }) {
  const { asOf } = useAsOf();
  if (asOf === null) return null;
  return (
    <Text size="sm" c="dimmed" mb="md" role="note">
      {children}
    </Text>
  );
}
