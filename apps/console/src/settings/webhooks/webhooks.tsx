import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import {
  IconKey,
  IconListDetails,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { list, number } from '../../language/format.ts';
import type { Column } from '../../parts/data-table-props.ts';
import { EmptyPage } from '../../parts/empty-list.tsx';
import { typeNames } from '../../parts/finding-type.ts';
import { Instant } from '../../parts/instant.tsx';
import { stateNames } from '../../parts/state.tsx';
import { Answered, sentenceOf } from '../../parts/states.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useSearch } from '../../parts/use-search.ts';
import { ON_ENTRY, settled, useMayChange } from '../act.ts';
import { limitsText } from '../credentials/limit-fields.tsx';
import { FormError } from '../form-error.tsx';
import { PAGED, usePageParams } from '../page-query.ts';
import { RowAct } from '../row-act.tsx';
import { ShortList } from '../short-list.tsx';
import { NewWebhookSecret } from './new-webhook-secret.tsx';
import { TicketSecret } from './ticket-secret.tsx';
import { WebhookChange } from './webhook-change.tsx';
import { WebhookCreation } from './webhook-creation.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { topicOptions } from './webhook-form.tsx';
import { kinds, nameOf } from './webhook-kinds.ts';
import { WebhookRemoval } from './webhook-removal.tsx';
import { WebhookRotation } from './webhook-rotation.tsx';

type Webhook = Api['WebhookDto'];
type OpenDialog =
  | { act: 'add' }
  | { act: 'change' | 'deliveries' | 'rotate' | 'remove'; webhook: Webhook }
  | { act: 'show'; made: Api['WebhookWithSecretDto'] };

export default function Webhooks() {
  const mayChange = useMayChange('webhooks:write');
  const [asked, ask] = useState<OpenDialog | null>(null);
  const query = api.useQuery('get', '/api/v3/webhooks', { params: usePageParams() }, PAGED);
  const pages = usePages(query);
  const { error, toggle } = usePause();
  const show = (made: Api['WebhookWithSecretDto']) => ask({ act: 'show', made });
  const close = () => ask(null);
  const search = useSearch();
  const linked = search.get('webhook');
  return (
    <Stack>
      {mayChange && (
        <Group>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => ask({ act: 'add' })}>
            <Trans>Add a webhook</Trans>
          </Button>
        </Group>
      )}
      <FormError title={t`No change was made`}>{error && sentenceOf(error)}</FormError>
      <Answered query={query} waiting={<Skeleton height={240} />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyPage>
              <Text c="dimmed">
                <Trans>No webhooks yet.</Trans>
              </Text>
            </EmptyPage>
          ) : (
            <ShortList
              label={t`Webhooks`}
              rows={items}
              pages={pages}
              isStale={query.isPlaceholderData}
              columns={[...columns(), actsColumn(ask, mayChange ? toggle : null)]}
            />
          )
        }
      </Answered>
      {asked?.act === 'add' && <WebhookCreation onMade={show} onClose={close} />}
      {asked?.act === 'change' && <WebhookChange of={asked.webhook} onClose={close} />}
      {asked?.act === 'deliveries' && (
        <WebhookDeliveries of={asked.webhook} mayChange={mayChange} onClose={close} />
      )}
      {asked?.act === 'rotate' &&
        (asked.webhook.kind === 'cloudevents' ? (
          <WebhookRotation of={asked.webhook} onMade={show} onClose={close} />
        ) : (
          <TicketSecret of={asked.webhook} onClose={close} />
        ))}
      {asked?.act === 'remove' && <WebhookRemoval of={asked.webhook} onClose={close} />}
      {asked?.act === 'show' && <NewWebhookSecret of={asked.made} onClose={close} />}
      {linked !== undefined && asked === null && (
        <LinkedWebhook
          id={linked}
          mayChange={mayChange}
          onClose={() => search.set({ webhook: undefined }, { replace: true })}
        />
      )}
    </Stack>
  );
}

/** The one that the address names, such as the link of a notification. */
function LinkedWebhook({ id, mayChange, onClose }: { id: string; mayChange: boolean; onClose: () => void }) {
  const { data, error } = api.useQuery(
    'get',
    '/api/v3/webhooks/{id}',
    { params: { path: { id } } },
    ON_ENTRY,
  );
  if (data) return <WebhookDeliveries of={data} mayChange={mayChange} onClose={onClose} />;
  return <FormError title={t`The webhook is not shown`}>{error && sentenceOf(error)}</FormError>;
}

/** Pauses an active webhook, and resumes a paused one. */
function usePause() {
  const pause = api.useMutation('post', '/api/v3/webhooks/{id}/pause', {
    onSuccess: (changed) => void settled(changed, t`The webhook was paused.`),
  });
  const resume = api.useMutation('post', '/api/v3/webhooks/{id}/resume', {
    onSuccess: (changed) => void settled(changed, t`The webhook was resumed.`),
  });
  const toggle = ({ id, paused }: Webhook) => {
    pause.reset();
    resume.reset();
    (paused === null ? pause : resume).mutate({ params: { path: { id } } });
  };
  return { error: pause.error ?? resume.error, toggle };
}

const columns = (): Column<Webhook>[] => [
  {
    id: 'url',
    header: t({ message: 'To', context: 'receivers' }),
    cell: (webhook) => (
      <b dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {nameOf(webhook)}
      </b>
    ),
  },
  {
    id: 'topics',
    header: t`Delivers`,
    cell: ({ kind, topics }) =>
      kind === 'cloudevents'
        ? listed(
            topicOptions()
              .filter(({ value }) => topics.includes(value))
              .map(({ label }) => label),
          )
        : kinds()[kind].name,
  },
  { id: 'filter', header: t`Findings`, cell: ({ filter }) => filterWords(filter) },
  { id: 'rows', header: t`Assets`, cell: limitsText },
  {
    id: 'state',
    header: t`State`,
    cell: ({ paused }) =>
      paused === null ? t({ message: 'Active', context: 'state of a webhook' }) : <Paused since={paused} />,
  },
  {
    id: 'behind',
    header: t`Pending changes`,
    align: 'end',
    cell: ({ behind }) => (behind === null ? '–' : number(behind)),
  },
];

function Paused({ since: { at, message } }: { since: NonNullable<Webhook['paused']> }) {
  const when = <Instant at={at} />;
  return (
    <>
      <Trans>Paused {when}</Trans>
      <Text span size="xs" c="dimmed" display="block">
        {message}
      </Text>
    </>
  );
}

function filterWords({ severityMin, states, types, ssvc }: Webhook['filter']): string {
  const severity = severityMin === undefined ? '' : number(severityMin);
  const words = [
    ...(severityMin === undefined ? [] : [t`Severity ${severity} and above`]),
    ...(states === undefined ? [] : [listed(states.map((state) => stateNames()[state]))]),
    ...(types === undefined ? [] : [listed(types.map((type) => typeNames()[type]))]),
    ...(ssvc === undefined ? [] : [listed(ssvc)]),
  ];
  return words.join('; ') || t({ message: 'All', context: 'findings' });
}

/** With commas. */
const listed = (items: readonly string[]): string => list(items, 'unit');

const actsColumn = (
  ask: (asked: OpenDialog) => void,
  toggle: ((webhook: Webhook) => void) | null,
): Column<Webhook> => ({
  id: 'acts',
  header: t`Actions`,
  align: 'end',
  cell: (webhook) => {
    const name = nameOf(webhook);
    return (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <RowAct label={t`Deliveries to ${name}`} onClick={() => ask({ act: 'deliveries', webhook })}>
          <IconListDetails size={16} aria-hidden />
        </RowAct>
        {toggle && (
          <>
            <RowAct label={t`Change ${name}`} onClick={() => ask({ act: 'change', webhook })}>
              <IconPencil size={16} aria-hidden />
            </RowAct>
            <RowAct
              label={webhook.paused === null ? t`Pause ${name}` : t`Resume ${name}`}
              onClick={() => toggle(webhook)}
            >
              {webhook.paused === null ? (
                <IconPlayerPause size={16} aria-hidden />
              ) : (
                <IconPlayerPlay size={16} aria-hidden />
              )}
            </RowAct>
            <RowAct label={t`Replace the secret of ${name}`} onClick={() => ask({ act: 'rotate', webhook })}>
              <IconKey size={16} aria-hidden />
            </RowAct>
            <RowAct label={t`Remove ${name}`} onClick={() => ask({ act: 'remove', webhook })}>
              <IconTrash size={16} aria-hidden />
            </RowAct>
          </>
        )}
      </Group>
    );
  },
});
