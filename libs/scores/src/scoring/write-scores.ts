import { type QueryExecutorProvider, sql } from 'kysely';
import { catalogueName } from '#libs/catalogue-store';
import { unnested } from '#libs/database';
import { isoTime } from '#libs/domain';
import { columnsOf, RISK_COLUMNS, type RiskColumns, riskOfColumns } from '../sums/risk-columns.ts';
import type { DecidedAsset } from './finding-decisions.ts';
import type { GroupChange } from './group-changes.ts';
import type { Window } from './read-timelines.ts';
import { isPublishedSame, openRow, type ScoreRow, scoredSince } from './score-rows.ts';

/** An asset scored again. */
export interface ScoredWindow extends Window, DecidedAsset {
  /** The score history from the instant on, including the row that was valid then; and the new history. */
  before: ScoreRow[];
  after: ScoreRow[];
  /** When to score it again, and from which instant on; null if nothing of it ends. */
  due: { at: number; from: number } | null;
}

/** The history of scores from an instant on, including the row that was valid then, by asset number. */
export async function readRows(
  tx: QueryExecutorProvider,
  partition: number,
  windows: Window[],
): Promise<Map<number, ScoreRow[]>> {
  const rowsOf = new Map<number, ScoreRow[]>(windows.map(({ assetNo }) => [assetNo, []]));
  const { rows } = await sql<Omit<ScoreRow, 'risk'> & RiskColumns & { assetNo: number }>`
    /* read_score_rows */
    select h.asset_no as "assetNo", h.valid_from as "validFrom", h.valid_to as "validTo", ${RISK_COLUMNS}, h.type,
           h.attack_surface as "attackSurface", h.department, h.location
    from unnest(
      ${windows.map(({ assetNo }) => assetNo)}::bigint[],
      ${windows.map(({ since }) => isoTime(since))}::timestamptz[]
    ) t (asset_no, since)
    cross join lateral (
      (select * from score_history
        where partition = ${partition} and asset_no = t.asset_no and valid_from < t.since
        order by valid_from desc limit 1)
      union all
      (select * from score_history
        where partition = ${partition} and asset_no = t.asset_no and valid_from >= t.since)
    ) h
    where h.valid_to >= t.since
    order by h.asset_no, h.valid_from`.execute(tx);
  for (const { assetNo, ...row } of rows) {
    const { validFrom, validTo, type, attackSurface, department, location } = row;
    const risk = riskOfColumns(row);
    rowsOf.get(assetNo)!.push({ validFrom, validTo, risk, type, attackSurface, department, location });
  }
  return rowsOf;
}

/** Replaces the rows of the windows; all of `windows` belong to one partition, and have changed. */
export async function replaceRows(
  tx: QueryExecutorProvider,
  partition: number,
  windows: ScoredWindow[],
): Promise<void> {
  if (windows.length === 0) return;
  await Promise.all([deleteRows(tx, partition, windows), insertRows(tx, partition, windows)]);
}

async function deleteRows(
  tx: QueryExecutorProvider,
  partition: number,
  windows: ScoredWindow[],
): Promise<void> {
  const gone = windows.flatMap(({ assetNo, before }) =>
    before.map(({ validFrom }) => ({ assetNo, validFrom })),
  );
  await sql`
    /* delete_score_rows */
    delete from score_history h using unnest(
      ${gone.map(({ assetNo }) => assetNo)}::bigint[],
      ${gone.map(({ validFrom }) => timestamp(validFrom))}::timestamptz[]
    ) t (asset_no, valid_from)
    where h.partition = ${partition} and h.asset_no = t.asset_no and h.valid_from = t.valid_from`.execute(tx);
}

async function insertRows(
  tx: QueryExecutorProvider,
  partition: number,
  windows: ScoredWindow[],
): Promise<void> {
  const rows = windows.flatMap(({ assetNo, after }) =>
    after.map((row) => ({ assetNo, row, risk: columnsOf(row.risk) })),
  );
  await sql`
    /* insert_score_rows */
    insert into score_history (asset_no, partition, valid_from, valid_to, type, attack_surface, department, location,
                               model, score, likelihood, likelihood_low, likelihood_best, likelihood_high, forecast,
                               evidence_low, evidence_best, evidence_high, weighted)
    select asset_no, ${partition}, valid_from, valid_to, type, attack_surface, department, location, model, score,
           likelihood, low, best, high, forecast, evidence_low, evidence_best, evidence_high, weighted
    from ${unnested({
      asset_no: [rows.map(({ assetNo }) => assetNo), 'bigint'],
      valid_from: [rows.map(({ row }) => timestamp(row.validFrom)), 'timestamptz'],
      valid_to: [rows.map(({ row }) => timestamp(row.validTo)), 'timestamptz'],
      type: [rows.map(({ row }) => row.type), 'text'],
      attack_surface: [rows.map(({ row }) => row.attackSurface), 'text'],
      department: [rows.map(({ row }) => row.department), 'text'],
      location: [rows.map(({ row }) => row.location), 'text'],
      model: [rows.map(({ risk }) => risk.model), 'text'],
      score: [rows.map(({ risk }) => risk.score), 'smallint'],
      likelihood: [rows.map(({ risk }) => risk.likelihood), 'integer'],
      low: [rows.map(({ risk }) => risk.likelihoodLow), 'integer'],
      best: [rows.map(({ risk }) => risk.likelihoodBest), 'integer'],
      high: [rows.map(({ risk }) => risk.likelihoodHigh), 'integer'],
      forecast: [rows.map(({ risk }) => risk.forecast), 'numeric'],
      evidence_low: [rows.map(({ risk }) => risk.evidenceLow), 'numeric'],
      evidence_best: [rows.map(({ risk }) => risk.evidenceBest), 'numeric'],
      evidence_high: [rows.map(({ risk }) => risk.evidenceHigh), 'numeric'],
      weighted: [rows.map(({ risk }) => risk.weighted), 'numeric'],
    })}`.execute(tx);
}

/** The current scores of live assets; a deleted one has no row. */
export async function writeCurrent(
  tx: QueryExecutorProvider,
  partition: number,
  windows: ScoredWindow[],
): Promise<void> {
  const live = windows.flatMap((window) => {
    const row = openRow(window.after);
    return row ? [{ ...window, row, risk: columnsOf(row.risk) }] : [];
  });
  await sql`
    /* write_asset_scores */
    insert into asset_scores as s (asset_no, partition, model, score, likelihood, likelihood_low, likelihood_best,
                                   likelihood_high, scored_at, due_at, due_from)
    select asset_no, ${partition}, model, score, likelihood, low, best, high, scored_at, due_at, due_from from ${unnested(
      {
        asset_no: [live.map(({ assetNo }) => assetNo), 'bigint'],
        model: [live.map(({ risk }) => risk.model), 'text'],
        score: [live.map(({ risk }) => risk.score), 'smallint'],
        likelihood: [live.map(({ risk }) => risk.likelihood), 'integer'],
        low: [live.map(({ risk }) => risk.likelihoodLow), 'integer'],
        best: [live.map(({ risk }) => risk.likelihoodBest), 'integer'],
        high: [live.map(({ risk }) => risk.likelihoodHigh), 'integer'],
        scored_at: [live.map(({ row }) => timestamp(row.validFrom)), 'timestamptz'],
        due_at: [live.map(({ due }) => due && timestamp(due.at)), 'timestamptz'],
        due_from: [live.map(({ due }) => due && timestamp(due.from)), 'timestamptz'],
      },
    )}
    on conflict on constraint asset_scores_pkey do update set
      model = excluded.model, score = excluded.score, likelihood = excluded.likelihood,
      likelihood_low = excluded.likelihood_low, likelihood_best = excluded.likelihood_best,
      likelihood_high = excluded.likelihood_high, scored_at = excluded.scored_at,
      due_at = excluded.due_at, due_from = excluded.due_from
    where (s.model, s.score, s.likelihood, s.likelihood_low, s.likelihood_best, s.likelihood_high, s.scored_at,
           s.due_at, s.due_from) is distinct from
          (excluded.model, excluded.score, excluded.likelihood, excluded.likelihood_low, excluded.likelihood_best,
           excluded.likelihood_high, excluded.scored_at, excluded.due_at, excluded.due_from)`.execute(tx);
  const deleted = windows.filter(({ after }) => !openRow(after)).map(({ assetNo }) => assetNo);
  if (deleted.length === 0) return;
  await sql`
    /* delete_asset_scores */
    delete from asset_scores where partition = ${partition} and asset_no = any(${deleted}::bigint[])`.execute(
    tx,
  );
}

/**
 * Appends the changes of current scores to the outbox; returns the last sequence.
 * @param now epoch ms: by that time no asset has a score that a replay would not compute
 */
export async function appendChanges(
  tx: QueryExecutorProvider,
  partition: number,
  sequence: number,
  windows: ScoredWindow[],
  now: number,
): Promise<number> {
  if (windows.length === 0) return sequence;
  const assetNos = windows.map(({ assetNo }) => assetNo);
  const [namesOf, catalogue] = await Promise.all([
    readNames(tx, partition, assetNos),
    catalogueName(tx, now),
  ]);
  const changes = windows.flatMap(({ assetNo, before, after }) => {
    const [was, is] = [openRow(before), openRow(after)];
    if (was && is ? isPublishedSame(was.risk, is.risk) : was === is) return [];
    if (!was && is?.risk.score === null) return [];
    const names = namesOf.get(assetNo);
    // No change of it was ever published.
    if (!names) return [];
    const at = scoredSince(after) ?? after.at(-1)?.validTo ?? now;
    const told = { was: was ? columnsOf(was.risk) : null, is: is ? columnsOf(is.risk) : null };
    const places = {
      now: placeOf(is ?? was!),
      before: was ? placeOf(was) : null,
      since: is?.validFrom ?? at,
    };
    return [{ assetNo, ...names, at, ...told, places: JSON.stringify(places) }];
  });
  if (changes.length === 0) return sequence;
  await sql`
    /* append_score_changes */
    insert into score_changes (partition, sequence, asset_no, asset_id, asset_name, at, score, likelihood,
                               likelihood_best, previous_score, previous_likelihood, previous_likelihood_best, is_gone,
                               model, catalogue, places)
    select ${partition}, ${sequence}::bigint + index, asset_no, id, name, at, score, likelihood, likelihood_best,
           previous_score, previous_likelihood, previous_likelihood_best, is_gone, model, ${catalogue},
           places::json
    from unnest(
      ${changes.map(({ assetNo }) => assetNo)}::bigint[],
      ${changes.map(({ id }) => id)}::uuid[],
      ${changes.map(({ name }) => name)}::text[],
      ${changes.map(({ at }) => timestamp(at))}::timestamptz[],
      ${changes.map(({ is }) => is?.score ?? null)}::smallint[],
      ${changes.map(({ is }) => is?.likelihood ?? null)}::integer[],
      ${changes.map(({ is }) => is?.likelihoodBest ?? null)}::integer[],
      ${changes.map(({ was }) => was?.score ?? null)}::smallint[],
      ${changes.map(({ was }) => was?.likelihood ?? null)}::integer[],
      ${changes.map(({ was }) => was?.likelihoodBest ?? null)}::integer[],
      ${changes.map(({ is }) => !is)}::boolean[],
      ${changes.map(({ is, was }) => (is ?? was)!.model)}::text[],
      ${changes.map(({ places }) => places)}::text[]
    ) with ordinality t (asset_no, id, name, at, score, likelihood, likelihood_best, previous_score,
                         previous_likelihood, previous_likelihood_best, is_gone, model, places, index)`.execute(
    tx,
  );
  return sequence + changes.length;
}

const placeOf = ({ department, location }: ScoreRow) => ({ department, location });

/** Of an asset that a replay no longer creates, as in its last change; missing if there is none. */
async function readNames(
  tx: QueryExecutorProvider,
  partition: number,
  assetNos: number[],
): Promise<Map<number, { id: string; name: string }>> {
  const { rows } = await sql<{ assetNo: number; id: string; name: string }>`
    /* read_scored_names */
    select t.asset_no as "assetNo", coalesce(a.id, c.asset_id) as id, coalesce(a.name, c.asset_name) as name
    from unnest(${assetNos}::bigint[]) t (asset_no)
    left join assets a on a.partition = ${partition} and a.asset_no = t.asset_no
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
  tx: QueryExecutorProvider,
  partition: number,
  changes: GroupChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    /* add_to_score_sums */
    insert into score_sums as s (partition, kind, name, assets, scored_assets, fourth_powers, likelihood,
                                 compromised_low, compromised_best, compromised_high,
                                 forecast, evidence_low, evidence_best, evidence_high)
    select ${partition}, t.* from unnest(
      ${changes.map(({ kind }) => kind)}::text[],
      ${changes.map(({ name }) => name)}::text[],
      ${changes.map(({ sum }) => sum.assets)}::bigint[],
      ${changes.map(({ sum }) => sum.scoredAssets)}::bigint[],
      ${changes.map(({ sum }) => `${sum.fourthPowers}`)}::numeric[],
      ${changes.map(({ sum }) => sum.likelihood)}::bigint[],
      ${changes.map(({ sum }) => sum.compromised.low)}::bigint[],
      ${changes.map(({ sum }) => sum.compromised.best)}::bigint[],
      ${changes.map(({ sum }) => sum.compromised.high)}::bigint[],
      ${changes.map(({ sum }) => `${sum.hazards.forecast}`)}::numeric[],
      ${changes.map(({ sum }) => `${sum.hazards.evidence.low}`)}::numeric[],
      ${changes.map(({ sum }) => `${sum.hazards.evidence.best}`)}::numeric[],
      ${changes.map(({ sum }) => `${sum.hazards.evidence.high}`)}::numeric[]
    ) t
    on conflict (partition, kind, name_key) do update set
      assets = s.assets + excluded.assets, scored_assets = s.scored_assets + excluded.scored_assets,
      fourth_powers = s.fourth_powers + excluded.fourth_powers, likelihood = s.likelihood + excluded.likelihood,
      compromised_low = s.compromised_low + excluded.compromised_low,
      compromised_best = s.compromised_best + excluded.compromised_best,
      compromised_high = s.compromised_high + excluded.compromised_high,
      forecast = s.forecast + excluded.forecast, evidence_low = s.evidence_low + excluded.evidence_low,
      evidence_best = s.evidence_best + excluded.evidence_best,
      evidence_high = s.evidence_high + excluded.evidence_high`.execute(tx);
  if (changes.every(({ sum }) => sum.assets >= 0)) return;
  await sql`
    /* delete_score_sums */
    delete from score_sums where partition = ${partition} and assets = 0`.execute(tx);
}

const timestamp = (ms: number): string => (Number.isFinite(ms) ? isoTime(ms) : 'infinity');
