import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconDevicesOff, IconLogout } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { DataTable } from '../../parts/data-table.tsx';
import type { Column } from '../../parts/data-table-props.ts';
import { EmptyPage } from '../../parts/empty-list.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Answered } from '../../parts/states.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useSearch } from '../../parts/use-search.ts';
import { useMay, useSession } from '../../session/session.ts';
import { ON_ENTRY } from '../act.ts';
import { RowAct } from '../row-act.tsx';
import { deviceOf } from './device.ts';
import { EndOthers, EndSession } from './end-session.tsx';

type Session = Api['SessionDto'];

/** The dialog that is open. */
type OpenDialog = { act: 'end'; session: Session } | { act: 'endOthers' } | null;

export default function Sessions() {
  const own = useSession()?.username;
  const mayReadAll = useMay('credentials:read');
  const mayEndAll = useMay('credentials:write');
  const [asked, ask] = useState<OpenDialog>(null);
  const search = useSearch();
  const cursor = search.get('cursor');
  const of = mayReadAll && search.get('of') === 'all' ? 'all' : 'own';
  const params = { query: { of, limit: 100, ...(cursor && { cursor }) } } as const;
  const query = api.useQuery(
    'get',
    '/api/v3/sessions',
    { params },
    { ...ON_ENTRY, placeholderData: keepPreviousData },
  );
  const pages = usePages(query);
  const mayEnd = ({ user, isOwn }: Session) => !isOwn && (user === own || mayEndAll);
  const close = () => ask(null);
  return (
    <Stack>
      <Group justify="space-between">
        <Button
          variant="default"
          leftSection={<IconDevicesOff size={16} aria-hidden />}
          onClick={() => ask({ act: 'endOthers' })}
        >
          <Trans>End all my other sessions</Trans>
        </Button>
        {mayReadAll && (
          <SegmentedControl
            aria-label={t`Sessions of`}
            size="xs"
            value={of}
            onChange={(value) => search.set({ of: value === 'own' ? undefined : value })}
            data={[
              { value: 'own', label: t`Mine` },
              { value: 'all', label: t`All people` },
            ]}
          />
        )}
      </Group>
      <Answered query={query} waiting={<Skeleton height={240} />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyPage>
              <Text c="dimmed">
                <Trans>No sessions. This page uses an access token without a session.</Trans>
              </Text>
            </EmptyPage>
          ) : (
            <DataTable
              label={t`Sessions`}
              rows={items}
              idOf={({ id }) => id}
              isStale={query.isPlaceholderData}
              hasCards
              columns={[
                ...(of === 'all' ? [userColumn()] : []),
                ...columns(),
                endColumn(mayEnd, (session) => ask({ act: 'end', session })),
              ]}
            />
          )
        }
      </Answered>
      {(pages.next || pages.cursor !== undefined) && (
        <Pager pages={pages} shown={query.data?.items.length ?? 0} />
      )}
      {asked?.act === 'end' && <EndSession of={asked.session} onClose={close} />}
      {asked?.act === 'endOthers' && <EndOthers onClose={close} />}
    </Stack>
  );
}

const userColumn = (): Column<Session> => ({
  id: 'user',
  header: t`User`,
  cell: ({ user }) => <bdi>{user}</bdi>,
});

const columns = (): Column<Session>[] => [
  {
    id: 'device',
    header: t`Device`,
    isTitle: true,
    cell: ({ userAgent, isOwn }) => (
      <span title={userAgent}>
        {deviceOf(userAgent)}
        {isOwn && (
          <Text span size="xs" c="dimmed">
            {' · '}
            <Trans>this session</Trans>
          </Text>
        )}
      </span>
    ),
  },
  { id: 'address', header: t`Address`, cell: ({ address }) => <span dir="ltr">{address}</span> },
  { id: 'created', header: t`Signed in`, cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { id: 'active', header: t`Last activity`, cell: ({ lastActiveAt }) => <Instant at={lastActiveAt} /> },
  {
    id: 'ends',
    header: t({ message: 'Ends', context: 'when a session ends' }),
    cell: ({ expiresAt }) => <Instant at={expiresAt} />,
  },
];

const endColumn = (
  mayEnd: (session: Session) => boolean,
  ask: (session: Session) => void,
): Column<Session> => ({
  id: 'acts',
  header: t`Actions`,
  align: 'end',
  cell: (session) => {
    if (!mayEnd(session)) return null;
    const { user } = session;
    const device = deviceOf(session.userAgent);
    return (
      <RowAct label={t`End the session of ${user} with ${device}`} onClick={() => ask(session)}>
        <IconLogout size={16} aria-hidden />
      </RowAct>
    );
  },
});
