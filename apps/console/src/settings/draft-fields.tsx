import { Fieldset, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Failure } from '../api/client.ts';
import { useFirstError } from './use-first-error.ts';

/** Fields of a draft. A save that succeeds discards the draft, so nothing can be changed while it runs. */
export function DraftFields({
  isBusy,
  failure,
  children,
}: {
  isBusy: boolean;
  /** Of the last save; the fields show the reasons. */
  failure: Failure | null;
  children: ReactNode;
}) {
  const fields = useFirstError<HTMLFieldSetElement>(failure);
  return (
    <Fieldset ref={fields} variant="unstyled" mx={0} disabled={isBusy}>
      <Stack>{children}</Stack>
    </Fieldset>
  );
}
