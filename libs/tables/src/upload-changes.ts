import type { UploadChanges, UploadState } from '#libs/domain';

/** A row of `upload_progress`, as far as it says what the upload changed. */
interface UploadRow {
  seen: number;
  changes: unknown;
}

/** The column: the changes with the last event that they contain. Null if they are unknown. */
export const changesJson = ({ seen, changes }: UploadState): string | null =>
  changes && JSON.stringify({ seen, ...changes });

/** Null if they are unknown: the row was written, or continued, by a version that does not record them. */
export function recordedChanges({ seen, changes }: UploadRow): UploadChanges | null {
  const recorded = changes as (UploadChanges & { seen: number }) | null;
  if (recorded?.seen !== seen) return null;
  const { findings, assets, counts } = recorded;
  return { findings, assets, counts };
}

/** SQL of the text of the changes in a row, by its alias; null if they are unknown. */
export const recordedChangesSql = (row: string): string =>
  `case when (${row}.changes ->> 'seen')::int = ${row}.seen then ${row}.changes::text end`;
