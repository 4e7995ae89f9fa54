import { readKeptFindingChanges, tombstoneOf } from '#libs/changes';
import { FINDINGS_TOPIC, type FindingChanged } from '#libs/contracts';
import type { LogRecord, StoredRecord } from '#libs/event-log';
import { ChangeOutbox, numberOf, type OutboxBatch, type OutboxPosition, PUBLISH_BOUNDS } from '#libs/publish';
import { lastDeletionBefore, ofDeletedAssets, readDeletedFindings, readDeletions } from './deletions.ts';
import { DELETION_HEADER, type Deletion, findingTombstone } from './finding-tombstone.ts';
import { foldedSequences } from './folded-sequences.ts';

/**
 * The changes of findings, and for each deleted asset a tombstone for each of its findings: after the changes up to the
 * deletion's offset, before later ones, because the asset and its findings may return. The correction of a clock changes
 * findings of assets that stay deleted: each such change has a tombstone too.
 */
export class FindingOutbox extends ChangeOutbox {
  readonly topic = FINDINGS_TOPIC;
  protected readonly changes = 'findings';

  async isInUse(partition: number): Promise<boolean> {
    return (await foldedSequences(this.db, partition)).finding > 0;
  }

  override async resume(partition: number, last: StoredRecord | null): Promise<OutboxPosition | null> {
    const position = await super.resume(partition, last);
    if (position === null || position.sequence === 0) return position;
    const { sequence } = position;
    if (last && DELETION_HEADER in last.headers) {
      return { sequence, deletion: numberOf(last, DELETION_HEADER) };
    }
    const deletion = await lastDeletionBefore(this.db, partition, sequence);
    return deletion === null ? null : { sequence, deletion };
  }

  override async next(partition: number, position: OutboxPosition): Promise<OutboxBatch | null> {
    const { deletions, knownTo, findingSequence } = await readDeletions(
      this.db,
      partition,
      position.deletion,
    );
    const range = { partition, after: position.sequence };
    const changes = await readKeptFindingChanges(this.db, range, PUBLISH_BOUNDS);
    const steps = inOrder(
      changes.filter(({ change }) => change.position.offset <= knownTo),
      deletions,
    );
    if (steps.length === 0) return null;
    const batch = await this.batchOf(partition, position, steps);
    return { ...batch, hasMore: deletions.length > 0 || batch.position.sequence < findingSequence };
  }

  /** Ends before the tombstones of a deletion that would exceed the bound: they have their own batch. */
  private async batchOf(
    partition: number,
    from: OutboxPosition,
    steps: Step[],
  ): Promise<Omit<OutboxBatch, 'hasMore'>> {
    const position = { ...from };
    const records: LogRecord[] = [];
    const corrected = steps.flatMap(({ changed }) =>
      changed?.change.reason === 'clockCorrected' ? [changed.change.sequence] : [],
    );
    const ended = await ofDeletedAssets(this.db, partition, corrected);
    for (const { changed, deletion } of steps) {
      if (changed) {
        const event = { kind: 'finding' as const, changed };
        records.push(...this.recordsOf(event));
        if (ended.has(changed.change.sequence)) records.push(tombstoneOf(event));
        position.sequence = changed.change.sequence;
      } else {
        const ids = await readDeletedFindings(this.db, partition, deletion);
        if (records.length > 0 && records.length + ids.length > PUBLISH_BOUNDS.changesMax) break;
        for (const id of ids) records.push(findingTombstone(id, deletion, partition, position.sequence));
        position.deletion = deletion.sequence;
      }
    }
    return { records, position };
  }
}

type Step = { changed: FindingChanged; deletion?: never } | { changed?: never; deletion: Deletion };

/**
 * Deletions at or beyond the last change's offset wait until no change is left, for more of that offset may follow;
 * `changes` must reach no further than the deletions are known.
 */
function inOrder(changes: FindingChanged[], deletions: Deletion[]): Step[] {
  const steps: Step[] = [];
  let next = 0;
  for (const changed of changes) {
    const { offset } = changed.change.position;
    for (; next < deletions.length && deletions[next]!.logOffset < offset; next += 1) {
      steps.push({ deletion: deletions[next]! });
    }
    steps.push({ changed });
  }
  return changes.length > 0 ? steps : deletions.map((deletion) => ({ deletion }));
}
