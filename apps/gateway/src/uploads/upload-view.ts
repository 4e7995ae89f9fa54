import { addCounts, isoTime, listedOf, noCounts } from '#libs/domain';
import type { UploadDto } from './upload.dto.ts';
import type { UploadProgressRow, UploadReceiptRow } from './uploads.repository.ts';

/** Sums the folded parts of all partitions; the log takes precedence, the receipt is shown until it is folded. */
export function uploadView(receipt: UploadReceiptRow | undefined, progress: UploadProgressRow[]): UploadDto {
  const head = receipt ?? progress[0]!;
  const header = progress.find((row) => row.header)?.header;
  const signals = header?.signals ?? receipt?.signals ?? 0;
  const events = header?.events ?? receipt?.events;
  return {
    id: head.uploadId,
    kind: head.kind,
    receivedAt: isoTime(head.receivedAt),
    by: head.by,
    source: receipt?.source ?? null,
    accepted: signals,
    rejected: header?.rejected ?? receipt?.rejected ?? 0,
    folded: sum(progress.map((row) => row.signals)),
    done: sum(progress.map((row) => row.seen)) === events,
    outcome: progress.map((row) => row.counts).reduce(addCounts, noCounts()),
    ...listedOf(progress),
    warnings: header?.warnings ?? receipt?.warnings ?? [],
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
