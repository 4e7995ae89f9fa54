import { Fieldset, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** Fields of a draft. A save that succeeds discards the draft, so nothing can be changed while it runs. */
export function DraftFields({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  return (
    <Fieldset variant="unstyled" mx={0} disabled={isBusy}>
      <Stack>{children}</Stack>
    </Fieldset>
  );
}
