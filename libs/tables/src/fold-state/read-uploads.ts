import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema } from '#libs/database';
import type { UploadState } from '#libs/domain';
import { foldedTable } from '../folded-tables.ts';
import { soleAssetsOf } from '../sole-assets.ts';
import { recordedChanges } from '../upload-changes.ts';

const COLUMNS = sql.raw(foldedTable('upload_progress').columns.join(', '));

/** Progress of the given uploads in a partition; those without events there are absent. */
export async function readUploads(
  db: Kysely<Schema>,
  partition: number,
  uploadIds: string[],
): Promise<UploadState[]> {
  const { rows } = await sql<Selectable<Schema['upload_progress']>>`
    /* read_uploads */
    select ${COLUMNS} from upload_progress
    where partition = ${partition} and upload_id = any(${uploadIds}::uuid[])`.execute(db);
  return rows.map((row) => ({
    uploadId: row.upload_id,
    kind: row.kind,
    by: row.by_user,
    stamp: { at: row.received_at, uploadId: row.upload_id },
    seen: row.seen,
    count: row.event_count,
    signals: row.signals,
    header: row.header as UploadState['header'],
    counts: row.counts as UploadState['counts'],
    merged: row.merged as UploadState['merged'],
    soleAssets: soleAssetsOf(row.header as UploadState['header'], row.sole_assets),
    unrecognisedTags: row.unrecognised_tags,
    changes: recordedChanges(row),
  }));
}
