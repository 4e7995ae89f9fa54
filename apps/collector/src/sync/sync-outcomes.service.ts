import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { addCounts, noCounts, type UploadCounts } from '#libs/domain';
import { syncUploadId } from '#libs/uploads';

/** Processed at once; later ones follow. */
const SYNCS_MAX = 20;
const UPLOADS_MAX = 100;

interface Uncounted {
  id: string;
  uploads: number;
  counted: number;
  outcome: unknown;
}

/** Sums the outcomes of a sync's uploads: later than the sync, because the fold follows the log. */
@Injectable()
export class SyncOutcomes {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * Adds the outcomes that were folded since the last call. An upload counts once it and all earlier ones are folded.
   */
  async count(): Promise<void> {
    const uncounted = await this.db
      .selectFrom('syncs')
      .select(['id', 'uploads', 'counted', 'outcome'])
      .whereRef('counted', '<', 'uploads')
      .orderBy('requested_at', 'desc')
      .limit(SYNCS_MAX)
      .execute();
    for (const sync of uncounted) await this.countOf(sync);
  }

  private async countOf({ id, uploads, counted, outcome }: Uncounted): Promise<void> {
    const next = Math.min(uploads, counted + UPLOADS_MAX);
    const ids = Array.from({ length: next - counted }, (_, i) => syncUploadId(id, counted + i + 1));
    const folded = await this.folded(ids);
    let sum = (outcome as UploadCounts | null) ?? noCounts();
    let reached = counted;
    for (const upload of ids) {
      const counts = folded.get(upload);
      if (counts === undefined) break;
      sum = addCounts(sum, counts);
      reached += 1;
    }
    if (reached === counted) return;
    await this.db
      .updateTable('syncs')
      .set({ outcome: JSON.stringify(sum), counted: reached })
      .where('id', '=', id)
      .where('counted', '=', counted)
      .execute();
  }

  /** Of completely folded uploads; each partition has a row for its part. */
  private async folded(ids: readonly string[]): Promise<ReadonlyMap<string, UploadCounts>> {
    const { rows } = await sql<{ id: string; counts: UploadCounts[] }>`
      select upload_id as id, json_agg(counts) as counts
        from upload_progress where upload_id = any(${ids}::uuid[])
       group by upload_id
      having sum(seen) = max((header ->> 'events')::int)`.execute(this.db);
    return new Map(rows.map(({ id, counts }) => [id, counts.reduce(addCounts, noCounts())]));
  }
}
