import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { DataTable } from '../../parts/data-table.tsx';
import type { Column } from '../../parts/data-table-props.ts';
import { Answered } from '../../parts/states.tsx';
import { newest, ON_ENTRY, useMayChange } from '../act.ts';
import { RowAct } from '../row-act.tsx';
import { ProviderForm } from './provider-form.tsx';
import { ProviderRemoval } from './provider-removal.tsx';

type Provider = Api['IdentityProviderDto'];
type OpenDialog = { act: 'add' } | { act: 'change' | 'remove'; provider: Provider };

const LONG_TEXT = { overflowWrap: 'anywhere' } as const;

export default function IdentityProviders() {
  const mayChange = useMayChange('users:write');
  const [asked, ask] = useState<OpenDialog | null>(null);
  const query = api.useQuery('get', '/api/v3/identity-providers', {}, ON_ENTRY);
  const close = () => ask(null);
  const change = async (id: string) => {
    const provider = await newest(query, id);
    if (provider) ask({ act: 'change', provider });
  };
  return (
    <Stack>
      {mayChange && (
        <Group>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => ask({ act: 'add' })}>
            <Trans>Add an identity provider</Trans>
          </Button>
        </Group>
      )}
      <Answered query={query} waiting={<Skeleton height={240} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Text c="dimmed">
              <Trans>No identity providers yet. People sign in with credentials.</Trans>
            </Text>
          ) : (
            <DataTable
              label={t`Identity providers`}
              rows={items}
              idOf={({ id }) => id}
              hasCards
              columns={[...columns(), ...(mayChange ? [actsColumn(change, ask)] : [])]}
            />
          )
        }
      </Answered>
      {asked?.act === 'add' && <ProviderForm provider={null} onClose={close} />}
      {asked?.act === 'change' && <ProviderForm provider={asked.provider} onClose={close} />}
      {asked?.act === 'remove' && <ProviderRemoval of={asked.provider} onClose={close} />}
    </Stack>
  );
}

const columns = (): Column<Provider>[] => [
  {
    id: 'label',
    header: t`Provider`,
    isTitle: true,
    cell: ({ id, label, isReadOnly, problem }) => (
      <span style={LONG_TEXT}>
        <b dir="auto">{label}</b>
        <Text span display="block" size="xs" c="dimmed">
          <bdi>{id}</bdi>
          {isReadOnly && ' · '}
          {isReadOnly && <Trans>settings of the deployment</Trans>}
        </Text>
        {problem !== null && (
          <Text span display="block" size="xs" c="var(--mantine-color-error)">
            <Trans>
              Users cannot sign in: <bdi>{problem}</bdi>
            </Trans>
          </Text>
        )}
      </span>
    ),
  },
  {
    id: 'issuer',
    header: t`Issuer and client`,
    cell: ({ issuer, clientId }) => <Lines lines={[issuer, clientId]} />,
  },
  {
    id: 'groups',
    header: t`Groups`,
    cell: ({ grants }) => (
      <Lines lines={Object.entries(grants).map(([group, names]) => `${group}: ${names.join(', ')}`)} />
    ),
  },
  {
    id: 'addresses',
    header: t`Redirect URI, and address for logouts`,
    cell: ({ redirectUri, logoutUri }) => <Lines lines={[redirectUri, logoutUri]} />,
  },
];

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <>
      {lines.map((line) => (
        <Text key={line} span display="block" size="sm" style={LONG_TEXT}>
          <bdi dir="ltr">{line}</bdi>
        </Text>
      ))}
    </>
  );
}

const actsColumn = (
  change: (id: string) => Promise<void>,
  ask: (asked: OpenDialog) => void,
): Column<Provider> => ({
  id: 'acts',
  header: t`Actions`,
  align: 'end',
  cell: (provider) => {
    const { id, label, isReadOnly } = provider;
    if (isReadOnly) return null;
    return (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <RowAct label={t`Change ${label}`} onClick={() => void change(id)}>
          <IconPencil size={16} aria-hidden />
        </RowAct>
        <RowAct label={t`Remove ${label}`} onClick={() => ask({ act: 'remove', provider })}>
          <IconTrash size={16} aria-hidden />
        </RowAct>
      </Group>
    );
  },
});
