import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { EmptyPage } from '../parts/empty-list.tsx';
import { Pager } from '../parts/pager.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useSearch } from '../parts/use-search.ts';
import { HistoryTable } from './history-table.tsx';
import type { Integration } from './kinds.ts';
import { isChanging } from './sync-words.ts';

const PAGE = 25;
const RUNNING_MS = 1_000;

/** The History table: every sync, newest first. */
export function History({ integration: { id } }: { integration: Integration }) {
  const cursor = useSearch().get('cursor');
  const query = api.useQuery(
    'get',
    '/integrations/{id}/history',
    { params: { path: { id }, query: { limit: PAGE, ...(cursor && { cursor }) } } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data } }) => (data?.items.some(isChanging) ? RUNNING_MS : false),
    },
  );
  const pages = usePages(query);
  return (
    <Answered query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyPage>
            <Empty title={t`No syncs yet`}>
              <Trans>Each sync is listed here with its outcome.</Trans>
            </Empty>
          </EmptyPage>
        ) : (
          <>
            <HistoryTable syncs={items} isStale={query.isPlaceholderData} />
            <Pager pages={pages} shown={items.length} />
          </>
        )
      }
    </Answered>
  );
}
