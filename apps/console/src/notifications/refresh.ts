import { queryClient } from '../api/query-client.ts';

/** Bell and list. */
export const refreshNotifications = (): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [, path] }) => String(path).startsWith('/api/v3/notifications'),
  });
