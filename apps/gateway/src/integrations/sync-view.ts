import type { UploadOutcomeDto } from '../uploads/upload.dto.ts';
import type { SyncDto, SyncErrorDto, SyncStateDto } from './integration.dto.ts';
import type { SyncRow } from './syncs.repository.ts';

/** Spec §States and transitions. */
const STATUS_NAMES = ['Success', 'In Progress', 'Error', 'Partial Success'] as const;

const timeTold = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

export const syncState = ({ stage, percent, status, startedAt, finishedAt }: SyncRow): SyncStateDto => ({
  stage,
  percent,
  status,
  statusName: STATUS_NAMES[status],
  startedAt: timeTold(startedAt),
  finishedAt: timeTold(finishedAt),
});

export const syncView = (row: SyncRow): SyncDto => ({
  syncId: row.id,
  action: row.action,
  startedBy: row.requestedBy,
  requestedAt: new Date(row.requestedAt).toISOString(),
  ...syncState(row),
  full: row.isFull,
  counts: row.counts as object,
  errors: row.errors as SyncErrorDto[],
  retry: row.retry,
  cancelledBy: row.cancelRequestedBy,
  endReason: row.endReason,
  outcome: row.outcome as UploadOutcomeDto | null,
});
