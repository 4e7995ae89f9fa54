import { type Api, client } from '../../api/client.ts';

export type Mapping = Api['OsMappingDto'];
export type Typing = Api['AssetTypingDto'];

/** A row of the list as it is edited; the id holds while it is moved about. */
export type Row = Api['OsMappingRowDto'] & { id: number };

export interface Draft {
  rows: readonly Row[];
  fallback: Typing;
  /** Of the settings that it is made from. */
  version: number;
}

let ids = 0;
export const newId = (): number => ++ids;

/**
 * The list as it stands. The version is read first: a change in between then costs a refusal, and never somebody else's
 * change.
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

/** How many rows differ, those counted once that merely stand elsewhere. */
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

/** @param to where it is to stand, from 0 */
export function moved(rows: readonly Row[], id: number, to: number): Row[] {
  const row = rows.find((one) => one.id === id)!;
  return rows.filter((one) => one !== row).toSpliced(to, 0, row);
}

/** Puts a row, known or new, at its place, from 0. */
export const placed = (rows: readonly Row[], row: Row, at: number): Row[] =>
  rows.filter(({ id }) => id !== row.id).toSpliced(at, 0, row);
