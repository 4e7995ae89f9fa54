import { type Api, api } from '../api/client.ts';

/** Maximum of the service. */
const FIELDS_MAX = 500;

/** All custom fields; empty until they are loaded. */
export function useCustomFields(): readonly Api['CustomFieldDto'][] {
  const { data } = api.useQuery('get', '/api/v3/custom-fields', { params: { query: { limit: FIELDS_MAX } } });
  return data?.items ?? [];
}
