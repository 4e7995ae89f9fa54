import type { UploadDto, UploadOutcomeDto } from './upload.dto.ts';
import type { UploadProgressRow, UploadReceiptRow } from './uploads.repository.ts';

/** Sums what the partitions have folded; the log's own word counts, the receipt stands in until it is folded. */
export function uploadView(receipt: UploadReceiptRow | undefined, progress: UploadProgressRow[]): UploadDto {
  const told = receipt ?? progress[0]!;
  const header = progress.find((row) => row.header)?.header;
  const signals = header?.signals ?? receipt?.signals ?? 0;
  const events = header?.events ?? receipt?.events;
  return {
    id: told.uploadId,
    kind: told.kind,
    receivedAt: new Date(told.receivedAt).toISOString(),
    by: told.by,
    accepted: signals,
    rejected: header?.rejected ?? receipt?.rejected ?? 0,
    folded: sum(progress.map((row) => row.signals)),
    done: sum(progress.map((row) => row.seen)) === events,
    outcome: outcomeOf(progress),
    merged: progress.flatMap((row) => row.merged),
    unrecognisedTags: [...new Set(progress.flatMap((row) => row.unrecognisedTags))].sort(),
    warnings: header?.warnings ?? receipt?.warnings ?? [],
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);

function outcomeOf(progress: UploadProgressRow[]): UploadOutcomeDto {
  const outcome: UploadOutcomeDto = {
    created: 0,
    updated: 0,
    unchanged: 0,
    retired: 0,
    assetsCreated: 0,
    assetsUpdated: 0,
    ignored: {},
  };
  for (const { counts } of progress) {
    for (const name of [
      'created',
      'updated',
      'unchanged',
      'retired',
      'assetsCreated',
      'assetsUpdated',
    ] as const) {
      outcome[name] += counts[name];
    }
    for (const [reason, n] of Object.entries(counts.ignored)) {
      outcome.ignored[reason] = (outcome.ignored[reason] ?? 0) + n;
    }
  }
  return outcome;
}
