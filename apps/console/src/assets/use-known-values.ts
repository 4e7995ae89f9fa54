import { api } from '../api/client.ts';
import { CUSTOM_FIELD } from '../parts/query/query-text.ts';
import { useAsOf } from '../time/as-of.ts';
import { useCustomFields } from './use-custom-fields.ts';

const COUNTED = ['type', 'attackSurface', 'department', 'location'] as const;
type Counted = (typeof COUNTED)[number];

const isCounted = (parameter: string | undefined): parameter is Counted =>
  COUNTED.includes(parameter as Counted);

/**
 * Known values of filters that have no closed set.
 * @param wanted the filter whose values are loaded
 */
export function useKnownAssetValues(wanted: string | undefined): (parameter: string) => readonly string[] {
  const { query } = useAsOf();
  const { data } = api.useQuery(
    'get',
    '/api/v3/assets/counts',
    { params: { query } },
    { retry: false, enabled: isCounted(wanted) },
  );
  const fields = useCustomFields();
  return (parameter) => {
    if (data && isCounted(parameter)) return Object.keys(data[parameter]).sort();
    return fields.find(({ name }) => CUSTOM_FIELD + name === parameter)?.options ?? [];
  };
}
