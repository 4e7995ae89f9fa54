import type { Kysely } from 'kysely';
import type { ChangeEvent } from '#libs/contracts';
import type { Schema } from '#libs/database';
import { readAssetChanges } from './asset-changes.ts';
import type { StreamTopic } from './change-cursor.ts';
import { readFindingChanges } from './finding-changes.ts';
import type { ChangeBounds, HistoryRange } from './history-range.ts';
import { readScoreChanges } from './score-changes.ts';

/**
 * The first changes of a range of a topic, in order; empty only if the range has none.
 * @throws HistoryGapError
 */
export async function readChanges(
  db: Kysely<Schema>,
  topic: StreamTopic,
  range: HistoryRange,
  bounds: ChangeBounds,
): Promise<ChangeEvent[]> {
  switch (topic) {
    case 'assets':
      return (await readAssetChanges(db, range, bounds)).map((changed) => ({ kind: 'asset', changed }));
    case 'findings':
      return (await readFindingChanges(db, range, bounds)).map((changed) => ({ kind: 'finding', changed }));
    case 'scores':
      return (await readScoreChanges(db, range, bounds)).map((changed) => ({ kind: 'score', changed }));
  }
}
