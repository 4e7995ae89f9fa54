import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { type Api, api } from '../../api/client.ts';
import { number } from '../../language/format.ts';
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
        <Text dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
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
                label={plural(SHOWN, { one: 'The latest # delivery', other: 'The latest # deliveries' })}
                columns={columns()}
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

const statusNames = (): Record<Delivery['status'], string> => ({
  pending: t({ message: 'Pending', context: 'status of a delivery' }),
  sent: t({ message: 'Sent', context: 'status of a delivery' }),
  failed: t({ message: 'Failed', context: 'status of a delivery' }),
});
const channelNames = (): Record<Delivery['channel'], string> => ({ email: t`E-mail`, webhook: t`Webhook` });
const causeNames = (): Record<Delivery['cause'], string> => ({
  schedule: t({ message: 'Scheduled', context: 'why a report is sent' }),
  catchUp: t({ message: 'Late', context: 'why a report is sent' }),
  user: t({ message: 'By a user', context: 'why a report is sent' }),
});

/** A delivery in a few words. */
export function deliveryText({ channel, status }: Delivery): string {
  const texts: Record<Delivery['channel'], Record<Delivery['status'], string>> = {
    email: { pending: t`E-mail: pending`, sent: t`E-mail: sent`, failed: t`E-mail: failed` },
    webhook: { pending: t`Webhook: pending`, sent: t`Webhook: sent`, failed: t`Webhook: failed` },
  };
  return texts[channel][status];
}

const columns = (): Column<Delivery>[] => [
  { id: 'at', header: t`Report as of`, cell: ({ at }) => <Instant at={at} /> },
  { id: 'cause', header: t`Cause`, cell: ({ cause }) => causeNames()[cause] },
  { id: 'channel', header: t`Channel`, cell: ({ channel }) => channelNames()[channel] },
  { id: 'status', header: t`Status`, cell: ({ status }) => statusNames()[status] },
  { id: 'attempts', header: t`Attempts`, align: 'end', cell: ({ attempts }) => number(attempts) },
  {
    id: 'answer',
    header: t`Last response`,
    cell: ({ answer }) =>
      answer && [answer.status, answer.message].filter((part) => part !== null).join(': '),
  },
  { id: 'next', header: t`Next attempt`, cell: ({ nextAttemptAt }) => <Instant at={nextAttemptAt} /> },
];
