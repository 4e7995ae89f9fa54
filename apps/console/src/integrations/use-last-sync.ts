import { useEffect, useRef } from 'react';
import { api } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { isChanging, isUnfinished, type Sync } from './sync-words.ts';

const RUNNING_MS = 1_000;
/** Poll interval for syncs that the schedule or other users start. */
const IDLE_MS = 15_000;

/** The latest sync; undefined until it is loaded, null if none exists. Polled faster while it runs. */
export function useLastSync(id: string): Sync | null | undefined {
  const { data } = api.useQuery(
    'get',
    '/integrations/{id}/history',
    { params: { path: { id }, query: { limit: 1 } } },
    {
      refetchInterval: ({ state: { data } }) => {
        const last = data?.items[0];
        return last && isChanging(last) ? RUNNING_MS : IDLE_MS;
      },
    },
  );
  const sync = data && (data.items[0] ?? null);
  useEndOf(id, sync);
  return sync;
}

/** Refreshes the data of the integration when a sync ends, even without a change stream. */
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

/** Refreshes all data of this integration, and the list. */
export const refreshIntegration = (id: string): Promise<void> =>
  refresh((shown) => shown === undefined || shown === id);

/** Refreshes the list after an integration was added or removed. */
export const refreshList = (): Promise<void> => refresh((shown) => shown === undefined);

/** @param isAffected receives the integration of a query; undefined for the list */
const refresh = (isAffected: (id: string | undefined) => boolean): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [, path, init] }) =>
      String(path).startsWith('/integrations') &&
      isAffected((init as { params?: { path?: { id?: string } } } | undefined)?.params?.path?.id),
  });
