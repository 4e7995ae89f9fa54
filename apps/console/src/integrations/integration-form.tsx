import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Api, Failure } from '../api/client.ts';
import { ConfigFields } from './config-fields.tsx';
import { ConnectionResult, NotTested } from './connection-result.tsx';
import type { Values } from './form-values.ts';
import type { Kind } from './kinds.ts';
import { Notice } from './notice.tsx';
import { useIntegrationForm } from './use-integration-form.ts';

interface Props {
  kind: Kind;
  /** Names what was typed. */
  draft: string;
  initialValues: Values;
  /** null for a new integration. */
  stored: { hasSecret: boolean } | null;
  /** Rejects with a Failure, like `onSave`. */
  onTest: (values: Values) => Promise<Api['ConnectionTestDto']>;
  onSave: (values: Values) => Promise<void>;
  onCancel: () => void;
}

/** The tested values and the result. */
type Tested = { of: string } & ({ test: Api['ConnectionTestDto'] } | { error: Failure });

export function IntegrationForm({ kind, draft, initialValues, stored, onTest, onSave, onCancel }: Props) {
  const { form, rejection, show, clear } = useIntegrationForm(kind, initialValues, stored, draft);
  const [tested, setTested] = useState<Tested | null>(null);
  const [busy, setBusy] = useState<'testing' | 'saving' | null>(null);

  function isValid(): boolean {
    const { hasErrors, errors } = form.validate();
    form.getInputNode(Object.keys(errors)[0] ?? '')?.focus();
    return !hasErrors;
  }

  async function test() {
    if (!isValid()) return;
    setBusy('testing');
    setTested(null);
    const of = subjectOf(form.values);
    await onTest(form.values)
      .then((test) => setTested({ of, test }))
      .catch((error: Failure) => setTested({ of, error }));
    setBusy(null);
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    if (!isValid()) return;
    setBusy('saving');
    clear();
    await onSave(form.values).catch(show);
    setBusy(null);
  }

  const isOfThis = tested?.of === subjectOf(form.values);
  return (
    <Paper withBorder p="lg" component="form" noValidate onSubmit={(event) => void save(event)}>
      <Stack>
        {rejection && (
          <Notice color="red" role="alert" title={t`Not saved`}>
            {rejection}
          </Notice>
        )}
        <ConfigFields kind={kind} form={form} stored={stored && { ...stored, values: initialValues }} />
        {tested && isOfThis && 'test' in tested && <ConnectionResult test={tested.test} />}
        {tested && isOfThis && 'error' in tested && <NotTested error={tested.error} />}
        {tested && !isOfThis && (
          <Text size="sm" c="dimmed">
            <Trans>Changes since the last test are not tested.</Trans>
          </Text>
        )}
        <Group justify="space-between">
          <Button
            variant="default"
            leftSection={<IconPlugConnected size={18} aria-hidden />}
            loading={busy === 'testing'}
            disabled={busy === 'saving'}
            onClick={() => void test()}
          >
            <Trans>Test connection</Trans>
          </Button>
          <Group gap="xs">
            <Button variant="subtle" disabled={busy === 'saving'} onClick={onCancel}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit" loading={busy === 'saving'} disabled={busy === 'testing'}>
              <Trans>Save</Trans>
            </Button>
          </Group>
        </Group>
      </Stack>
    </Paper>
  );
}

/** The values that a test depends on: all except the name. */
const subjectOf = ({ name: _, ...values }: Values): string => JSON.stringify(values);
