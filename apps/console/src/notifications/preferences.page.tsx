import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Text } from '@mantine/core';
import { api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Answered } from '../parts/states.tsx';
import { PreferencesForm } from './preferences-form.tsx';

/** While a message is on its way. */
const REFRESH_MS = 5_000;

/** What notifies the user, and where and when messages are sent. */
export function Component() {
  const query = api.useQuery(
    'get',
    '/api/v3/notifications/preferences',
    {},
    {
      refetchOnMount: 'always',
      refetchInterval: ({ state }) => (state.data?.lastMessage?.status === 'pending' ? REFRESH_MS : false),
    },
  );
  return (
    <>
      <PageTitle
        name={t`Preferences of notifications`}
        above={
          <AppLink to="/notifications" size="sm">
            <Trans>Notifications</Trans>
          </AppLink>
        }
      >
        <Trans>Preferences</Trans>
      </PageTitle>
      <Text c="dimmed" mb="md" maw="70ch">
        <Trans>
          Everything that notifies you is in the list of notifications. You can have it sent to you too.
        </Trans>
      </Text>
      <Answered query={query} waiting={<Skeleton height={500} />}>
        {(preferences) => <PreferencesForm stored={preferences} />}
      </Answered>
    </>
  );
}
