import { type Kysely, type RawBuilder, sql } from 'kysely';
import { instant, isDivided, type Schema } from '#libs/database';

/** From one instant until another, in epoch milliseconds. */
export interface Span {
  from: number;
  to: number;
}

type History = 'asset' | 'finding';

/**
 * SQL of rows (partition, after, until): which sequences of a history are in a span. No index has their times: they rise
 * with the sequence, so that each end is found by halving.
 */
export async function historyRanges(
  db: Kysely<Schema>,
  history: History,
  { from, to }: Span,
): Promise<RawBuilder<unknown>> {
  if (!(await isDivided(db))) {
    return sql`
      select a.partition, a.last as after, b.last as until
      from (${lastUntil(history, from)}) a join (${lastUntil(history, to)}) b using (partition)`;
  }
  const after = await halve(db, history, from);
  const until = await halve(db, history, to);
  const partitions = [...after.keys()].filter((partition) => until.has(partition));
  return sql`
    select * from unnest(
      ${partitions}::int[],
      ${partitions.map((partition) => after.get(partition))}::bigint[],
      ${partitions.map((partition) => until.get(partition))}::bigint[]) as range (partition, after, until)`;
}

const lastUntil = (history: History, at: number) => sql`
  with recursive halving (partition, low, high) as (
    select partition, 0::bigint, ${sql.ref(`${history}_sequence`)} + 1 from projection_positions
    union all
    select s.partition, case when is_until then middle else low end, case when is_until then high else middle end
    from halving s
    cross join lateral (select (s.low + s.high) / 2 as middle) m
    cross join lateral (
      select coalesce((
        select h.at <= ${instant(at)} from ${sql.table(`${history}_history`)} h
        where h.partition = s.partition and h.sequence = middle), true) as is_until) u
    where s.high - s.low > 1
  )
  select partition, low as last from halving where high - low <= 1`;

interface Halving {
  partition: number;
  low: number;
  high: number;
}

/**
 * As `lastUntil`, in a database that is divided over machines, which does not recurse over them: one statement for each
 * halving of all partitions, about 20 for a million changes.
 */
async function halve(db: Kysely<Schema>, history: History, at: number): Promise<Map<number, number>> {
  const { rows } = await sql<Halving>`
    select partition, 0 as low, ${sql.ref(`${history}_sequence`)} + 1 as high from projection_positions`.execute(
    db,
  );
  for (let open = rows; ; ) {
    open = open.filter(({ low, high }) => high - low > 1);
    if (open.length === 0) return new Map(rows.map(({ partition, low }) => [partition, low]));
    const later = await laterChanges(db, history, at, open);
    for (const one of open) {
      const middle = middleOf(one);
      // Changes that are not kept are older.
      if (later.has(one.partition)) one.high = middle;
      else one.low = middle;
    }
  }
}

/** The partitions in which the change in the middle is after an instant. */
async function laterChanges(
  db: Kysely<Schema>,
  history: History,
  at: number,
  open: readonly Halving[],
): Promise<Set<number>> {
  const { rows } = await sql<{ partition: number }>`
    select h.partition
    from unnest(${open.map(({ partition }) => partition)}::int[], ${open.map(middleOf)}::bigint[])
      as m (partition, middle)
    join ${sql.table(`${history}_history`)} h on h.partition = m.partition and h.sequence = m.middle
    where h.at > ${instant(at)}`.execute(db);
  return new Set(rows.map(({ partition }) => partition));
}

const middleOf = ({ low, high }: Halving): number => Math.floor((low + high) / 2);
