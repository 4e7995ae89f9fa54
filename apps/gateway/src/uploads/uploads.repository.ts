import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import { type UploadCounts, type UploadHeader, type Warning } from '#libs/domain';

/** The folded part of an upload in one partition. */
export interface UploadProgressRow {
  uploadId: string;
  kind: string;
  by: string | null;
  receivedAt: number;
  seen: number;
  signals: number;
  header: UploadHeader | null;
  counts: UploadCounts;
  merged: { name: string; assetId: string }[];
  unrecognisedTags: string[];
}

/** The receipt of the gateway, which exists before anything is folded. */
export interface UploadReceiptRow {
  uploadId: string;
  kind: string;
  by: string | null;
  receivedAt: number;
  events: number;
  signals: number;
  rejected: number;
  warnings: Warning[];
  source: string | null;
}

export interface UploadRows {
  receipts: UploadReceiptRow[];
  progress: UploadProgressRow[];
}

@Injectable()
export class UploadsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Newest first; `before` is the last upload of the page before. */
  async listIds(before: { receivedAt: number; id: string } | null, limit: number) {
    const bound = before
      ? sql`where (received_at, upload_id) < (${instant(before.receivedAt)}, ${before.id}::uuid)`
      : sql``;
    // A keyed upload that was retried has a row of its first stamp in some partitions: the greatest place counts.
    const { rows } = await sql<{ id: string; received_at: number }>`
      select upload_id as id, max(received_at) as received_at from (
        (select upload_id, received_at from upload_receipts ${bound}
          order by received_at desc, upload_id desc limit ${limit})
        union
        (select distinct upload_id, received_at from upload_progress ${bound}
          order by received_at desc, upload_id desc limit ${limit})
      ) as newest (upload_id, received_at)
      group by upload_id
      order by received_at desc, upload_id desc
      limit ${limit}`.execute(this.db);
    return rows.map((row) => ({ id: row.id, receivedAt: row.received_at }));
  }

  async find(ids: string[]): Promise<UploadRows> {
    const isRequested = sql<boolean>`upload_id = any(${ids}::uuid[])`;
    const [receipts, progress] = await Promise.all([
      this.db.selectFrom('upload_receipts').selectAll().where(isRequested).execute(),
      this.db.selectFrom('upload_progress').selectAll().where(isRequested).execute(),
    ]);
    return {
      receipts: receipts.map((row) => ({
        uploadId: row.upload_id,
        kind: row.kind,
        by: row.by_user,
        receivedAt: row.received_at,
        events: row.events,
        signals: row.signals,
        rejected: row.rejected,
        warnings: row.warnings as Warning[],
        source: row.source,
      })),
      progress: progress.map((row) => ({
        uploadId: row.upload_id,
        kind: row.kind,
        by: row.by_user,
        receivedAt: row.received_at,
        seen: row.seen,
        signals: row.signals,
        header: row.header as UploadHeader | null,
        counts: row.counts as UploadCounts,
        merged: row.merged as UploadProgressRow['merged'],
        unrecognisedTags: row.unrecognised_tags,
      })),
    };
  }
}
