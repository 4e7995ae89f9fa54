import { type Api, client } from '../../api/client.ts';
import { changedRows, newId, type OrderedRow } from '../ordered-rows.ts';

export type Mapping = Api['OsMappingDto'];
export type Typing = Api['AssetTypingDto'];

export type Row = Api['OsMappingRowDto'] & OrderedRow;

export interface Draft {
  rows: readonly Row[];
  fallback: Typing;
  /** Version of the settings that the draft is based on. */
  version: number;
}

/**
 * Reads the stored list. The version is read first: after a concurrent change the service then rejects the save instead
 * of overwriting that change.
 */
export async function readMapping(signal: AbortSignal): Promise<Draft> {
  const settings = await client.GET('/api/v3/settings', { signal });
  if (settings.error) throw settings.error;
  const mapping = await client.GET('/settings/os-to-safe-asset-type-mapping', { signal });
  if (mapping.error) throw mapping.error;
  const { mappings, default: fallback } = mapping.data;
  const rows = mappings.map((row) => ({ ...row, id: newId() }));
  return { rows, fallback, version: settings.data.version };
}

export const mappingOf = ({ rows, fallback }: Draft): Mapping => ({
  mappings: rows.map(({ id: _, ...row }) => row),
  default: fallback,
});

/** Number of changed rows, with the default. */
export function changeCount(draft: Draft, stored: Draft): number {
  const [now, before] = [mappingOf(draft), mappingOf(stored)];
  const isDefaultChanged = JSON.stringify(now.default) !== JSON.stringify(before.default);
  return changedRows(now.mappings, before.mappings) + (isDefaultChanged ? 1 : 0);
}
