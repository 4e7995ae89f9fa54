import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';

/** Changes of one partition that one statement reads. */
const CHANGES_AT_ONCE = 2_000;

/**
 * Changes that a search reads before it looks: on a quiet system it misses nothing that is folded, on a busy one it is
 * about a second behind.
 */
export const CHANGES_BEFORE_SEARCH = 2_000;

interface UnreadPartition {
  partition: number;
  /** Up to here its changes are read. */
  sequence: number;
  /** Its last change. */
  end: number;
}

/**
 * Reads the searchable texts of the findings that the history names, from the last position; a text that is already
 * stored, because another finding has it, costs a look-up. Two concurrent calls do the same work twice, without other effects.
 * @param changesMax changes to read, about
 * @returns whether it has read everything that was there at the call
 */
export async function readFindingTexts(db: Kysely<Schema>, changesMax: number): Promise<boolean> {
  let left = changesMax;
  for (const { partition, sequence, end } of await unreadPartitions(db)) {
    for (let from = sequence; from < end; ) {
      if (left <= 0) return false;
      const to = await readTexts(db, partition, from);
      left -= to - from;
      from = to;
    }
  }
  return true;
}

/**
 * A replay has replaced the history that was read: the new one is read from its beginning. Materialized: if PostgreSQL is
 * divided over machines, the history has another number on each.
 */
async function unreadPartitions(db: Kysely<Schema>): Promise<UnreadPartition[]> {
  const { rows } = await sql<UnreadPartition>`
    with read as materialized (
      select partition, sequence from finding_texts_read where history_table = 'finding_history'::regclass
    )
    select p.partition, coalesce(r.sequence, 0) as sequence, p.finding_sequence as end
    from projection_positions p
    left join read r on r.partition = p.partition
    where p.finding_sequence > coalesce(r.sequence, 0)
    order by p.partition`.execute(db);
  return rows;
}

/**
 * Texts replaced by later changes are left out, because searches look for the present texts. `offset 0` forces
 * look-ups of findings. Ids in their order: two that write the same texts wait for each other, and not in a circle.
 * @returns the sequence of the last change that was read
 */
async function readTexts(db: Kysely<Schema>, partition: number, sequence: number): Promise<number> {
  const { rows } = await sql<{ sequence: number }>`
    with changes as materialized (
      select h.sequence, f.*
      from (
        select sequence, asset_no, finding_no from finding_history
        where partition = ${partition} and sequence > ${sequence}
        order by sequence limit ${CHANGES_AT_ONCE}
      ) as h
      left join lateral (
        select text_id as id, name, body from findings
        where partition = ${partition} and (asset_no, finding_no) = (h.asset_no, h.finding_no)
        offset 0
      ) as f on true
    ), stored as (
      insert into finding_texts (id, words)
      select id, searched_words(finding_text(name, body))
      from (select distinct on (id) id, name, body from changes where id is not null order by id) as texts
      where not exists (select from finding_texts known where known.id = texts.id)
      on conflict (id) do nothing
    )
    insert into finding_texts_read (partition, sequence, history_table)
    select ${partition}, max(sequence), 'finding_history'::regclass from changes having count(*) > 0
    on conflict (partition) do update set sequence = excluded.sequence, history_table = excluded.history_table
    returning sequence`.execute(db);
  if (!rows[0]) throw new Error(`the history of findings in partition ${partition} ends at ${sequence}`);
  return rows[0].sequence;
}
