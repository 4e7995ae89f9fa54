import { api } from '../api/client.ts';

/** Poll interval. The change stream does not report uploads that change nothing. */
const POLL_MS = 1_000;

/** An upload, polled until it is completely processed. */
export const useUpload = (id: string) =>
  api.useQuery(
    'get',
    '/api/v3/uploads/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state: { data } }) => (data && !data.done ? POLL_MS : false) },
  );
