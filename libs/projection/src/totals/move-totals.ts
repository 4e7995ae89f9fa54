import { type QueryExecutorProvider, sql } from 'kysely';
import { bareLiteral } from '#libs/database';
import { groupKeySql } from '#libs/tables';
import type { FindingGroup, Move, TechniqueGroup, TotalMoves } from './total-moves.ts';

/** Moves the totals of a partition: one statement for each table, and one more if a group has no findings any more. */
export async function moveTotals(
  trx: QueryExecutorProvider,
  partition: number,
  { findings, techniques }: TotalMoves,
): Promise<void> {
  const [noFindings, noTechniques] = await Promise.all([
    findings.length > 0 && moveFindingTotals(trx, partition, findings),
    techniques.length > 0 && moveTechniqueTotals(trx, partition, techniques),
  ]);
  if (noFindings)
    await sql`delete from finding_totals where partition = ${partition} and findings = 0`.execute(trx);
  if (noTechniques)
    await sql`delete from technique_totals where partition = ${partition} and findings = 0`.execute(trx);
}

/** Returns whether a group has no findings any more. */
async function moveFindingTotals(
  trx: QueryExecutorProvider,
  partition: number,
  moves: Move<FindingGroup>[],
): Promise<boolean> {
  const { rows } = await sql<{ isEmpty: boolean }>`
    /* move_finding_totals */
    with moved as (
      insert into finding_totals as t (partition, group_key, state, type, severity, asset_type, department, findings)
      select ${partition}::int, ${sql.raw(groupKeySql('asset_type', 'department'))}, state, type, severity,
             asset_type, department, sum(moved_by)
      from unnest(
        ${bareLiteral(moves.map(({ state }) => state))}::text[],
        ${bareLiteral(moves.map(({ type }) => type))}::text[],
        ${bareLiteral(moves.map(({ severity }) => severity))}::text[],
        ${moves.map(({ assetType }) => assetType)}::text[],
        ${moves.map(({ department }) => department)}::text[],
        ${bareLiteral(moves.map(({ by }) => by))}::bigint[]
      ) as m (state, type, severity, asset_type, department, moved_by)
      group by state, type, severity, asset_type, department
      on conflict (partition, group_key, state, type, severity) do update set findings = t.findings + excluded.findings
      returning findings
    )
    select exists (select from moved where findings = 0) as "isEmpty"`.execute(trx);
  return rows[0]!.isEmpty;
}

async function moveTechniqueTotals(
  trx: QueryExecutorProvider,
  partition: number,
  moves: Move<TechniqueGroup>[],
): Promise<boolean> {
  const { rows } = await sql<{ isEmpty: boolean }>`
    /* move_technique_totals */
    with moved as (
      insert into technique_totals as t (partition, technique_key, is_family, state, type, technique, findings)
      select ${partition}::int, md5(technique)::uuid, is_family, state, type, technique, sum(moved_by)
      from unnest(
        ${moves.map(({ technique }) => technique)}::text[],
        ${bareLiteral(moves.map(({ isFamily }) => isFamily))}::boolean[],
        ${bareLiteral(moves.map(({ state }) => state))}::text[],
        ${bareLiteral(moves.map(({ type }) => type))}::text[],
        ${bareLiteral(moves.map(({ by }) => by))}::bigint[]
      ) as m (technique, is_family, state, type, moved_by)
      group by technique, is_family, state, type
      on conflict (partition, technique_key, is_family, state, type) do update set findings = t.findings + excluded.findings
      returning findings
    )
    select exists (select from moved where findings = 0) as "isEmpty"`.execute(trx);
  return rows[0]!.isEmpty;
}
