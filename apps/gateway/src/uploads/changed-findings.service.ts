import { BadRequestException, GoneException, Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { READ_DATABASE, type Schema } from '#libs/database';
import { historyTrimmedThrough, type RowLimits, seesAllRows } from '#libs/tables';
import type { ChangedFindings } from './changed-findings.ts';
import { areKnown, recordedIn } from './recorded-changes.ts';
import { type Run, unreadRuns } from './unread-runs.ts';
import { UploadChangesRepository } from './upload-changes.repository.ts';

/** Changes of any upload that a filter by upload reads. */
const SPAN_MAX = 100_000;

/** Finds where the history has the findings that an upload changed. */
@Injectable()
export class ChangedFindingsOfUploads {
  constructor(
    @Inject(READ_DATABASE) private readonly db: Kysely<Schema>,
    private readonly changes: UploadChangesRepository,
  ) {}

  /**
   * For limited callers, an upload that does not exist has changed nothing.
   * @param until epoch ms; null: all changes
   * @throws BadRequestException if there is no such upload, its changes are not recorded, or they are among too many;
   *   GoneException if some may be removed
   */
  async of(uploadId: string, rowLimits: RowLimits, until: number | null): Promise<ChangedFindings> {
    const partitions = await this.changes.partitionsOf(uploadId);
    if (partitions.length === 0 && seesAllRows(rowLimits) && !(await this.changes.exists(uploadId))) {
      throw new BadRequestException(`upload: no upload has the id ${uploadId}`);
    }
    const recorded = recordedIn(partitions);
    if (!areKnown(recorded)) {
      throw new BadRequestException(
        `upload: an earlier version of the service processed the upload ${uploadId} and did not record its changes. ` +
          'posture replay records the changes of all uploads',
      );
    }
    const runs = unreadRuns(recorded, ['finding'], null);
    assertReadable(runs, rowLimits);
    await this.assertKept(runs);
    return { uploadId, runs, until, rowLimits };
  }

  private async assertKept(runs: readonly Run[]): Promise<void> {
    const through = await historyTrimmedThrough(this.db);
    if (runs.every(({ partition, first }) => first > (through.get(partition) ?? 0))) return;
    throw new GoneException(
      'upload: changes of findings by this upload were removed under the retention of the history ' +
        '(historyRetentionDays)',
    );
  }
}

/** Limited callers do not learn how many changes there are: they are those of all assets. */
function assertReadable(runs: readonly Run[], rowLimits: RowLimits): void {
  const span = runs.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  if (span <= SPAN_MAX) return;
  const among = seesAllRows(rowLimits) ? `${span}` : 'too many';
  throw new BadRequestException(
    `upload: the changes of this upload are among ${among} changes of findings, and a filter reads at most ${SPAN_MAX}. ` +
      'GET /api/v3/uploads/{id}/changes lists them in pages',
  );
}
