import { sql, type Transaction } from 'kysely';
import { instant, type Schema } from '#libs/database';
import { SCORING_MODEL } from '#libs/domain';

/**
 * Marks the assets that `catalogue_delta` touches to be scored again from an instant on: those of which a finding names
 * one of its CVEs, now or, where the finding has changed since the instant, at any time.
 */
export async function markRescorings(trx: Transaction<Schema>, since: number): Promise<void> {
  await holdScorers(trx);
  await findChangedFindings(trx, since);
  // What is behind `offset 0` is looked up finding by finding, never by a scan of the history.
  await sql`
    with named as (
      select asset_no, cve from findings, unnest(cves) as cve
      union all
      select c.asset_no, cve #>> '{}'
      from changed_findings c, lateral (
        select h.body from finding_history h
        where h.asset_no = c.asset_no and h.finding_no = c.finding_no and h.partition = c.partition offset 0
      ) h, jsonb_path_query(h.body::jsonb, '$.instances[*].cves[*]') as cve
    )
    insert into rescorings (partition, asset_no, since)
    select partition, asset_no, ${instant(since)} from assets
    where asset_no in (select asset_no from named join catalogue_delta using (cve))
    order by partition, asset_no
    on conflict (partition, asset_no) do update set since = least(rescorings.since, excluded.since)`.execute(
    trx,
  );
}

/**
 * Waits for the scorers at work, and lets those that begin wait, or begin again, until the rows are in force. One that
 * scored a new finding by the rows before, while the finding is not to be seen here yet, would leave a score that nobody
 * corrects.
 */
async function holdScorers(trx: Transaction<Schema>): Promise<void> {
  await sql`
    insert into scored_partitions (partition, model)
    select partition, ${SCORING_MODEL} from projection_positions order by partition
    on conflict (partition) do update set model = scored_partitions.model`.execute(trx);
}

/** Mostly few: those that were folded while the import came into force. */
async function findChangedFindings(trx: Transaction<Schema>, since: number): Promise<void> {
  await sql`
    create temporary table changed_findings (
      partition integer not null, asset_no bigint not null, finding_no integer not null
    ) on commit drop`.execute(trx);
  const partitions = await trx.selectFrom('projection_positions').select('partition').execute();
  for (const { partition } of partitions) {
    await sql`
      insert into changed_findings
      select distinct partition, asset_no, finding_no from finding_history
      where partition = ${partition} and sequence > ${await lastSequenceBefore(trx, partition, since)}::bigint`.execute(
      trx,
    );
  }
  await sql`analyze changed_findings`.execute(trx);
}

/** A partition's changes are in the order of their times, so that its index tells. */
async function lastSequenceBefore(trx: Transaction<Schema>, partition: number, at: number): Promise<number> {
  const last = await trx
    .selectFrom('finding_history')
    .select('sequence')
    .where('partition', '=', partition)
    .where('at', '<', instant(at))
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.sequence ?? 0;
}
