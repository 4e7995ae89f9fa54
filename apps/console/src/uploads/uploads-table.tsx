import { Box, Skeleton } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type Api, api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { Instant } from '../parts/instant.tsx';
import { Pager } from '../parts/pager.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useSearch } from '../parts/use-search.ts';
import { Applied } from './applied.tsx';
import { KIND_NAMES, outcomeInShort } from './words.ts';

type Upload = Api['UploadDto'];

const LIMIT = 25;
/** The live changes tell of findings and assets; an upload that moves none comes with the next question. */
const ASK_MS = { underWay: 1_500, idle: 15_000 } as const;

const COLUMNS: Column<Upload>[] = [
  {
    id: 'when',
    header: 'When',
    cell: ({ id, receivedAt }) => (
      <AppLink to={`/uploads/${id}`} size="sm" style={{ whiteSpace: 'nowrap' }}>
        <Instant at={receivedAt} />
      </AppLink>
    ),
  },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ outcome, done }) => <Box miw={170}>{done ? outcomeInShort(outcome) : '…'}</Box>,
  },
  { id: 'done', header: 'Applied', cell: (upload) => <Applied upload={upload} /> },
  {
    id: 'accepted',
    header: 'Signals',
    align: 'right',
    cell: ({ accepted }) => accepted.toLocaleString(),
  },
  { id: 'kind', header: 'Kind', cell: ({ kind }) => KIND_NAMES[kind] },
  { id: 'by', header: 'By', cell: ({ by }) => by ?? '–' },
];

/** What was uploaded, newest first, with what became of it. */
export function UploadsTable() {
  const cursor = useSearch().get('cursor');
  const uploads = api.useQuery(
    'get',
    '/api/v3/uploads',
    { params: { query: { limit: LIMIT, ...(cursor && { cursor }) } } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data } }) =>
        data?.items.some(({ done }) => !done) ? ASK_MS.underWay : ASK_MS.idle,
    },
  );
  const pages = usePages(uploads.data?.nextCursor);
  return (
    <Answered query={uploads} waiting={<Skeleton height={280} />}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title="Nothing has been uploaded yet">
            What scanners and scripts send appears here too, the moment it arrives.
          </Empty>
        ) : (
          <>
            <DataTable
              label="Uploads"
              columns={COLUMNS}
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
