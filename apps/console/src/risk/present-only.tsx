import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Empty } from '../parts/states.tsx';
import { useAsOf } from '../time/as-of.ts';
import { Section } from './section.tsx';

/** A section whose data exists only for the current state, while a past time is displayed. */
export function PresentOnly({ title, children }: { title: string; children: ReactNode }) {
  const { set } = useAsOf();
  return (
    <Section title={title}>
      <Empty title="Not available for past times">
        {children}
        <Button variant="default" size="xs" mt="sm" display="block" mx="auto" onClick={() => set(null)}>
          Back to now
        </Button>
      </Empty>
    </Section>
  );
}
