import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import {
  IconListDetails,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import type { Column } from '../../parts/data-table-props.ts';
import { EmptyPage } from '../../parts/empty-list.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Answered, sentenceOf } from '../../parts/states.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useSearch } from '../../parts/use-search.ts';
import { ON_ENTRY, settled, useMayChange } from '../act.ts';
import { FormError } from '../form-error.tsx';
import { PAGED, usePageParams } from '../page-query.ts';
import { RowAct } from '../row-act.tsx';
import { ShortList } from '../short-list.tsx';
import { ShownOnce } from '../shown-once.tsx';
import { calendarText } from './calendar-words.ts';
import { ScheduleChange } from './schedule-change.tsx';
import { ScheduleCreation } from './schedule-creation.tsx';
import { deliveryText, ScheduleDeliveries } from './schedule-deliveries.tsx';
import { reportNames } from './schedule-form.tsx';
import { ScheduleRemoval } from './schedule-removal.tsx';

type Schedule = Api['ReportScheduleDto'];
type OpenDialog =
  | { act: 'add' }
  | { act: 'change' | 'deliveries' | 'remove'; schedule: Schedule }
  | { act: 'show'; secret: string };

const REFRESH_MS = 10_000;

export default function ReportSchedules() {
  const mayChange = useMayChange('webhooks:write');
  const [asked, ask] = useState<OpenDialog | null>(null);
  const query = api.useQuery(
    'get',
    '/api/v3/report-schedules',
    { params: usePageParams() },
    { ...PAGED, refetchInterval: REFRESH_MS },
  );
  const pages = usePages(query);
  const change = api.useMutation('patch', '/api/v3/report-schedules/{id}', {
    onSuccess: (changed) =>
      void settled(
        changed,
        changed.enabled ? t`The report schedule was enabled.` : t`The report schedule was disabled.`,
      ),
  });
  const toggle = ({ id, enabled, version }: Schedule) =>
    change.mutate({ params: { path: { id } }, body: { enabled: !enabled, version } });
  const show = (secret: string) => ask({ act: 'show', secret });
  const close = () => ask(null);
  const search = useSearch();
  const linked = search.get('schedule');
  return (
    <Stack>
      {mayChange && (
        <Group>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => ask({ act: 'add' })}>
            <Trans>Add a report schedule</Trans>
          </Button>
        </Group>
      )}
      <FormError title={t`No change was made`}>{change.error && sentenceOf(change.error)}</FormError>
      <Answered query={query} waiting={<Skeleton height={240} />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyPage>
              <Text c="dimmed">
                <Trans>No report schedules yet.</Trans>
              </Text>
            </EmptyPage>
          ) : (
            <ShortList
              label={t`Report schedules`}
              rows={items}
              pages={pages}
              isStale={query.isPlaceholderData}
              columns={[...columns(), actsColumn(ask, mayChange ? toggle : null)]}
            />
          )
        }
      </Answered>
      {asked?.act === 'add' && <ScheduleCreation onSecret={show} onClose={close} />}
      {asked?.act === 'change' && <ScheduleChange of={asked.schedule} onSecret={show} onClose={close} />}
      {asked?.act === 'deliveries' && (
        <ScheduleDeliveries of={asked.schedule} mayChange={mayChange} onClose={close} />
      )}
      {asked?.act === 'remove' && <ScheduleRemoval of={asked.schedule} onClose={close} />}
      {asked?.act === 'show' && (
        <ShownOnce
          title={t`Secret of the webhook`}
          label={t`Secret`}
          warning={t`The secret is shown only once`}
          secret={asked.secret}
          done={t`I saved the secret`}
          onDone={close}
        >
          <Trans>
            The receiver checks the signature of each report with the secret. Copy it to a safe place now. If
            you lose it, remove the webhook from the schedule and add it again.
          </Trans>
        </ShownOnce>
      )}
      {linked !== undefined && asked === null && (
        <LinkedSchedule
          id={linked}
          mayChange={mayChange}
          onClose={() => search.set({ schedule: undefined }, { replace: true })}
        />
      )}
    </Stack>
  );
}

/** The one that the address names, such as the link of a notification. */
function LinkedSchedule({ id, mayChange, onClose }: { id: string; mayChange: boolean; onClose: () => void }) {
  const params = { path: { id } };
  const { data, error } = api.useQuery('get', '/api/v3/report-schedules/{id}', { params }, ON_ENTRY);
  if (data) return <ScheduleDeliveries of={data} mayChange={mayChange} onClose={onClose} />;
  return <FormError title={t`The report schedule is not shown`}>{error && sentenceOf(error)}</FormError>;
}

const columns = (): Column<Schedule>[] => [
  {
    id: 'name',
    header: t`Name`,
    cell: ({ name, report, query }) => (
      <>
        <b dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </b>
        <Text span size="xs" c="dimmed" display="block" style={{ overflowWrap: 'anywhere' }}>
          {reportNames()[report]}
          {query && ': '}
          {query && <bdi>{query}</bdi>}
        </Text>
      </>
    ),
  },
  {
    id: 'when',
    header: t({ message: 'When', context: 'time' }),
    cell: ({ cron, timeZone }) => calendarText(cron, timeZone),
  },
  {
    id: 'to',
    header: t({ message: 'To', context: 'receivers' }),
    cell: ({ email, webhook, problem }) => (
      <span style={{ overflowWrap: 'anywhere' }}>
        {problem === null
          ? [...(email?.to ?? []), ...(webhook ? [webhook.url] : [])].join(', ')
          : t`Unreadable`}
      </span>
    ),
  },
  {
    id: 'owner',
    header: t`Owner`,
    cell: ({ owner }) => (owner === null ? t({ message: 'Removed', context: 'user' }) : <bdi>{owner}</bdi>),
  },
  {
    id: 'state',
    header: t({ message: 'Next', context: 'time of a report' }),
    cell: ({ enabled, stopped, next }) =>
      enabled ? (
        <Instant at={next[0] ?? null} />
      ) : (
        <>
          {stopped
            ? t({ message: 'Stopped', context: 'report schedule' })
            : t({ message: 'Disabled', context: 'report schedule' })}
          {stopped && (
            <Text span size="xs" c="dimmed" display="block">
              {stopped.message}
            </Text>
          )}
        </>
      ),
  },
  {
    id: 'last',
    header: t`Last report`,
    cell: ({ last }) =>
      last.length === 0 ? (
        '–'
      ) : (
        <>
          <Instant at={last[0]!.at} />
          {last.map((delivery) => (
            <Text key={delivery.id} span size="xs" c="dimmed" display="block">
              {deliveryText(delivery)}
              {delivery.status !== 'sent' && delivery.answer && `, ${delivery.answer.message}`}
            </Text>
          ))}
        </>
      ),
  },
];

const actsColumn = (
  ask: (asked: OpenDialog) => void,
  toggle: ((schedule: Schedule) => void) | null,
): Column<Schedule> => ({
  id: 'acts',
  header: t`Actions`,
  align: 'end',
  cell: (schedule) => {
    const { name, enabled } = schedule;
    return (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <RowAct label={t`Deliveries of ${name}`} onClick={() => ask({ act: 'deliveries', schedule })}>
          <IconListDetails size={16} aria-hidden />
        </RowAct>
        {toggle && (
          <>
            <RowAct label={t`Change ${name}`} onClick={() => ask({ act: 'change', schedule })}>
              <IconPencil size={16} aria-hidden />
            </RowAct>
            <RowAct label={enabled ? t`Disable ${name}` : t`Enable ${name}`} onClick={() => toggle(schedule)}>
              {enabled ? <IconPlayerPause size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
            </RowAct>
            <RowAct label={t`Remove ${name}`} onClick={() => ask({ act: 'remove', schedule })}>
              <IconTrash size={16} aria-hidden />
            </RowAct>
          </>
        )}
      </Group>
    );
  },
});
