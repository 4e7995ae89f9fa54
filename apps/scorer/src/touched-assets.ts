import { decodeChange } from '#libs/contracts';
import type { StoredRecord } from '#libs/event-log';

/**
 * Ids of the assets of which something changed, each once. A tombstone says nothing new: the change that deleted its
 * asset went before it.
 * @throws UnknownSchemaError, CorruptRecordError
 */
export function touchedAssets(changes: StoredRecord[]): Set<string> {
  const ids = new Set<string>();
  for (const { value } of changes) {
    if (value.length === 0) continue;
    const { kind, changed } = decodeChange(value);
    ids.add(kind === 'asset' ? changed.id : changed.assetId);
  }
  return ids;
}
