import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import type { Column } from '../../parts/data-table-props.ts';
import { EmptyPage } from '../../parts/empty-list.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Answered } from '../../parts/states.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { newest, useMayChange } from '../act.ts';
import { limitsText } from '../credentials/limit-fields.tsx';
import { PAGED, usePageParams } from '../page-query.ts';
import { RowAct } from '../row-act.tsx';
import { ShortList } from '../short-list.tsx';
import { ApiTokenChange } from './api-token-change.tsx';
import { ApiTokenCreation } from './api-token-creation.tsx';
import { ApiTokenRevocation } from './api-token-revocation.tsx';
import { ApiTokenRotation } from './api-token-rotation.tsx';
import { NewApiToken } from './new-api-token.tsx';

type ApiToken = Api['ApiTokenDto'];
type OpenDialog =
  | { act: 'create' }
  | { act: 'change' | 'rotate' | 'revoke'; token: ApiToken }
  | { act: 'show'; made: Api['ApiTokenWithSecretDto'] };

export default function ApiTokens() {
  const mayChange = useMayChange('credentials:write');
  const [asked, ask] = useState<OpenDialog | null>(null);
  const query = api.useQuery('get', '/api/v3/tokens', { params: usePageParams() }, PAGED);
  const pages = usePages(query);
  const show = (made: Api['ApiTokenWithSecretDto']) => ask({ act: 'show', made });
  const close = () => ask(null);
  const change = async (id: string) => {
    const token = await newest(query, id);
    if (token) ask({ act: 'change', token });
  };
  return (
    <Stack>
      {mayChange && (
        <Group>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => ask({ act: 'create' })}>
            <Trans>Create an API token</Trans>
          </Button>
        </Group>
      )}
      <Answered query={query} waiting={<Skeleton height={240} />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyPage>
              <Text c="dimmed">
                <Trans>No API tokens yet.</Trans>
              </Text>
            </EmptyPage>
          ) : (
            <ShortList
              label={t`API tokens`}
              rows={items}
              pages={pages}
              isStale={query.isPlaceholderData}
              columns={[...columns(), ...(mayChange ? [actsColumn(change, ask)] : [])]}
            />
          )
        }
      </Answered>
      {asked?.act === 'create' && <ApiTokenCreation onMade={show} onClose={close} />}
      {asked?.act === 'change' && <ApiTokenChange of={asked.token} onClose={close} />}
      {asked?.act === 'rotate' && <ApiTokenRotation of={asked.token} onMade={show} onClose={close} />}
      {asked?.act === 'revoke' && <ApiTokenRevocation of={asked.token} onClose={close} />}
      {asked?.act === 'show' && <NewApiToken of={asked.made} onClose={close} />}
    </Stack>
  );
}

const columns = (): Column<ApiToken>[] => [
  { id: 'name', header: t`Name`, cell: ({ name }) => <b dir="auto">{name}</b> },
  { id: 'scopes', header: t`Scopes`, cell: ({ scopes }) => scopes.join(', ') },
  {
    id: 'networks',
    header: t`Networks`,
    cell: ({ networks }) =>
      networks.length === 0 ? t({ message: 'Any', context: 'networks' }) : networks.join(', '),
  },
  { id: 'rows', header: t`Assets`, cell: limitsText },
  {
    id: 'expires',
    header: t`Expires`,
    cell: ({ expiresAt, previousUntil }) => (
      <>
        {expiresAt === null ? t`Never` : <Instant at={expiresAt} />}
        {previousUntil !== null && (
          <Text span size="xs" c="dimmed" display="block">
            <Trans>
              previous token: <Instant at={previousUntil} />
            </Trans>
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'used',
    header: t`Last use`,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? t`Never` : <Instant at={lastUsedAt} />),
  },
];

const actsColumn = (
  change: (id: string) => Promise<void>,
  ask: (asked: OpenDialog) => void,
): Column<ApiToken> => ({
  id: 'acts',
  header: t`Actions`,
  align: 'end',
  cell: (token) => {
    const { id, name } = token;
    return (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <RowAct label={t`Change ${name}`} onClick={() => void change(id)}>
          <IconPencil size={16} aria-hidden />
        </RowAct>
        <RowAct label={t`Rotate ${name}`} onClick={() => ask({ act: 'rotate', token })}>
          <IconRefresh size={16} aria-hidden />
        </RowAct>
        <RowAct label={t`Revoke ${name}`} onClick={() => ask({ act: 'revoke', token })}>
          <IconTrash size={16} aria-hidden />
        </RowAct>
      </Group>
    );
  },
});
