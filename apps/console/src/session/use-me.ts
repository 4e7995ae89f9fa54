import { api } from '../api/client.ts';

/** The user, with its limits. They change only with its session. */
export const useMe = () => api.useQuery('get', '/api/v3/me', {}, { staleTime: Number.POSITIVE_INFINITY });
