import { severityLevelOf } from '#libs/domain';
import type { TestDatabase } from './database.ts';

/** A total: what is counted, and the number of findings. */
export type Totals = Record<string, number>;

const NONE: Totals = {};

/**
 * What the totals must be: every finding, counted here.
 * @param assetsMax of which assets of each partition: the first
 */
export async function countedTotals(
  { pool }: Pick<TestDatabase, 'pool'>,
  assetsMax = Number.MAX_SAFE_INTEGER,
): Promise<Totals> {
  const { rows } = await pool.query(
    `select f.partition, f.state, f.type, f.severity_value, f.techniques, a.type as asset_type, a.department
     from findings f join assets a using (asset_no) where a.asset_no / 1024 <= $1`,
    [assetsMax],
  );
  const totals = { ...NONE };
  const add = (...group: unknown[]) => {
    const key = JSON.stringify(group);
    totals[key] = (totals[key] ?? 0) + 1;
  };
  for (const { partition, state, type, severity_value, techniques, asset_type, department } of rows) {
    add(partition, state, type, severityLevelOf(severity_value), asset_type, department);
    if (state === 'Retired') continue;
    for (const technique of new Set<string>(techniques)) add(partition, state, type, technique, false);
    for (const family of new Set<string>(techniques.map((id: string) => [...id].slice(0, 5).join('')))) {
      add(partition, state, type, family, true);
    }
  }
  return totals;
}

/** The totals that the fold has moved. */
export async function movedTotals({ pool }: Pick<TestDatabase, 'pool'>): Promise<Totals> {
  const { rows } = await pool.query(
    `select jsonb_build_array(partition, state, type, severity, asset_type, department) as key, findings
     from finding_totals
     union all
     select jsonb_build_array(partition, state, type, technique, is_family), findings from technique_totals`,
  );
  return Object.fromEntries(rows.map(({ key, findings }) => [JSON.stringify(key), findings]));
}
