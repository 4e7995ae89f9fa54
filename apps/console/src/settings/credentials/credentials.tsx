import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconDeviceMobileOff, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import type { Column } from '../../parts/data-table-props.ts';
import { Instant } from '../../parts/instant.tsx';
import { Answered } from '../../parts/states.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useSession } from '../../session/session.ts';
import { useMayChange } from '../act.ts';
import { PAGED, usePageParams } from '../page-query.ts';
import { RowAct } from '../row-act.tsx';
import { ShortList } from '../short-list.tsx';
import { CredentialForm } from './credential-form.tsx';
import { Deletion } from './deletion.tsx';
import { FactorRemoval } from './factor-removal.tsx';
import { limitsText } from './limit-fields.tsx';
import { NewPassword } from './new-password.tsx';
import { Rotation } from './rotation.tsx';
import type { WithPassword } from './with-password.ts';

type Credential = Api['CredentialDto'];
type OpenDialog =
  | { act: 'add' }
  | { act: 'rotate' | 'delete' | 'removeFactor'; credential: Credential }
  | { act: 'show'; made: WithPassword };

export default function Credentials() {
  const mayChange = useMayChange('credentials:write');
  const own = useSession()?.username;
  const [asked, ask] = useState<OpenDialog | null>(null);
  const query = api.useQuery('get', '/api/v3/credentials', { params: usePageParams() }, PAGED);
  const pages = usePages(query);
  const show = (made: WithPassword) => ask({ act: 'show', made });
  const close = () => ask(null);
  return (
    <Stack>
      {mayChange && (
        <Group>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => ask({ act: 'add' })}>
            <Trans>Add a credential</Trans>
          </Button>
        </Group>
      )}
      <Answered query={query} waiting={<Skeleton height={240} />}>
        {({ items }) => (
          <ShortList
            label={t`Credentials`}
            rows={items}
            pages={pages}
            isStale={query.isPlaceholderData}
            columns={[...columnsFor(own), ...(mayChange ? [actsColumn(ask, own)] : [])]}
          />
        )}
      </Answered>
      {asked?.act === 'add' && <CredentialForm onMade={show} onClose={close} />}
      {asked?.act === 'rotate' && <Rotation of={asked.credential} onMade={show} onClose={close} />}
      {asked?.act === 'delete' && <Deletion of={asked.credential} onClose={close} />}
      {asked?.act === 'removeFactor' && <FactorRemoval of={asked.credential} onClose={close} />}
      {asked?.act === 'show' && <NewPassword of={asked.made} onClose={close} />}
    </Stack>
  );
}

const columnsFor = (own: string | undefined): Column<Credential>[] => [
  {
    id: 'username',
    header: t`User name`,
    cell: ({ username }) => (
      <>
        <b dir="auto">{username}</b>
        {username === own && (
          <Text span size="xs" c="dimmed">
            {' · '}
            <Trans context="marks the own account">you</Trans>
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'role',
    header: t`Role`,
    cell: ({ role, isBreakGlass }) => (isBreakGlass ? t`${role}, for emergencies` : role),
  },
  {
    id: 'factor',
    header: t`Second factor`,
    cell: ({ hasSecondFactor }) => (hasSecondFactor ? t`Yes` : t`No`),
  },
  { id: 'rows', header: t`Assets`, cell: limitsText },
  { id: 'created', header: t`Created`, cell: ({ createdAt }) => <Instant at={createdAt} /> },
  {
    id: 'used',
    header: t`Last sign-in`,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? t`Never` : <Instant at={lastUsedAt} />),
  },
];

const actsColumn = (ask: (asked: OpenDialog) => void, own: string | undefined): Column<Credential> => ({
  id: 'acts',
  header: t`Actions`,
  align: 'end',
  cell: (credential) => {
    const { username, hasSecondFactor } = credential;
    return (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        {hasSecondFactor && username !== own && (
          <RowAct
            label={t`Remove the second factor of ${username}`}
            onClick={() => ask({ act: 'removeFactor', credential })}
          >
            <IconDeviceMobileOff size={16} aria-hidden />
          </RowAct>
        )}
        <RowAct
          label={t`Rotate the password of ${username}`}
          onClick={() => ask({ act: 'rotate', credential })}
        >
          <IconRefresh size={16} aria-hidden />
        </RowAct>
        <RowAct label={t`Delete ${username}`} onClick={() => ask({ act: 'delete', credential })}>
          <IconTrash size={16} aria-hidden />
        </RowAct>
      </Group>
    );
  },
});
