import { t } from '@lingui/core/macro';
import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';

const CHARACTERS_MAX = 2_000;

/** A secret of another system. */
export function SecretField({
  label,
  description,
  value,
  onChange,
  error,
  isFirst = false,
}: {
  label: string;
  /** Says also that the secret is stored encrypted, and never shown again. */
  description: string;
  value: string;
  onChange: (value: string) => void;
  error: ReactNode;
  /** It has the focus when the dialog opens. */
  isFirst?: boolean;
}) {
  return (
    <PasswordInput
      label={label}
      description={description}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      autoComplete="new-password"
      maxLength={CHARACTERS_MAX}
      visibilityToggleButtonProps={{ 'aria-label': t`Show the secret` }}
      data-autofocus={isFirst || undefined}
    />
  );
}
