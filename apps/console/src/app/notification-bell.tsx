import { t } from '@lingui/core/macro';
import { ActionIcon, Indicator } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Link } from 'react-router';
import { api } from '../api/client.ts';
import { unreadText } from '../notifications/words.ts';
import { useAsOf, withAsOf } from '../time/as-of.ts';

/** Not the change stream: it reports an act before its notification is written, and not to users without its scope. */
const REFRESH_MS = 20_000;

/** The number of unread notifications, with a link to them. */
export function NotificationBell() {
  const { asOf } = useAsOf();
  const { data } = api.useQuery('get', '/api/v3/notifications/unread', {}, { refetchInterval: REFRESH_MS });
  const unread = data?.unread ?? 0;
  const count = unreadText(unread);
  return (
    <Indicator label={count} disabled={unread === 0} size={16} offset={5} color="red.9" zIndex={1}>
      <ActionIcon
        component={Link}
        to={withAsOf('/notifications', asOf)}
        variant="subtle"
        size="lg"
        aria-label={unread === 0 ? t`Notifications` : t`Notifications, ${count} unread`}
      >
        <IconBell aria-hidden />
      </ActionIcon>
    </Indicator>
  );
}
