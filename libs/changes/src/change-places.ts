import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { type AssetPlace, placeAt } from '#libs/tables';
import type { StreamTopic } from './change-cursor.ts';

/** A part of a partition's history. */
export interface PlacesRange {
  partition: number;
  /** Sequence of the last change before. */
  after: number;
  /** Sequence of the last change. */
  through: number;
}

/** Where the asset of a change was and is, which decides who may see what of the change. */
export interface ChangePlaces {
  /** After the change, with the name of then except of scores; null if a replay no longer makes the asset. */
  now: (AssetPlace & { name?: string }) | null;
  /** Before the change; null if there was no asset. */
  before: AssetPlace | null;
  /** At the time of reading. */
  present: AssetPlace | null;
  /** Epoch ms: since when the asset has had the score in its place; null except of scores. */
  since: number | null;
}

/** The places of the changes of a range of a topic, by their sequences. */
export async function readChangePlaces(
  db: Kysely<Schema>,
  topic: StreamTopic,
  { partition, after, through }: PlacesRange,
): Promise<Map<number, ChangePlaces>> {
  const { table, now, before, since = sql`null` } = HISTORIES[topic];
  const { rows } = await sql<PlaceRow>`
    select c.sequence, ${now} as now, ${before} as before, ${placeWhere(sql`true`)} as present, ${since} as since
    from ${sql.table(table)} c
    where c.partition = ${partition} and c.sequence > ${after} and c.sequence <= ${through}`.execute(db);
  return new Map(rows.map(({ sequence, ...places }) => [sequence, places]));
}

interface PlaceRow extends ChangePlaces {
  sequence: number;
}

/** Of the last state of the asset for which the condition is true. */
const placeWhere = (condition: RawBuilder<unknown>) => sql`
  (select json_build_object('department', ${placeAt('department')}, 'location', ${placeAt('location')},
                            'name', h.state -> 'name')
   from asset_history h
   where h.asset_no = c.asset_no and h.partition = c.partition and ${condition}
   order by h.sequence desc limit 1)`;

/** Of a score as the scorer has stored it; scorers of versions before 0068 did not, so it is the place at its time. */
const scoredPlace = (key: 'now' | 'before', condition: RawBuilder<unknown>) => sql`
  case when c.places is null then ${placeWhere(condition)} else c.places -> ${sql.lit(key)} end`;

/**
 * The table of each topic, and the places of its change `c`. A finding belongs to the asset as the same event has left it,
 * a score to the asset that was scored: an import of a catalogue changes scores as of an earlier time.
 */
const HISTORIES: Record<
  StreamTopic,
  { table: string; now: RawBuilder<unknown>; before: RawBuilder<unknown>; since?: RawBuilder<unknown> }
> = {
  assets: {
    table: 'asset_history',
    now: placeWhere(sql`h.sequence <= c.sequence`),
    before: placeWhere(sql`h.sequence < c.sequence`),
  },
  findings: {
    table: 'finding_history',
    now: placeWhere(sql`h.log_offset <= c.log_offset`),
    before: placeWhere(sql`h.log_offset < c.log_offset`),
  },
  scores: {
    table: 'score_changes',
    now: scoredPlace('now', sql`h.at <= c.at`),
    before: scoredPlace('before', sql`h.at < c.at`),
    since: sql`(c.places -> 'since')::text::bigint`,
  },
};
