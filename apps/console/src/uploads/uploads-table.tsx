import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Skeleton } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type Api, api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { number } from '../language/format.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { EmptyPage } from '../parts/empty-list.tsx';
import { Instant } from '../parts/instant.tsx';
import { Pager } from '../parts/pager.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useSearch } from '../parts/use-search.ts';
import { Applied } from './applied.tsx';
import { kindName, outcomeInShort } from './words.ts';

type Upload = Api['UploadDto'];

const LIMIT = 25;
/** Poll intervals. The change stream does not report uploads that change no finding and no asset. */
const POLL_MS = { inProgress: 1_500, idle: 15_000 } as const;

const columnsOf = (): Column<Upload>[] => [
  {
    id: 'when',
    header: t`Time`,
    cell: ({ id, receivedAt }) => (
      <AppLink to={`/uploads/${id}`} size="sm" style={{ whiteSpace: 'nowrap' }}>
        <Instant at={receivedAt} />
      </AppLink>
    ),
  },
  {
    id: 'outcome',
    header: t`Outcome`,
    cell: ({ outcome, done }) => <Box miw={170}>{done ? outcomeInShort(outcome) : '…'}</Box>,
  },
  { id: 'done', header: t`Applied`, cell: (upload) => <Applied upload={upload} /> },
  {
    id: 'accepted',
    header: t`Signals`,
    align: 'end',
    cell: ({ accepted }) => number(accepted),
  },
  { id: 'kind', header: t`Kind`, cell: ({ kind }) => kindName(kind) },
  { id: 'by', header: t`By`, cell: ({ by, source }) => by ?? source ?? '–' },
];

/** Uploads with their outcomes, newest first. */
export function UploadsTable() {
  const cursor = useSearch().get('cursor');
  const uploads = api.useQuery(
    'get',
    '/api/v3/uploads',
    { params: { query: { limit: LIMIT, ...(cursor && { cursor }) } } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data } }) =>
        data?.items.some(({ done }) => !done) ? POLL_MS.inProgress : POLL_MS.idle,
    },
  );
  const pages = usePages(uploads);
  return (
    <Answered query={uploads} waiting={<Skeleton height={280} />}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyPage>
            <Empty title={t`No uploads yet`}>
              <Trans>Uploads from scanners and scripts also appear here.</Trans>
            </Empty>
          </EmptyPage>
        ) : (
          <>
            <DataTable
              label={t`Uploads`}
              columns={columnsOf()}
              rows={items}
              idOf={({ id }) => id}
              isStale={uploads.isPlaceholderData}
            />
            <Pager pages={pages} shown={items.length} />
          </>
        )
      }
    </Answered>
  );
}
