import { api } from '../api/client.ts';

/** The user, with its limits, and what the SLA asks of its acts. */
export const useMe = () => api.useQuery('get', '/api/v3/me', {});
