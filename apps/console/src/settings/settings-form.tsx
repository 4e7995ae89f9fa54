import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Failure } from '../api/client.ts';
import { useWarningBeforeLeaving } from '../parts/use-warning-before-leaving.ts';
import { DraftFields } from './draft-fields.tsx';
import { FormError } from './form-error.tsx';
import { SaveBar } from './save-bar.tsx';

/** Form of stored settings: saves all changes at once, and warns before they are lost. */
export function SettingsForm({
  count,
  failure,
  error,
  isBusy,
  onSave,
  onDiscard,
  children,
}: {
  /** Unsaved changes. */
  count: number;
  /** Of the last save. */
  failure: Failure | null;
  /** Its message about no single field. */
  error: string | null;
  isBusy: boolean;
  onSave: () => void;
  onDiscard: () => void;
  children: ReactNode;
}) {
  useWarningBeforeLeaving(count > 0);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (count > 0) onSave();
      }}
      noValidate
    >
      <Stack>
        <DraftFields {...{ isBusy, failure }}>
          <FormError>{error}</FormError>
          {children}
        </DraftFields>
        <SaveBar {...{ count, isBusy, onSave, onDiscard }} />
      </Stack>
    </form>
  );
}
