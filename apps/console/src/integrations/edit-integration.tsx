import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { isStale } from '../settings/act.ts';
import { changesOf, type Values, valuesOf } from './form-values.ts';
import { IntegrationForm } from './integration-form.tsx';
import { type Integration, kindOf } from './kinds.ts';
import { Notice } from './notice.tsx';
import { refreshIntegration } from './use-last-sync.ts';

/** @param integration state at the start of the edit */
export function EditIntegration({ integration, onEnd }: { integration: Integration; onEnd: () => void }) {
  const { id, version } = integration;
  const kind = kindOf(integration);
  const [before] = useState(() => valuesOf(integration));
  // Not cached, because the bodies can contain the secret.
  const test = api.useMutation('post', '/integrations/{id}/test', { gcTime: 0 });
  const change = api.useMutation('patch', '/integrations/{id}', { gcTime: 0 });
  const params = { path: { id } };

  async function save(values: Values) {
    const config = changesOf(kind, before, values);
    const name = values.name.trim() === before.name ? undefined : values.name.trim();
    if (config || name !== undefined) {
      const body = { version, ...(name !== undefined && { name }), ...(config && { config }) };
      const saved = await change.mutateAsync({ params, body });
      await refreshIntegration(id);
      notifications.show({
        message:
          'id' in saved ? t`The changes are saved.` : t`The changes were accepted and take effect shortly.`,
      });
    }
    onEnd();
  }

  function testWith(values: Values) {
    const config = changesOf(kind, before, values);
    return test.mutateAsync({ params, body: config ? { config } : {} });
  }

  return (
    <Stack maw={860}>
      {change.error && isStale(change.error) && (
        <Notice color="orange" role="alert" title={t`Another user changed this integration`}>
          <Stack align="flex-start" gap="sm">
            <span>
              <Trans>Your changes are not saved. Load the current version, then edit it again.</Trans>
            </span>
            <Button size="xs" variant="default" onClick={() => void refreshIntegration(id).then(onEnd)}>
              <Trans>Load current version</Trans>
            </Button>
          </Stack>
        </Notice>
      )}
      <IntegrationForm
        kind={kind}
        draft={`integration ${id} ${integration.version}`}
        initialValues={before}
        stored={{ hasSecret: integration.configState === 'complete' }}
        onTest={testWith}
        onSave={save}
        onCancel={onEnd}
      />
    </Stack>
  );
}
