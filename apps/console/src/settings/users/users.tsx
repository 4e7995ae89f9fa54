import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Skeleton, Text } from '@mantine/core';
import { IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { number } from '../../language/format.ts';
import type { Column } from '../../parts/data-table-props.ts';
import { Instant } from '../../parts/instant.tsx';
import { Answered } from '../../parts/states.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useSession } from '../../session/session.ts';
import { useMayChange } from '../act.ts';
import { limitsText } from '../credentials/limit-fields.tsx';
import { PAGED, usePageParams } from '../page-query.ts';
import { RowAct } from '../row-act.tsx';
import { ShortList } from '../short-list.tsx';
import { UserAct, type UserActKind } from './user-act.tsx';

type User = Api['UserDto'];
interface OpenDialog {
  act: UserActKind;
  user: User;
}

export default function Users() {
  const mayChange = useMayChange('users:write');
  const own = useSession()?.username;
  const [asked, ask] = useState<OpenDialog | null>(null);
  const query = api.useQuery('get', '/api/v3/users', { params: usePageParams() }, PAGED);
  const pages = usePages(query);
  return (
    <>
      <Answered query={query} waiting={<Skeleton height={240} />}>
        {({ items }) =>
          items.length === 0 && pages.cursor === undefined ? (
            <Text>
              <Trans>No user of an identity provider has signed in yet.</Trans>
            </Text>
          ) : (
            <ShortList
              label={t`Users`}
              rows={items}
              pages={pages}
              isStale={query.isPlaceholderData}
              columns={[...columnsFor(own), ...(mayChange ? [actsColumn(ask, own)] : [])]}
            />
          )
        }
      </Answered>
      {asked && <UserAct act={asked.act} of={asked.user} onClose={() => ask(null)} />}
    </>
  );
}

const columnsFor = (own: string | undefined): Column<User>[] => [
  {
    id: 'name',
    header: t`User`,
    cell: ({ name, displayName }) => (
      <>
        <b dir="auto">{name}</b>
        {(displayName !== null || name === own) && (
          <Text size="xs" c="dimmed">
            {displayName !== null && <bdi>{displayName}</bdi>}
            {displayName !== null && name === own && ' · '}
            {name === own && <Trans context="marks the own account">you</Trans>}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'state',
    header: t`Access`,
    cell: ({ isActive }) =>
      isActive ? (
        t({ message: 'Active', context: 'user' })
      ) : (
        <b>
          <Trans context="user">Disabled</Trans>
        </b>
      ),
  },
  {
    id: 'grants',
    header: t`Roles and scopes`,
    cell: ({ grants }) =>
      grants.length === 0 ? t({ message: 'None', context: 'roles and scopes' }) : grants.join(', '),
  },
  { id: 'rows', header: t`Assets`, cell: limitsText },
  {
    id: 'signedIn',
    header: t`Last sign-in`,
    cell: ({ lastSignInAt }) => (lastSignInAt === null ? t`Never` : <Instant at={lastSignInAt} />),
  },
  { id: 'sessions', header: t`Sessions`, align: 'end', cell: ({ sessions }) => number(sessions) },
];

const actsColumn = (ask: (asked: OpenDialog) => void, own: string | undefined): Column<User> => ({
  id: 'acts',
  header: t`Actions`,
  align: 'end',
  cell: (user) => {
    const { name, isActive } = user;
    if (name === own) return null;
    return (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        {isActive ? (
          <RowAct label={t`Disable ${name}`} onClick={() => ask({ act: 'disable', user })}>
            <IconUserOff size={16} aria-hidden />
          </RowAct>
        ) : (
          <RowAct label={t`Enable ${name}`} onClick={() => ask({ act: 'enable', user })}>
            <IconUserCheck size={16} aria-hidden />
          </RowAct>
        )}
        <RowAct label={t`Delete ${name}`} onClick={() => ask({ act: 'delete', user })}>
          <IconTrash size={16} aria-hidden />
        </RowAct>
      </Group>
    );
  },
});
