import { api } from '../api/client.ts';
import { useSession } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';

/** Filters of findings by a field of their asset, and the counts of assets that have its values. */
const OF_ASSETS = { department: 'department', location: 'location', assetType: 'type' } as const;

const isOfAssets = (parameter: string): parameter is keyof typeof OF_ASSETS => parameter in OF_ASSETS;

/**
 * Known values of filters that have no closed set.
 * @param wanted the filter whose values are loaded
 */
export function useKnownFindingValues(wanted: string | undefined): (parameter: string) => readonly string[] {
  const me = useSession()?.username;
  const { query } = useAsOf();
  const { data } = api.useQuery(
    'get',
    '/api/v3/assets/counts',
    { params: { query } },
    { retry: false, enabled: wanted !== undefined && isOfAssets(wanted) },
  );
  return (parameter) => {
    if (parameter === 'assignee') return me === undefined ? [] : [me];
    return data && isOfAssets(parameter) ? Object.keys(data[OF_ASSETS[parameter]]).sort() : [];
  };
}
