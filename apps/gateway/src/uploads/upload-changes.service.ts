import { Injectable, NotFoundException } from '@nestjs/common';
import { isoTime, kindsOf, type UploadChanges } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { type RowLimits, seesAllRows } from '#libs/tables';
import { uploadChangesCursorPlace } from '#libs/vault';
import { eachOf } from '../paging/one-or-more.ts';
import { decodeKeys, encodeKeys } from '../paging/page.ts';
import { SealedCursors } from '../paging/sealed-cursors.ts';
import { areKnown, recordedIn } from './recorded-changes.ts';
import { type ChangePlace, type Run, takeRuns, unreadRuns } from './unread-runs.ts';
import type {
  ChangedKind,
  UploadChangeCountDto,
  UploadChangeDto,
  UploadChangesPageDto,
  UploadChangesQuery,
} from './upload-changes.dto.ts';
import {
  type PartitionChanges,
  type UploadChangeRow,
  UploadChangesRepository,
} from './upload-changes.repository.ts';

/** Changes of any upload that one statement reads, and that one request reads. */
const STEP_SPAN_MAX = 10_000;
const REQUEST_SPAN_MAX = 100_000;

const KINDS: readonly ChangedKind[] = ['asset', 'finding'];

/** Rows of a page, and where the next one begins; null at the end. */
interface ReadPage {
  rows: UploadChangeRow[];
  next: ChangePlace | null;
}

@Injectable()
export class UploadChangesService {
  constructor(
    private readonly changes: UploadChangesRepository,
    private readonly cursors: SealedCursors,
  ) {}

  /**
   * For limited callers only changes of assets that were visible after the change; an upload that does not exist has
   * none.
   * @throws NotFoundException, BadRequestException if the cursor does not belong to this list
   */
  async list(
    uploadId: string,
    query: UploadChangesQuery,
    rowLimits: RowLimits,
  ): Promise<UploadChangesPageDto> {
    const isLimited = !seesAllRows(rowLimits);
    const from = this.placeOf(query.cursor, isLimited);
    const partitions = await this.changes.partitionsOf(uploadId);
    if (!isLimited && partitions.length === 0 && !(await this.changes.exists(uploadId))) {
      throw new NotFoundException(`no upload has the id ${uploadId}`);
    }
    const recorded = recordedIn(partitions);
    if (!areKnown(recorded)) {
      return { items: [], nextCursor: null, recorded: false, counts: null, removed: null };
    }
    const runs = unreadRuns(recorded, kindsIn(query), from);
    const { rows, next } = await this.read(uploadId, runs, query, rowLimits);
    return {
      items: rows.map((row) => changeView(row, isLimited)),
      nextCursor: next && this.cursorOf(next, isLimited),
      recorded: true,
      counts: isLimited ? null : countsOf(recorded.map(({ changes }) => changes)),
      removed: await this.removedOf(partitions, isLimited),
    };
  }

  private async read(
    uploadId: string,
    unread: readonly Run[],
    { limit, change, to }: UploadChangesQuery,
    rowLimits: RowLimits,
  ): Promise<ReadPage> {
    const filter = { change: change && eachOf(change), to: to && eachOf(to) };
    const rows: UploadChangeRow[] = [];
    let runs = unread;
    for (let span = 0; runs.length > 0 && rows.length <= limit && span < REQUEST_SPAN_MAX; ) {
      const { taken, left } = takeRuns(runs, STEP_SPAN_MAX);
      rows.push(...(await this.changes.read(uploadId, taken, filter, rowLimits, limit + 1 - rows.length)));
      span += taken.reduce((sum, { first, last }) => sum + last - first + 1, 0);
      runs = left;
    }
    const [further] = rows.splice(limit);
    return { rows, next: further ?? beginningOf(runs[0]) };
  }

  private placeOf(cursor: string | undefined, isLimited: boolean): ChangePlace | null {
    const plain = isLimited ? this.cursors.open(cursor, uploadChangesCursorPlace()) : cursor;
    const keys = decodeKeys(plain, 'number', 'number', 'number');
    if (keys === null) return null;
    const [kind, partition, sequence] = keys;
    return { kind: kind === 0 ? 'asset' : 'finding', partition, sequence };
  }

  private cursorOf({ kind, partition, sequence }: ChangePlace, isLimited: boolean): string {
    const cursor = encodeKeys([KINDS.indexOf(kind), partition, sequence]);
    return isLimited ? this.cursors.seal(cursor, uploadChangesCursorPlace()) : cursor;
  }

  /** For limited callers whether or not the upload is older: that could be one of others. */
  private async removedOf(
    partitions: readonly PartitionChanges[],
    isLimited: boolean,
  ): Promise<UploadChangesPageDto['removed']> {
    const before = await this.changes.keptFrom();
    const isComplete = before === null || (!isLimited && partitions.every((row) => row.receivedAt >= before));
    return isComplete ? null : { before: isoTime(before) };
  }
}

/** Assets have no state. */
const kindsIn = ({ kind, to }: UploadChangesQuery): ChangedKind[] =>
  KINDS.filter((one) => (kind ?? one) === one && (to === undefined || one === 'finding'));

const beginningOf = (run: Run | undefined): ChangePlace | null =>
  run === undefined ? null : { kind: run.kind, partition: run.partition, sequence: run.first };

/** Of all partitions, most first. */
function countsOf(partitions: readonly UploadChanges[]): UploadChangeCountDto[] {
  const counts: Record<string, number> = {};
  for (const one of partitions) {
    for (const [key, count] of Object.entries(one.counts)) counts[key] = (counts[key] ?? 0) + count;
  }
  return kindsOf({ counts }).toSorted((a, b) => b.count - a.count);
}

/** Offsets of the log count the events of all assets. */
const changeView = (
  { partition, sequence: _, logOffset, at, ...row }: UploadChangeRow,
  isLimited: boolean,
): UploadChangeDto => ({
  ...row,
  at: isoTime(at),
  position: isLimited ? null : { topic: INTAKE_TOPIC, partition, offset: logOffset },
});
