import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Grid, List, Paper, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { api } from '../api/client.ts';
import { AppLink, useGo } from '../app/links.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { EgressNote } from './egress-note.tsx';
import { configOf, NEW_VALUES, type Values } from './form-values.ts';
import { IntegrationForm } from './integration-form.tsx';
import type { Kind } from './kinds.ts';
import { refreshList } from './use-last-sync.ts';

/**
 * Adds an integration, with an optional connection test.
 * @param isHidden while a past time is displayed; keeps what is typed, also the secret
 */
export function AddIntegration({ kind, isHidden }: { kind: Kind; isHidden: boolean }) {
  const go = useGo();
  // Not cached, because the bodies contain the secret.
  const test = api.useMutation('post', '/integrations/test', { gcTime: 0 });
  const add = api.useMutation('post', '/integration', { gcTime: 0 });
  const { type, subType, title } = kind;

  async function save(values: Values) {
    const name = values.name.trim();
    const body = { type, subType, config: configOf(kind, values), ...(name !== '' && { name }) };
    const added = await add.mutateAsync({ body });
    await refreshList();
    if ('id' in added) {
      const given = added.name;
      notifications.show({ message: t`${given} was added. Select Sync now to start the first sync.` });
      go(`/integrations/${added.id}`);
    } else {
      notifications.show({ message: t`The integration was accepted and will be listed shortly.` });
      go('/integrations');
    }
  }

  return (
    <div hidden={isHidden}>
      {!isHidden && (
        <PageTitle
          above={
            <AppLink to="/integrations">
              <Trans>Integrations</Trans>
            </AppLink>
          }
        >{t`Add ${title}`}</PageTitle>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 4 }} order={{ base: 1, md: 2 }}>
          <BeforeYouBegin kind={kind} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }} order={{ base: 2, md: 1 }}>
          <IntegrationForm
            kind={kind}
            draft={`new integration ${type} ${subType}`}
            initialValues={NEW_VALUES}
            stored={null}
            onTest={(values) => test.mutateAsync({ body: { type, subType, config: configOf(kind, values) } })}
            onSave={save}
            onCancel={() => go('/integrations')}
          />
        </Grid.Col>
      </Grid>
    </div>
  );
}

function BeforeYouBegin({ kind: { steps, imports } }: { kind: Kind }) {
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Title order={2} size="h4">
          <Trans>Imported data</Trans>
        </Title>
        <Text size="sm">{imports}</Text>
        <Title order={2} size="h4">
          <Trans>Before you start</Trans>
        </Title>
        <List type="ordered" size="sm" spacing="xs">
          {steps.map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
        <EgressNote />
        <Text size="sm" c="dimmed">
          <Trans>
            If the platform is in your internal network, add its address to the allowed internal addresses in
            Settings.
          </Trans>
        </Text>
      </Stack>
    </Paper>
  );
}
