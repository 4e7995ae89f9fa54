import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { type Api, api } from '../../api/client.ts';
import { DataTable } from '../../parts/data-table.tsx';
import type { Column } from '../../parts/data-table-props.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Answered, sentenceOf } from '../../parts/states.tsx';
import { ON_ENTRY } from '../act.ts';
import { Notice } from '../notice.tsx';

type Delivery = Api['ReportDeliveryDto'];

const SHOWN = 20;
/** Deliveries are not part of the change stream. */
const REFRESH_MS = 3_000;

/** The latest deliveries of a schedule, and a report that is sent now. */
export function ScheduleDeliveries({
  of: { id, name, stopped, problem },
  mayChange,
  onClose,
}: {
  of: Api['ReportScheduleDto'];
  mayChange: boolean;
  onClose: () => void;
}) {
  const query = api.useQuery(
    'get',
    '/api/v3/report-schedules/{id}/deliveries',
    { params: { path: { id }, query: { limit: SHOWN } } },
    { ...ON_ENTRY, refetchInterval: REFRESH_MS },
  );
  const send = api.useMutation('post', '/api/v3/report-schedules/{id}/send', {
    onSuccess: () => void query.refetch(),
  });
  return (
    <Dialog onClose={onClose} title={t`Deliveries`} size="xl">
      <Stack>
        <Text style={{ overflowWrap: 'anywhere' }}>{name}</Text>
        {stopped && (
          <Notice color="orange" title={t`Stopped`}>
            {stopped.message}
          </Notice>
        )}
        {problem !== null && (
          <Notice color="red" title={t`Cannot be sent`}>
            {problem}
          </Notice>
        )}
        {mayChange && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconSend size={16} aria-hidden />}
              loading={send.isPending}
              onClick={() => send.mutate({ params: { path: { id } } })}
            >
              <Trans>Send now</Trans>
            </Button>
            <Text role="status" size="sm">
              {send.error ? sentenceOf(send.error) : send.data && t`The report is being sent.`}
            </Text>
          </Group>
        )}
        <Answered query={query} waiting={<Skeleton height={160} />}>
          {({ items }) =>
            items.length === 0 ? (
              <Text c="dimmed">
                <Trans>No deliveries yet.</Trans>
              </Text>
            ) : (
              <DataTable
                label={t`The latest ${SHOWN} deliveries`}
                columns={COLUMNS}
                rows={items}
                idOf={(row) => row.id}
                isStale={false}
              />
            )
          }
        </Answered>
      </Stack>
    </Dialog>
  );
}

const STATUS_WORDS: Record<Delivery['status'], string> = {
  pending: 'Pending',
  sent: 'Sent',
  failed: 'Failed',
};
const CHANNEL_WORDS: Record<Delivery['channel'], string> = { email: 'E-mail', webhook: 'Webhook' };
const CAUSE_WORDS: Record<Delivery['cause'], string> = {
  schedule: 'Scheduled',
  catchUp: 'Late',
  user: 'By a user',
};

/** A delivery in a few words. */
export const deliveryWords = ({ channel, status }: Delivery): string =>
  `${CHANNEL_WORDS[channel]}: ${STATUS_WORDS[status].toLowerCase()}`;

const COLUMNS: Column<Delivery>[] = [
  { id: 'at', header: 'Report as of', cell: ({ at }) => <Instant at={at} /> },
  { id: 'cause', header: 'Cause', cell: ({ cause }) => CAUSE_WORDS[cause] },
  { id: 'channel', header: 'Channel', cell: ({ channel }) => CHANNEL_WORDS[channel] },
  { id: 'status', header: 'Status', cell: ({ status }) => STATUS_WORDS[status] },
  { id: 'attempts', header: 'Attempts', align: 'end', cell: ({ attempts }) => attempts },
  {
    id: 'answer',
    header: 'Last response',
    cell: ({ answer }) =>
      answer && [answer.status, answer.message].filter((part) => part !== null).join(': '),
  },
  { id: 'next', header: 'Next attempt', cell: ({ nextAttemptAt }) => <Instant at={nextAttemptAt} /> },
];
