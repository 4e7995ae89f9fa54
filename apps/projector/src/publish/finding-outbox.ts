import type { Kysely } from 'kysely';
import { readFindingChanges } from '#libs/changes';
import { type ChangeCodec, FINDINGS_TOPIC, type FindingChanged } from '#libs/contracts';
import type { Schema } from '#libs/database';
import type { LogRecord, StoredRecord } from '#libs/event-log';
import {
  changeRecord,
  lastPublished,
  notePublished,
  numberOf,
  type Outbox,
  type OutboxBatch,
  type OutboxPosition,
  PUBLISH_BOUNDS,
} from '#libs/publish';
import type { ChangeCodecs } from '#libs/schema-registry';
import { lastDeletionBefore, readDeletedFindings, readDeletions } from './deletions.ts';
import { DELETION_HEADER, type Deletion, findingTombstone } from './finding-tombstone.ts';
import { foldedSequences } from './folded-sequences.ts';

/**
 * The changes of findings, and where an asset was deleted a tombstone for each finding that it had: after the changes
 * up to the deletion's offset, before those beyond it, since the asset and its findings may return.
 */
export class FindingOutbox implements Outbox {
  readonly topic = FINDINGS_TOPIC;

  private codec!: ChangeCodec;

  constructor(
    private readonly db: Kysely<Schema>,
    private readonly codecs: Pick<ChangeCodecs, 'of'>,
  ) {}

  async ready(): Promise<void> {
    this.codec = await this.codecs.of(this.topic);
  }

  async isInUse(partition: number): Promise<boolean> {
    return (await foldedSequences(this.db, partition)).finding > 0;
  }

  async resume(partition: number, last: StoredRecord | null): Promise<OutboxPosition | null> {
    const sequence = await lastPublished(this.db, this.topic, partition, last);
    if (sequence === 0) return { sequence, deletion: 0 };
    if (last && DELETION_HEADER in last.headers) {
      return { sequence, deletion: numberOf(last, DELETION_HEADER) };
    }
    const deletion = await lastDeletionBefore(this.db, partition, sequence);
    return deletion === null ? null : { sequence, deletion };
  }

  async next(partition: number, position: OutboxPosition): Promise<OutboxBatch | null> {
    const { deletions, knownTo } = await readDeletions(this.db, partition, position.deletion);
    const range = { partition, after: position.sequence };
    const changes = await readFindingChanges(this.db, range, PUBLISH_BOUNDS);
    const steps = inOrder(
      changes.filter(({ change }) => change.position.offset <= knownTo),
      deletions,
    );
    return steps.length === 0 ? null : this.batchOf(partition, position, steps);
  }

  note(partition: number, { sequence }: OutboxPosition): Promise<void> {
    return notePublished(this.db, this.topic, partition, sequence);
  }

  private async batchOf(partition: number, from: OutboxPosition, steps: Step[]): Promise<OutboxBatch> {
    const deletions = steps.flatMap((step) => step.deletion ?? []);
    const ids = await readDeletedFindings(this.db, partition, deletions);
    const position = { ...from };
    const records: LogRecord[] = [];
    for (const { changed, deletion } of steps) {
      if (changed) {
        records.push(changeRecord({ kind: 'finding', changed }, this.codec));
        position.sequence = changed.change.sequence;
      } else {
        for (const id of ids.get(deletion.sequence)!) {
          records.push(findingTombstone(id, deletion, partition, position.sequence));
        }
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
export function inOrder(changes: FindingChanged[], deletions: Deletion[]): Step[] {
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
