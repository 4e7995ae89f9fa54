import { isoTime, isoTimeOrNull } from '#libs/domain';
import type { UploadOutcomeDto } from '../uploads/upload.dto.ts';
import type { SyncDto, SyncErrorDto, SyncStateDto } from './integration.dto.ts';
import type { SyncRow } from './syncs.repository.ts';

/** Stages and status codes of R-INT-3. */
const STATUS_NAMES = ['Success', 'In Progress', 'Error', 'Partial Success'] as const;

export const syncState = ({
  stage,
  percent,
  status,
  startedAt,
  finishedAt,
  endReason,
}: SyncRow): SyncStateDto => ({
  stage,
  percent,
  status,
  statusName: STATUS_NAMES[status],
  startedAt: isoTimeOrNull(startedAt),
  finishedAt: isoTimeOrNull(finishedAt),
  endReason,
});

export const syncView = (row: SyncRow): SyncDto => ({
  syncId: row.id,
  action: row.action,
  startedBy: row.requestedBy,
  requestedAt: isoTime(row.requestedAt),
  ...syncState(row),
  full: row.isFull,
  counts: row.counts as object,
  errors: row.errors as SyncErrorDto[],
  retry: row.retry,
  cancelledBy: row.cancelRequestedBy,
  outcome: outcomeOf(row),
});

/** A sum after the end of the sync is that of all: a partial one would look final. */
const outcomeOf = ({ finishedAt, uploads, counted, outcome }: SyncRow): UploadOutcomeDto | null =>
  finishedAt === null || counted === uploads ? (outcome as UploadOutcomeDto | null) : null;
