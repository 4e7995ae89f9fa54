import { type Api, client } from '../../api/client.ts';

export type Mapping = Api['OsMappingDto'];
export type Typing = Api['AssetTypingDto'];

/** A row of the edited list; the id does not change when the row moves. */
export type Row = Api['OsMappingRowDto'] & { id: number };

export interface Draft {
  rows: readonly Row[];
  fallback: Typing;
  /** Version of the settings that the draft is based on. */
  version: number;
}

let ids = 0;
export const newId = (): number => ++ids;

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

/** Number of changed rows. Only reordering counts as one change. */
export function changeCount(draft: Draft, stored: Draft): number {
  const text = (row: object) => JSON.stringify(row);
  const [now, before] = [mappingOf(draft), mappingOf(stored)];
  const rows = Math.max(now.mappings.length, before.mappings.length);
  const known = new Set(before.mappings.map(text));
  const kept = new Set(now.mappings.map(text));
  const added = now.mappings.filter((row) => !known.has(text(row))).length;
  const gone = before.mappings.filter((row) => !kept.has(text(row))).length;
  const moved = Array.from({ length: rows }, (_, i) => i).some(
    (i) => text(now.mappings[i] ?? {}) !== text(before.mappings[i] ?? {}),
  );
  const ofRows = Math.max(added, gone);
  return (ofRows === 0 && moved ? 1 : ofRows) + (text(now.default) === text(before.default) ? 0 : 1);
}

/** @param to new index */
export function moved(rows: readonly Row[], id: number, to: number): Row[] {
  const row = rows.find((one) => one.id === id)!;
  return rows.filter((one) => one !== row).toSpliced(to, 0, row);
}

/** Inserts or moves a row. @param at index */
export const placed = (rows: readonly Row[], row: Row, at: number): Row[] =>
  rows.filter(({ id }) => id !== row.id).toSpliced(at, 0, row);
