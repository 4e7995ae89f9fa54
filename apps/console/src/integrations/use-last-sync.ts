import { useEffect, useRef } from 'react';
import { api } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { isMoving, isUnfinished, type Sync } from './sync-words.ts';

const RUNNING_MS = 1_000;
/** Syncs that the schedule or somebody else asks for show so soon. */
const IDLE_MS = 15_000;

/** The newest sync of an integration, watched closely while it runs; undefined until it is known, null: there is none. */
export function useLastSync(id: string): Sync | null | undefined {
  const { data } = api.useQuery(
    'get',
    '/integrations/{id}/history',
    { params: { path: { id }, query: { limit: 1 } } },
    {
      refetchInterval: ({ state: { data } }) => {
        const last = data?.items[0];
        return last && isMoving(last) ? RUNNING_MS : IDLE_MS;
      },
    },
  );
  const sync = data && (data.items[0] ?? null);
  useEndOf(id, sync);
  return sync;
}

/** What a sync has brought is asked for anew when it ends, also while the changes are not followed. */
function useEndOf(id: string, sync: Sync | null | undefined): void {
  const running = useRef<string | null>(null);
  useEffect(() => {
    if (!sync) return;
    if (isUnfinished(sync)) running.current = sync.syncId;
    else if (running.current !== null) {
      running.current = null;
      void refreshIntegration(id);
    }
  }, [id, sync]);
}

/** All that is shown of this integration, and the list. */
export const refreshIntegration = (id: string): Promise<void> =>
  refresh((shown) => shown === undefined || shown === id);

/** The list alone, where one came or went. */
export const refreshList = (): Promise<void> => refresh((shown) => shown === undefined);

/** @param isMeant told the integration that a query is of; undefined: of all */
const refresh = (isMeant: (id: string | undefined) => boolean): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [, path, init] }) =>
      String(path).startsWith('/integrations') &&
      isMeant((init as { params?: { path?: { id?: string } } } | undefined)?.params?.path?.id),
  });
