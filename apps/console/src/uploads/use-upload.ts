import { api } from '../api/client.ts';

/** What changes nothing is not told of by the live changes: until it is done it is asked for. */
const ASK_INTERVAL_MS = 1_000;

/** An upload, followed until everything of it is applied. */
export const useUpload = (id: string) =>
  api.useQuery(
    'get',
    '/api/v3/uploads/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state: { data } }) => (data && !data.done ? ASK_INTERVAL_MS : false) },
  );
