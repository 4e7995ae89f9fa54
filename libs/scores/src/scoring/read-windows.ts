import { type QueryExecutorProvider, sql, type Transaction } from 'kysely';
import { atOnce, byKeys, instant, type Schema } from '#libs/database';
import { isoTime } from '#libs/domain';

/** The position up to which the history of a partition is scored. */
export interface ScoredPosition {
  assetSequence: number;
  findingSequence: number;
}

/** Why an asset is to be scored. */
export interface TakenWindow {
  /** From which instant (epoch ms) on. */
  since: number;
  /** Sequence of the last change of its findings in the batch; null if there is none. */
  lastChange: number | null;
  /** Since when something of it has ended or aged; null if nothing has. */
  due: number | null;
  /** The asset itself changed, or it waited in `rescorings`: none of its findings may be taken as known. */
  isWhole: boolean;
}

/** Assets to be scored, and the position up to which the history is then scored. */
export interface Windows {
  taken: Map<number, TakenWindow>;
  position: ScoredPosition;
  /** A limit was reached: there may be more of them. */
  hasMore: boolean;
}

/** Limit per batch and source. An import or a replay that needs the partition waits for the batch. */
const CHANGES_MAX = 2_000;
const ASSETS_MAX = 500;

/**
 * The next assets of a partition of which the score may have changed: something of them changed, a finding of theirs
 * ended by `now`, or they wait in `rescorings`, whose rows are taken out.
 * @param view the ends of the histories, as the transaction sees them; scores before `keptFrom` (epoch ms, as `now`)
 *   stay as they were: the findings of that time are not known any more
 */
export async function takeWindows(
  tx: Transaction<Schema>,
  partition: number,
  position: ScoredPosition,
  view: ScoredPosition & { now: number; keptFrom: number },
): Promise<Windows> {
  const [, changed, waiting] = await atOnce(tx, (one) => [
    byKeys(one),
    changedAssets(one, partition, position),
    takeRescorings(one, partition),
  ]);
  const assets = changed.filter(({ isAsset }) => isAsset);
  const findings = changed.filter(({ isAsset }) => !isAsset);
  const taken = new Map<number, TakenWindow>();
  const take = (
    assetNo: number,
    given: Omit<TakenWindow, 'lastChange' | 'due' | 'isWhole'> & Partial<TakenWindow>,
  ) => {
    const { since, lastChange = null, due = null, isWhole = false } = given;
    const known = taken.get(assetNo) ?? { since: Number.POSITIVE_INFINITY, lastChange, due, isWhole };
    taken.set(assetNo, {
      since: Math.min(known.since, Math.max(since, view.keptFrom)),
      lastChange: known.lastChange ?? lastChange,
      due: known.due ?? due,
      isWhole: known.isWhole || isWhole,
    });
  };
  for (const { asset_no, since, last } of findings) take(asset_no, { since, lastChange: last });
  for (const { asset_no, since } of [...assets, ...waiting]) take(asset_no, { since, isWhole: true });
  const due = await dueAssets(tx, partition, taken, view.now);
  for (const { asset_no, since } of due) take(asset_no, { since, due: since });
  const to = {
    assetSequence: lastOf(assets, position.assetSequence),
    findingSequence: lastOf(findings, position.findingSequence),
  };
  const isBefore = to.assetSequence < view.assetSequence || to.findingSequence < view.findingSequence;
  return { taken, position: to, hasMore: isBefore || Math.max(waiting.length, due.length) >= ASSETS_MAX };
}

interface Window {
  asset_no: number;
  since: number;
}

interface ChangedAsset extends Window {
  /** Sequence of the last of the changes. */
  last: number;
  /** The asset itself changed; otherwise findings of it. */
  isAsset: boolean;
}

/** Locked in the order in which they are marked: neither waits for the other for ever. */
async function takeRescorings(tx: QueryExecutorProvider, partition: number): Promise<Window[]> {
  const { rows } = await sql<Window>`
    /* take_rescorings */
    delete from rescorings where partition = ${partition} and asset_no in (
      select asset_no from rescorings where partition = ${partition}
      order by asset_no limit ${ASSETS_MAX} for update)
    returning asset_no, since`.execute(tx);
  return rows;
}

/** By the next changes of both histories. Readers saw expirations before the history contained them. */
async function changedAssets(
  tx: QueryExecutorProvider,
  partition: number,
  { assetSequence, findingSequence }: ScoredPosition,
): Promise<ChangedAsset[]> {
  const { rows } = await sql<ChangedAsset>`
    /* read_changed_assets */
    select asset_no, min(since) as since, max(sequence) as last, is_asset as "isAsset" from (
      (select sequence, asset_no, at as since, true as is_asset from asset_history
       where partition = ${partition} and sequence > ${assetSequence}
       order by sequence limit ${CHANGES_MAX})
      union all
      (select sequence, asset_no, least(at, expired_at), false from finding_history
       where partition = ${partition} and sequence > ${findingSequence}
       order by sequence limit ${CHANGES_MAX})
    ) changes
    group by asset_no, is_asset`.execute(tx);
  return rows;
}

/** The next ones, and of the taken ones all that are due by the instant from which they are scored. */
async function dueAssets(
  tx: Transaction<Schema>,
  partition: number,
  taken: ReadonlyMap<number, TakenWindow>,
  now: number,
): Promise<Window[]> {
  const sinces = [...taken.values()].map(({ since }) => isoTime(since));
  const { rows } = await sql<Window>`
    /* read_due_scores */
    (select asset_no, due_from as since from asset_scores
     where partition = ${partition} and due_at <= ${instant(now)}
     order by due_at limit ${ASSETS_MAX})
    union
    select s.asset_no, s.due_from from unnest(${[...taken.keys()]}::bigint[], ${sinces}::timestamptz[]) t (asset_no, since)
    join asset_scores s on s.partition = ${partition} and s.asset_no = t.asset_no
    where s.due_at <= greatest(${instant(now)}, t.since)`.execute(tx);
  return rows;
}

const lastOf = (changed: { last: number }[], before: number): number =>
  changed.reduce((greatest, { last }) => Math.max(greatest, last), before);
