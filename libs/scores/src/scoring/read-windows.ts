import { sql, type Transaction } from 'kysely';
import { instant, type Schema } from '#libs/database';
import { historyKeptFrom } from '#libs/tables';

/** The position up to which the history of a partition is scored. */
export interface ScoredPosition {
  assetSequence: number;
  findingSequence: number;
}

/** Assets to be scored, each from an instant (epoch ms) on, and the position up to which the history is then scored. */
export interface Windows {
  sinceOf: Map<number, number>;
  position: ScoredPosition;
}

/** Limit per batch and source. An import or a replay that needs the partition waits for the batch. */
const CHANGES_MAX = 2_000;
const ASSETS_MAX = 500;

/**
 * The next assets of a partition of which the score may have changed: something of them changed, a finding of theirs
 * ended by `now`, or they wait in `rescorings`, whose rows are taken out.
 */
export async function takeWindows(
  tx: Transaction<Schema>,
  partition: number,
  position: ScoredPosition,
  now: number,
): Promise<Windows> {
  const assets = await changedAssets(
    tx,
    sql`
    select sequence, asset_no, at as since from asset_history
    where partition = ${partition} and sequence > ${position.assetSequence}
    order by sequence limit ${CHANGES_MAX}`,
  );
  // Readers saw expirations before the history contained them.
  const findings = await changedAssets(
    tx,
    sql`
    select sequence, asset_no, least(at, expired_at) as since from finding_history
    where partition = ${partition} and sequence > ${position.findingSequence}
    order by sequence limit ${CHANGES_MAX}`,
  );
  const due = await sql<Window>`
    select asset_no, due_from as since from asset_scores
    where partition = ${partition} and due_at <= ${instant(now)}
    order by due_at limit ${ASSETS_MAX}`.execute(tx);
  // Locked in the order in which they are marked: neither waits for the other for ever.
  const waiting = await sql<Window>`
    delete from rescorings where (partition, asset_no) in (
      select partition, asset_no from rescorings where partition = ${partition}
      order by asset_no limit ${ASSETS_MAX} for update)
    returning asset_no, since`.execute(tx);
  const sinceOf = new Map<number, number>();
  // Scores of before stay as they were: the findings of that time are not known any more.
  const keptFrom = (await historyKeptFrom(tx, { partition })) ?? 0;
  for (const { asset_no, since } of [...assets, ...findings, ...due.rows, ...waiting.rows]) {
    const from = Math.max(since, keptFrom);
    sinceOf.set(asset_no, Math.min(sinceOf.get(asset_no) ?? from, from));
  }
  return {
    sinceOf,
    position: {
      assetSequence: lastOf(assets, position.assetSequence),
      findingSequence: lastOf(findings, position.findingSequence),
    },
  };
}

interface Window {
  asset_no: number;
  since: number;
}

async function changedAssets(tx: Transaction<Schema>, changes: ReturnType<typeof sql>) {
  const { rows } = await sql<Window & { last: number }>`
    select asset_no, min(since) as since, max(sequence) as last from (${changes}) changes
    group by asset_no`.execute(tx);
  return rows;
}

const lastOf = (changed: { last: number }[], before: number): number =>
  changed.reduce((greatest, { last }) => Math.max(greatest, last), before);
