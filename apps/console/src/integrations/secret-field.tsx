import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Input, PasswordInput, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { needsSecret, type Values } from './form-values.ts';
import type { Kind } from './kinds.ts';

/** A stored secret is never shown. The user can replace it, and must replace it for another address. */
export function SecretField({
  kind: { secret },
  form,
  stored,
}: {
  kind: Kind;
  form: UseFormReturnType<Values>;
  stored: { values: Values; hasSecret: boolean } | null;
}) {
  const [isReplacing, setReplacing] = useState(false);
  const isForOtherTarget = stored !== null && needsSecret(stored.values, form.values);
  // A typed secret is sent, so it stays in sight.
  const isTyped = form.values.secret !== '';
  if (stored?.hasSecret && !isReplacing && !isForOtherTarget && !isTyped) {
    return (
      <Input.Wrapper label={secret.label} labelElement="div">
        <Group gap="sm">
          <Group gap={6}>
            <IconLock size={16} aria-hidden />
            <Text size="sm">
              <Trans>Stored encrypted. The stored secret is used.</Trans>
            </Text>
          </Group>
          <Button size="compact-sm" variant="default" onClick={() => setReplacing(true)}>
            <Trans>Replace</Trans>
          </Button>
        </Group>
      </Input.Wrapper>
    );
  }
  const why = isForOtherTarget
    ? t`Enter the secret again. A stored secret is never sent to another address or account.`
    : t`Stored encrypted and never shown again.`;
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <PasswordInput
        label={secret.label}
        description={why}
        autoComplete="new-password"
        maxLength={1000}
        required
        flex={1}
        {...form.getInputProps('secret')}
      />
      {stored?.hasSecret && !isForOtherTarget && (
        <Button
          variant="default"
          onClick={() => {
            form.setFieldValue('secret', '');
            setReplacing(false);
          }}
        >
          <Trans>Keep the stored secret</Trans>
        </Button>
      )}
    </Group>
  );
}
