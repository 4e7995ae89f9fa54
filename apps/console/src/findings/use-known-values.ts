import { useKnownAssetValues } from '../assets/use-known-values.ts';
import { useSession } from '../session/session.ts';

/** Filters of findings by a field of their asset, and the names of these fields. */
const OF_ASSETS = { department: 'department', location: 'location', assetType: 'type' } as const;

const isOfAssets = (parameter: string): parameter is keyof typeof OF_ASSETS => parameter in OF_ASSETS;

/**
 * Known values of filters that have no closed set.
 * @param wanted the filter whose values are loaded
 */
export function useKnownFindingValues(wanted: string | undefined): (parameter: string) => readonly string[] {
  const me = useSession()?.username;
  const valuesOf = useKnownAssetValues(wanted && isOfAssets(wanted) ? OF_ASSETS[wanted] : undefined);
  return (parameter) => {
    if (parameter === 'assignee') return me === undefined ? [] : [me];
    return isOfAssets(parameter) ? valuesOf(OF_ASSETS[parameter]) : [];
  };
}
