import { sql, type Transaction } from 'kysely';
import type { Schema } from '#libs/database';
import { SCORING_MODEL } from '#libs/domain';
import type { GroupChange } from './group-changes.ts';
import type { Window } from './read-timelines.ts';
import { openRow, type ScoreRow, scoredSince } from './score-rows.ts';

/** An asset scored anew. */
export interface ScoredWindow extends Window {
  /** What the history of its scores had from the instant on, with what held then; and what it is to have. */
  before: ScoreRow[];
  after: ScoreRow[];
  /** When it is to be scored again, and from which instant on; null where nothing of it ends. */
  due: { at: number; from: number } | null;
}

/** The history of scores from an instant on, with what held then, by asset number. */
export async function readRows(tx: Transaction<Schema>, windows: Window[]): Promise<Map<number, ScoreRow[]>> {
  const rowsOf = new Map<number, ScoreRow[]>(windows.map(({ assetNo }) => [assetNo, []]));
  const { rows } = await sql<ScoreRow & { assetNo: number }>`
    select h.asset_no as "assetNo", h.valid_from as "validFrom", h.valid_to as "validTo", h.score, h.likelihood,
           h.type, h.attack_surface as "attackSurface", h.department, h.location
    from unnest(
      ${windows.map(({ assetNo }) => assetNo)}::bigint[],
      ${windows.map(({ since }) => new Date(since).toISOString())}::timestamptz[]
    ) t (asset_no, since)
    join score_history h on h.asset_no = t.asset_no and h.valid_to >= t.since
    order by h.asset_no, h.valid_from`.execute(tx);
  for (const { assetNo, ...row } of rows) rowsOf.get(assetNo)!.push(row);
  return rowsOf;
}

/** Replaces the rows of the windows; all of `windows` are of one partition, and changed. */
export async function replaceRows(
  tx: Transaction<Schema>,
  partition: number,
  windows: ScoredWindow[],
): Promise<void> {
  const gone = windows.flatMap(({ assetNo, before }) =>
    before.map(({ validFrom }) => ({ assetNo, validFrom })),
  );
  await sql`
    delete from score_history h using unnest(
      ${gone.map(({ assetNo }) => assetNo)}::bigint[],
      ${gone.map(({ validFrom }) => timestamp(validFrom))}::timestamptz[]
    ) t (asset_no, valid_from)
    where h.asset_no = t.asset_no and h.valid_from = t.valid_from`.execute(tx);
  const rows = windows.flatMap(({ assetNo, after }) => after.map((row) => ({ assetNo, row })));
  await sql`
    insert into score_history (asset_no, partition, valid_from, valid_to, score, likelihood,
                               type, attack_surface, department, location)
    select asset_no, ${partition}, valid_from, valid_to, score, likelihood, type, attack_surface, department, location
    from unnest(
      ${rows.map(({ assetNo }) => assetNo)}::bigint[],
      ${rows.map(({ row }) => timestamp(row.validFrom))}::timestamptz[],
      ${rows.map(({ row }) => timestamp(row.validTo))}::timestamptz[],
      ${rows.map(({ row }) => row.score)}::smallint[],
      ${rows.map(({ row }) => row.likelihood)}::integer[],
      ${rows.map(({ row }) => row.type)}::text[],
      ${rows.map(({ row }) => row.attackSurface)}::text[],
      ${rows.map(({ row }) => row.department)}::text[],
      ${rows.map(({ row }) => row.location)}::text[]
    ) t (asset_no, valid_from, valid_to, score, likelihood, type, attack_surface, department, location)`.execute(
    tx,
  );
}

/** What holds now, of live assets; a deleted one has no row. */
export async function writeCurrent(
  tx: Transaction<Schema>,
  partition: number,
  windows: ScoredWindow[],
): Promise<void> {
  const live = windows.flatMap((window) => {
    const row = openRow(window.after);
    return row ? [{ ...window, row }] : [];
  });
  await sql`
    insert into asset_scores as s (asset_no, partition, score, likelihood, scored_at, due_at, due_from)
    select asset_no, ${partition}, score, likelihood, scored_at, due_at, due_from from unnest(
      ${live.map(({ assetNo }) => assetNo)}::bigint[],
      ${live.map(({ row }) => row.score)}::smallint[],
      ${live.map(({ row }) => row.likelihood)}::integer[],
      ${live.map(({ row }) => timestamp(row.validFrom))}::timestamptz[],
      ${live.map(({ due }) => due && timestamp(due.at))}::timestamptz[],
      ${live.map(({ due }) => due && timestamp(due.from))}::timestamptz[]
    ) t (asset_no, score, likelihood, scored_at, due_at, due_from)
    on conflict (asset_no) do update set
      score = excluded.score, likelihood = excluded.likelihood, scored_at = excluded.scored_at,
      due_at = excluded.due_at, due_from = excluded.due_from
    where (s.score, s.likelihood, s.scored_at, s.due_at, s.due_from) is distinct from
          (excluded.score, excluded.likelihood, excluded.scored_at, excluded.due_at, excluded.due_from)`.execute(
    tx,
  );
  const deleted = windows.filter(({ after }) => !openRow(after)).map(({ assetNo }) => assetNo);
  await sql`delete from asset_scores where asset_no = any(${deleted}::bigint[])`.execute(tx);
}

/**
 * Appends the changes of what holds now to what is published; answers the last sequence.
 * @param now epoch ms: by then an asset has no score that a replay no longer makes
 */
export async function appendChanges(
  tx: Transaction<Schema>,
  partition: number,
  sequence: number,
  windows: ScoredWindow[],
  { catalogue, now }: { catalogue: string; now: number },
): Promise<number> {
  const namesOf = await readNames(
    tx,
    partition,
    windows.map(({ assetNo }) => assetNo),
  );
  const changes = windows.flatMap(({ assetNo, before, after }) => {
    const [was, is] = [openRow(before), openRow(after)];
    if (was?.score === is?.score && was?.likelihood === is?.likelihood) return [];
    if (!was && is?.score === null) return [];
    const names = namesOf.get(assetNo);
    // Nothing was ever told of it.
    if (!names) return [];
    return [{ assetNo, ...names, at: scoredSince(after) ?? after.at(-1)?.validTo ?? now, was, is }];
  });
  await sql`
    insert into score_changes (partition, sequence, asset_no, asset_id, asset_name, at, score, likelihood,
                               previous_score, previous_likelihood, is_gone, model, catalogue)
    select ${partition}, ${sequence}::bigint + index, asset_no, id, name, at, score, likelihood, previous_score,
           previous_likelihood, is_gone, ${SCORING_MODEL}, ${catalogue}
    from unnest(
      ${changes.map(({ assetNo }) => assetNo)}::bigint[],
      ${changes.map(({ id }) => id)}::uuid[],
      ${changes.map(({ name }) => name)}::text[],
      ${changes.map(({ at }) => timestamp(at))}::timestamptz[],
      ${changes.map(({ is }) => is?.score ?? null)}::smallint[],
      ${changes.map(({ is }) => is?.likelihood ?? null)}::integer[],
      ${changes.map(({ was }) => was?.score ?? null)}::smallint[],
      ${changes.map(({ was }) => was?.likelihood ?? null)}::integer[],
      ${changes.map(({ is }) => !is)}::boolean[]
    ) with ordinality t (asset_no, id, name, at, score, likelihood, previous_score, previous_likelihood, is_gone, index)`.execute(
    tx,
  );
  return sequence + changes.length;
}

/** Of an asset that a replay no longer makes as its last change told them; missing where there is none. */
async function readNames(
  tx: Transaction<Schema>,
  partition: number,
  assetNos: number[],
): Promise<Map<number, { id: string; name: string }>> {
  const { rows } = await sql<{ assetNo: number; id: string; name: string }>`
    select t.asset_no as "assetNo", coalesce(a.id, c.asset_id) as id, coalesce(a.name, c.asset_name) as name
    from unnest(${assetNos}::bigint[]) t (asset_no)
    left join assets a using (asset_no)
    left join lateral (
      select asset_id, asset_name from score_changes c
      where a.id is null and c.partition = ${partition} and c.asset_no = t.asset_no
      order by sequence desc limit 1
    ) c on true
    where coalesce(a.id, c.asset_id) is not null`.execute(tx);
  return new Map(rows.map(({ assetNo, ...names }) => [assetNo, names]));
}

/** Rows of a group without any asset are taken out. */
export async function addToSums(
  tx: Transaction<Schema>,
  partition: number,
  changes: GroupChange[],
): Promise<void> {
  await sql`
    insert into score_sums as s (partition, kind, name, assets, scored_assets, fourth_powers, likelihood)
    select ${partition}, t.* from unnest(
      ${changes.map(({ kind }) => kind)}::text[],
      ${changes.map(({ name }) => name)}::text[],
      ${changes.map(({ sum }) => sum.assets)}::bigint[],
      ${changes.map(({ sum }) => sum.scoredAssets)}::bigint[],
      ${changes.map(({ sum }) => `${sum.fourthPowers}`)}::numeric[],
      ${changes.map(({ sum }) => sum.likelihood)}::bigint[]
    ) t
    on conflict (partition, kind, name_key) do update set
      assets = s.assets + excluded.assets, scored_assets = s.scored_assets + excluded.scored_assets,
      fourth_powers = s.fourth_powers + excluded.fourth_powers,
      likelihood = s.likelihood + excluded.likelihood`.execute(tx);
  await sql`delete from score_sums where partition = ${partition} and assets = 0`.execute(tx);
}

const timestamp = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : 'infinity');
