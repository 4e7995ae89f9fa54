import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconMail, IconSettings } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Failure } from '../api/client.ts';
import { useGo } from '../app/links.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { EmptyPage } from '../parts/empty-list.tsx';
import { ListError } from '../parts/filters/list-error.tsx';
import { Instant } from '../parts/instant.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Pager } from '../parts/pager.tsx';
import { Answered, Empty, sentenceOf } from '../parts/states.tsx';
import { TableSkeleton } from '../parts/table-skeleton.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useSearch } from '../parts/use-search.ts';
import { RowAct } from '../settings/row-act.tsx';
import { NotifiedFindings } from './notified-findings.tsx';
import { NotifiedSubject } from './notified-subject.tsx';
import { refreshNotifications } from './refresh.ts';
import type { Notification } from './words.ts';

const ROWS = 50;
const REFRESH_MS = 20_000;
const shownOptions = () => [
  { value: 'all', label: t({ message: 'All', context: 'notifications' }) },
  { value: 'unread', label: t({ message: 'Unread', context: 'notifications' }) },
];

/** What notifies the user, newest first. */
export function Component() {
  const search = useSearch();
  const go = useGo();
  const isUnread = search.get('show') === 'unread';
  const cursor = search.get('cursor');
  const list = api.useQuery(
    'get',
    '/api/v3/notifications',
    { params: { query: { limit: ROWS, ...(cursor && { cursor }), ...(isUnread && { unread: 'true' }) } } },
    { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
  const pages = usePages(list);
  const options = { onSuccess: () => void refreshNotifications(), onError: reportFailure };
  const read = api.useMutation('patch', '/api/v3/notifications/{id}', options);
  const readAll = api.useMutation('post', '/api/v3/notifications/read', options);
  const mark = (id: string, isRead: boolean) =>
    read.mutate({ params: { path: { id } }, body: { read: isRead } });
  // What came after the first page was shown, or after a link opened a later one, stays unread.
  const [newest, setNewest] = useState(() => new Date().toISOString());
  const first = cursor === undefined && !list.isPlaceholderData ? list.data?.items[0]?.at : undefined;
  if (first !== undefined && first !== newest) setNewest(first);
  return (
    <>
      <PageTitle
        actions={
          <>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconCheck size={16} aria-hidden />}
              loading={readAll.isPending}
              onClick={() => readAll.mutate({ body: { until: newest } })}
            >
              <Trans>Mark all as read</Trans>
            </Button>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconSettings size={16} aria-hidden />}
              onClick={() => go('/notifications/preferences')}
            >
              <Trans>Preferences</Trans>
            </Button>
          </>
        }
      >
        {t`Notifications`}
      </PageTitle>
      <Stack gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={t`Notifications to show`}
          style={{ alignSelf: 'flex-start' }}
          value={isUnread ? 'unread' : 'all'}
          onChange={(value) => search.set({ show: value === 'unread' ? value : undefined })}
          data={shownOptions()}
        />
        {list.error && !list.data ? (
          <ListError error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <Answered query={list} waiting={<TableSkeleton />}>
            {({ items }) =>
              items.length === 0 ? (
                <EmptyPage>
                  <Empty title={isUnread ? t`No unread notifications` : t`No notifications yet`}>
                    <Trans>Mentions, assignments, comments and due dates of your findings notify you.</Trans>
                  </Empty>
                </EmptyPage>
              ) : (
                <>
                  <DataTable
                    label={t`Notifications`}
                    columns={columnsOf(mark)}
                    rows={items}
                    idOf={({ id }) => id}
                    isStale={list.isPlaceholderData}
                    hasCards
                  />
                  <Pager pages={pages} shown={items.length} />
                </>
              )
            }
          </Answered>
        )}
      </Stack>
    </>
  );
}

/** The list stays as it is. */
const reportFailure = (error: Failure) =>
  notifications.show({
    color: 'red',
    title: t`The notifications are unchanged`,
    message: sentenceOf(error),
    closeButtonProps: { 'aria-label': t`Close` },
  });

function Notified({ notification, onOpen }: { notification: Notification; onOpen: () => void }) {
  const { kind, subject } = notification;
  if (subject === null) return <NotifiedFindings notification={notification} onOpen={onOpen} />;
  return <NotifiedSubject kind={kind} of={subject} onOpen={onOpen} />;
}

const columnsOf = (mark: (id: string, isRead: boolean) => void): readonly Column<Notification>[] => [
  {
    id: 'what',
    header: t`Notification`,
    isTitle: true,
    cell: (notification) => (
      <Group gap="xs" wrap="nowrap" align="flex-start">
        {notification.readAt === null && (
          <Badge size="xs" variant="filled" color="blue.9" style={{ flex: 'none', marginTop: 3 }}>
            <Trans context="notification">New</Trans>
          </Badge>
        )}
        <Notified
          notification={notification}
          onOpen={() => notification.readAt === null && mark(notification.id, true)}
        />
      </Group>
    ),
  },
  { id: 'at', header: t({ message: 'When', context: 'time' }), cell: ({ at }) => <Instant at={at} /> },
  {
    id: 'acts',
    header: t`Actions`,
    align: 'end',
    cell: ({ id, readAt }) =>
      readAt === null ? (
        <RowAct label={t`Mark as read`} onClick={() => mark(id, true)}>
          <IconCheck size={16} aria-hidden />
        </RowAct>
      ) : (
        <RowAct label={t`Mark as unread`} onClick={() => mark(id, false)}>
          <IconMail size={16} aria-hidden />
        </RowAct>
      ),
  },
];
