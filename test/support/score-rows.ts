import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import { assetId } from '#libs/domain';

/** A change of a score, as a test names it. */
export interface ScoreChangeFacts {
  /** 0-based, among the assets of the partition. */
  asset: number;
  /** Hundredths of a point. */
  score: number | null;
  /** Millionths; omitted: follows from the score. */
  likelihood?: number | null;
  /** Epoch ms. */
  at: number;
  isGone?: boolean;
}

interface Known {
  score: number | null;
  likelihood: number | null;
}

/** Asset numbers carry the partition (libs/domain). */
const PARTITIONS_MAX = 1024;
const NONE: Known = { score: null, likelihood: null };

/** Writes the rows of a scorer for a partition, for the publishers of its changes. */
export class ScoreRows {
  private readonly known = new Map<number, Known>();
  private sequence = 0;

  constructor(
    private readonly db: Kysely<Schema>,
    private readonly partition: number,
  ) {}

  /** Makes the partition's first assets, `host0` and so on; answers their ids. */
  async assets(count: number): Promise<string[]> {
    const rows = Array.from({ length: count }, (_, n) => {
      const { key, id, name } = this.assetOf(n);
      return {
        asset_no: this.numberOf(n),
        id,
        partition: this.partition,
        entity_key: key,
        name,
        type: 'Server',
        attack_surface: 'Infrastructure',
        department: 'Unassigned',
        location: 'Unassigned',
        sources: [],
        custom_fields: '{}',
        state: '{}',
      };
    });
    await this.db.insertInto('assets').values(rows).execute();
    return rows.map(({ id }) => id);
  }

  /** Adds changes in one transaction. */
  async change(changes: ScoreChangeFacts[]): Promise<void> {
    const rows = changes.map((change) => this.rowOf(change));
    await this.db.transaction().execute(async (tx) => {
      await tx.insertInto('score_changes').values(rows).execute();
      await tx
        .insertInto('scored_partitions')
        .values({ partition: this.partition, sequence: this.sequence, model: 'posture-1' })
        .onConflict((conflict) => conflict.column('partition').doUpdateSet({ sequence: this.sequence }))
        .execute();
    });
  }

  /** Restores the database to the state in which the partition had `sequence` changes. */
  async restoreTo(sequence: number): Promise<void> {
    this.sequence = sequence;
    await this.db
      .deleteFrom('score_changes')
      .where('partition', '=', this.partition)
      .where('sequence', '>', sequence)
      .execute();
    for (const table of ['scored_partitions', 'published_changes'] as const) {
      await this.db
        .updateTable(table)
        .set({ sequence })
        .where('partition', '=', this.partition)
        .where('sequence', '>', sequence)
        .execute();
    }
  }

  private rowOf({
    asset,
    score,
    likelihood = score === null ? null : score * 100,
    at,
    isGone = false,
  }: ScoreChangeFacts) {
    const before = this.known.get(asset) ?? NONE;
    this.known.set(asset, { score, likelihood });
    this.sequence += 1;
    return {
      partition: this.partition,
      sequence: this.sequence,
      asset_no: this.numberOf(asset),
      asset_id: this.assetOf(asset).id,
      asset_name: this.assetOf(asset).name,
      at: new Date(at).toISOString(),
      score,
      likelihood,
      previous_score: before.score,
      previous_likelihood: before.likelihood,
      is_gone: isGone,
      model: 'posture-1',
      catalogue: 'none',
    };
  }

  private assetOf(asset: number) {
    const name = `host${asset}`;
    const key = `machine:p${this.partition}${name}`;
    return { key, id: assetId(key), name };
  }

  private readonly numberOf = (asset: number) => asset * PARTITIONS_MAX + this.partition;
}
