import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import { DAY_MS, ERASED_ACTION, type FindingType } from '#libs/domain';

/** How far the history of a type is trimmed, over all partitions. */
export interface TrimmedType {
  type: FindingType;
  keptFrom: number;
  removed: number;
}

export interface SummaryRow {
  month: string;
  change: string;
  state: string;
  severity: string;
  changes: number;
}

/** What a trim would remove. */
export interface Removable {
  changes: number;
  findings: number;
  /** Epoch ms of the oldest of these changes; null if there are none. */
  oldest: number | null;
  /** Whether all old changes were looked at. */
  isComplete: boolean;
}

/** Changes that a preview looks at: about a second. */
const PREVIEWED_MAX = 1_000_000;

/** Superseding changes of one event: the fold removes about as many in one transaction. */
const WINDOW_CHANGES = 2_000;
/**
 * Changes of all types that one event looks at. As many without a superseding one of the type are skipped by an event:
 * otherwise each round would read them again.
 */
const LOOKED_AT_MAX = 50_000;
const SUBJECTS_MAX = 500;

/** The time before which all types are old. @param now epoch ms */
export const longestRetention = (days: ReadonlyMap<FindingType, number>, now: number): number =>
  now - Math.max(...days.values()) * DAY_MS;

@Injectable()
export class HistoryRetentionRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  async trimmed(): Promise<TrimmedType[]> {
    const { rows } = await sql<TrimmedType>`
      select finding_type as type, max(kept_from) as "keptFrom", sum(removed)::bigint as removed
      from history_trims where removed > 0 group by finding_type order by finding_type`.execute(this.db);
    return rows;
  }

  /** Ordered as their keys. */
  async summary(type: FindingType, after: string[] | null, limit: number): Promise<SummaryRow[]> {
    const { rows } = await sql<SummaryRow>`
      select month, change, state, severity, sum(changes)::bigint as changes from history_summaries
      where finding_type = ${type}
        and ${
          after === null
            ? sql`true`
            : sql`(month, change, state, severity) > (${sql.join(after.map((key) => sql`${key}::text`))})`
        }
      group by month, change, state, severity order by month, change, state, severity limit ${limit}`.execute(
      this.db,
    );
    return rows;
  }

  /**
   * What is not trimmed yet, at most: earlier changes that a score depends on stay too. Of more than `PREVIEWED_MAX` old
   * changes, that of as many.
   * @param through partition → the last sequence that can be looked at
   */
  async removable(
    type: FindingType,
    through: readonly number[],
    previewedMax = PREVIEWED_MAX,
  ): Promise<Removable> {
    const { rows } = await sql<Removable>`
      with old as materialized (
        select h.asset_no, h.finding_no, h.at
        from unnest(${through.map((_, partition) => partition)}::int[], ${[...through]}::bigint[])
             as t (partition, through)
        join finding_history h on h.partition = t.partition and h.sequence <= t.through
        limit ${previewedMax}
      )
      select coalesce(sum(changes), 0)::bigint as changes, count(*) as findings, min(oldest) as oldest,
             (select count(*) from old) < ${previewedMax} as "isComplete"
      from (
        select count(*) - 1 as changes, min(old.at) as oldest
        from old join findings f using (asset_no, finding_no)
        where f.type = ${type} group by asset_no, finding_no having count(*) > 1
      ) findings`.execute(this.db);
    return rows[0]!;
  }

  async trimmedThrough(partition: number, type: FindingType): Promise<number> {
    const row = await this.db
      .selectFrom('history_trims')
      .select('through_sequence')
      .where('partition', '=', partition)
      .where('finding_type', '=', type)
      .executeTakeFirst();
    return row?.through_sequence ?? 0;
  }

  /**
   * The ends of the next windows, each with at most `WINDOW_CHANGES` changes that supersede another. For each of
   * `windowsMax` it looks at `LOOKED_AT_MAX` changes: the statement ends in time on a history of any length.
   * @param limit the last sequence that can be looked at
   */
  async windows(partition: number, type: FindingType, limit: number, windowsMax: number): Promise<number[]> {
    const after = await this.trimmedThrough(partition, type);
    if (after >= limit) return [];
    const changesMax = WINDOW_CHANGES * windowsMax;
    const end = Math.min(limit, after + LOOKED_AT_MAX * windowsMax);
    const { rows } = await sql<{ found: number; ends: number[] | null }>`
      select count(*)::int as found, array_agg(sequence order by sequence) filter (
               where place % ${WINDOW_CHANGES} = 0) as ends
      from (
        select h.sequence, row_number() over (order by h.sequence) as place
        from finding_history h join findings f using (partition, asset_no, finding_no)
        where h.partition = ${partition} and h.sequence > ${after} and h.sequence <= ${end}
          and f.type = ${type} and h.change <> 'created'
        order by h.sequence limit ${changesMax}
      ) superseding`.execute(this.db);
    const { found, ends } = rows[0]!;
    const whole = (ends ?? []).map(Number);
    const hasRest = found < changesMax && (found % WINDOW_CHANGES > 0 || end - after >= LOOKED_AT_MAX);
    return withoutLongOnes(after, hasRest && whole.at(-1) !== end ? [...whole, end] : whole);
  }

  async foldedTo(partition: number): Promise<number> {
    const row = await this.db
      .selectFrom('projection_positions')
      .select('next_offset')
      .where('partition', '=', partition)
      .executeTakeFirst();
    return row?.next_offset ?? 0;
  }

  /** Entity keys of some expired subjects. @param now epoch ms */
  async expiredSubjects(days: ReadonlyMap<FindingType, number>, now: number): Promise<string[]> {
    const { rows } = await sql<{ key: string }>`${expired(days, now)} limit ${SUBJECTS_MAX}`.execute(this.db);
    return rows.map(({ key }) => key);
  }

  /** Number of all expired subjects. @param now epoch ms */
  async countExpiredSubjects(days: ReadonlyMap<FindingType, number>, now: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (${expired(days, now)}) expired`.execute(this.db);
    return rows[0]!.count;
  }
}

/**
 * Entity keys of subjects, not erased, whose assets were all deleted before the longest retention, and before those of all
 * types of their findings. Some may have returned with an event that is not folded yet.
 */
function expired(days: ReadonlyMap<FindingType, number>, now: number) {
  const deletedBefore = longestRetention(days, now);
  return sql`
    select distinct a.entity_key as key
    from (select *, split_part(entity_key, '~', 2) as subject from assets
           where entity_key ~ '^(user|machine):~[A-Za-z0-9_-]{22}$') a
    join subject_keys k
      on k.subject = encode(decode(translate(a.subject, '-_', '+/') || '==', 'base64'), 'hex')::uuid
    where a.deleted_at < ${instant(deletedBefore)}
      and k.destroyed_at is null
      and not exists (
        select from assets other where other.entity_key = a.entity_key and other.partition = a.partition
          and (other.deleted_at is null or other.deleted_at >= ${instant(deletedBefore)}))
      and not exists (
        select from assets other join findings f using (partition, asset_no)
        left join unnest(${[...days.keys()]}::text[], ${[...days.values()]}::int[]) as kept (type, days)
               on kept.type = f.type
        where other.entity_key = a.entity_key and other.partition = a.partition
          and (kept.days is null
               or other.deleted_at >= ${instant(now)} - make_interval(secs => kept.days * 86400)))
      and not exists (
        select from acts where action = ${sql.lit(ERASED_ACTION)} and target = a.subject and refused is null)`;
}

/** The ends of windows, and further ones between them if they look at too many changes. */
function withoutLongOnes(after: number, ends: readonly number[]): number[] {
  let last = after;
  return ends.flatMap((end) => {
    const between: number[] = [];
    for (; end - last > LOOKED_AT_MAX; last += LOOKED_AT_MAX) between.push(last + LOOKED_AT_MAX);
    last = end;
    return [...between, end];
  });
}
