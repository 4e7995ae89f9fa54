import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
      <Empty title={t`Not available for past times`}>
        {children}
        <Button variant="default" size="xs" mt="sm" display="block" mx="auto" onClick={() => set(null)}>
          <Trans>Back to now</Trans>
        </Button>
      </Empty>
    </Section>
  );
}
