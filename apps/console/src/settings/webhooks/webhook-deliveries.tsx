import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { number } from '../../language/format.ts';
import { DataTable } from '../../parts/data-table.tsx';
import type { Column } from '../../parts/data-table-props.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Answered, sentenceOf } from '../../parts/states.tsx';
import { InstantForm } from '../../time/instant-form.tsx';
import { ON_ENTRY, settled } from '../act.ts';
import { Notice } from '../notice.tsx';
import { nameOf } from './webhook-kinds.ts';

type Webhook = Api['WebhookDto'];
type Delivery = Api['DeliveryDto'];

const SHOWN = 20;
/** Deliveries are not part of the change stream. */
const REFRESH_MS = 3_000;

/** The latest deliveries of a webhook, a test of its receiver, and a new delivery of earlier changes. */
export function WebhookDeliveries({
  of,
  mayChange,
  onClose,
}: {
  of: Webhook;
  mayChange: boolean;
  onClose: () => void;
}) {
  const params = { path: { id: of.id }, query: { limit: SHOWN } };
  const query = api.useQuery(
    'get',
    '/api/v3/webhooks/{id}/deliveries',
    { params },
    { ...ON_ENTRY, refetchInterval: REFRESH_MS },
  );
  return (
    <Dialog onClose={onClose} title={t`Deliveries`} size="xl">
      <Stack>
        <Text dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {nameOf(of)}
        </Text>
        {of.paused && (
          <Notice color="orange" title={t`Paused`}>
            {of.paused.message}
          </Notice>
        )}
        {mayChange && (
          <>
            <Test of={of} />
            <Replay of={of} />
          </>
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
                idOf={({ id }) => id}
                isStale={false}
              />
            )
          }
        </Answered>
      </Stack>
    </Dialog>
  );
}

function Test({ of: { id, kind } }: { of: Webhook }) {
  const test = api.useMutation('post', '/api/v3/webhooks/{id}/test');
  return (
    <Group>
      <Button
        variant="default"
        leftSection={<IconSend size={16} aria-hidden />}
        loading={test.isPending}
        onClick={() => test.mutate({ params: { path: { id } } })}
      >
        {kind === 'cloudevents' ? t`Send a test event` : t({ message: 'Test', context: 'button' })}
      </Button>
      <Text role="status" size="sm">
        {test.error ? sentenceOf(test.error) : test.data && testText(test.data)}
      </Text>
    </Group>
  );
}

function testText({ ok, message, ms }: Api['WebhookTestDto']): string {
  const duration = number(ms);
  return ok ? t`Accepted after ${duration} ms: ${message}` : t`Failed after ${duration} ms: ${message}`;
}

function Replay({ of: { id } }: { of: Webhook }) {
  const [now] = useState(Date.now);
  const replay = api.useMutation('post', '/api/v3/webhooks/{id}/replay', {
    onSuccess: (changed) => void settled(changed, t`Changes from that time on are delivered again.`),
  });
  return (
    <div>
      <Text size="sm" fw={550}>
        <Trans>Deliver again from a time</Trans>
      </Text>
      <InstantForm
        shown={now}
        now={now}
        act={t`Deliver again`}
        onPick={(from) => replay.mutate({ params: { path: { id } }, body: { from } })}
      />
      {replay.error && (
        <Text role="alert" size="sm">
          {sentenceOf(replay.error)}
        </Text>
      )}
    </div>
  );
}

const statusNames = (): Record<Delivery['status'], string> => ({
  pending: t({ message: 'Pending', context: 'status of a delivery' }),
  delivered: t({ message: 'Delivered', context: 'status of a delivery' }),
  superseded: t({ message: 'Superseded', context: 'status of a delivery' }),
});

const columns = (): Column<Delivery>[] => [
  {
    id: 'created',
    header: t({ message: 'Created', context: 'time' }),
    cell: ({ createdAt }) => <Instant at={createdAt} />,
  },
  { id: 'status', header: t`Status`, cell: ({ status }) => statusNames()[status] },
  { id: 'changes', header: t`Changes`, align: 'end', cell: ({ changes }) => number(changes) },
  { id: 'attempts', header: t`Attempts`, align: 'end', cell: ({ attempts }) => number(attempts) },
  {
    id: 'answer',
    header: t`Last response`,
    cell: ({ answer }) =>
      answer && [answer.status, answer.message].filter((part) => part !== null).join(': '),
  },
  { id: 'next', header: t`Next attempt`, cell: ({ nextAttemptAt }) => <Instant at={nextAttemptAt} /> },
];
