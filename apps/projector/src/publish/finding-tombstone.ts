import { tombstone } from '#libs/changes';
import { FINDINGS_TOPIC } from '#libs/contracts';
import type { LogRecord } from '#libs/event-log';

/** On a finding's tombstone: sequence of the change that deleted its asset. */
export const DELETION_HEADER = 'deletion';

/** A deletion of an asset, as in the tombstones of its findings. */
export interface Deletion {
  /** Of the asset's change. */
  sequence: number;
  at: number;
  logOffset: number;
  assetNumber: number;
}

/** Follows the last change of a finding before its asset was deleted; `sequence` is that of the record before it. */
export function findingTombstone(
  id: string,
  deletion: Deletion,
  partition: number,
  sequence: number,
): LogRecord {
  const { headers, ...record } = tombstone({
    uniqueName: `${FINDINGS_TOPIC}/${partition}/${deletion.sequence}/tombstone/${id}`,
    kind: 'finding',
    key: id,
    partition,
    at: deletion.at,
    sequence,
  });
  return { ...record, headers: { ...headers, [DELETION_HEADER]: `${deletion.sequence}` } };
}
