import fc from 'fast-check';
import {
  addRiskSums,
  EMPTY_RISK_SUM,
  fromMillionths,
  HUNDREDTHS,
  type RiskSum,
  riskSumOf,
} from '#libs/domain';
import type { TestDatabase } from '../../../../../test/support/database.ts';
import { DAY_MS, T0 } from '../../../../../test/support/scenario.ts';
import type { GroupKind } from '../score-groups.ts';

type Groups = Record<GroupKind, string>;

interface Risk {
  /** Hundredths. */
  score: number;
  /** Millionths. */
  likelihood: number;
}

/** A row of `score_history`. */
export interface Period extends Groups {
  assetNo: number;
  from: number;
  /** Infinity while it lasts. */
  to: number;
  risk: Risk | null;
}

/** The last instant at which anything changes. */
export const LAST = T0 + 20 * DAY_MS;
/** Assets change together now and then. */
export const GRID_MS = DAY_MS / 4;
const ASSETS_MAX = 12;
const PARTITIONS = 3;

interface Step {
  at: number;
  /** null: the asset is not there. */
  is: (Groups & { risk: Risk | null }) | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  at: fc.integer({ min: 0, max: (LAST - T0) / GRID_MS }).map((quarters) => T0 + quarters * GRID_MS),
  is: fc.option(
    fc.record({
      risk: fc.option(
        fc.record({
          score: fc.oneof(fc.constantFrom(0, 1, 2, 10_000), fc.integer({ min: 0, max: 10_000 })),
          likelihood: fc.integer({ min: 0, max: 1_000_000 }),
        }),
      ),
      type: fc.constantFrom('Server', 'Workstation'),
      attackSurface: fc.constantFrom('Infrastructure', 'Ünïcode, "quoted"'),
      department: fc.constantFrom('IT', 'Sales', 'Legal', 'a', 'B'),
      location: fc.constantFrom('Oslo', 'x'.repeat(700), `${'x'.repeat(700)}y`),
    }),
  ),
});

const periodsOf = (assetNo: number, steps: Step[]): Period[] =>
  [...steps]
    .sort((a, b) => a.at - b.at)
    .flatMap(({ at, is }, i, sorted) =>
      is ? [{ assetNo, from: at, to: sorted[i + 1]?.at ?? Number.POSITIVE_INFINITY, ...is }] : [],
    );

/** Histories of the scores of some assets, with gaps where one was deleted. */
export const scoreHistories: fc.Arbitrary<Period[]> = fc
  .array(fc.uniqueArray(step, { selector: ({ at }) => at, maxLength: 6 }), {
    minLength: 1,
    maxLength: ASSETS_MAX,
  })
  .map((timelines) => timelines.flatMap((steps, i) => periodsOf(i + 1, steps)));

export const holdsAt =
  (at: number) =>
  ({ from, to }: Period): boolean =>
    from <= at && at < to;

/** A plain fold of the sum over assets. */
export const sumOf = (periods: Period[]): RiskSum =>
  periods.map(({ risk }) => riskSumOf(pointsOf(risk))).reduce(addRiskSums, EMPTY_RISK_SUM);

export const pointsOf = (risk: Risk | null) => ({
  score: risk && risk.score / HUNDREDTHS,
  breachLikelihood: risk && fromMillionths(risk.likelihood),
});

/** Groups of a kind, each with its assets. */
export function groupsOf(periods: Period[], kind: GroupKind | 'organization'): Map<string, Period[]> {
  const groups = new Map<string, Period[]>();
  for (const period of periods) {
    const name = kind === 'organization' ? '' : period[kind];
    groups.set(name, [...(groups.get(name) ?? []), period]);
  }
  return groups;
}

export const KINDS = ['type', 'attackSurface', 'department', 'location'] as const;

export const assetIdOf = (assetNo: number): string =>
  `00000000-0000-4000-8000-${String(assetNo).padStart(12, '0')}`;

async function insert(pool: TestDatabase['pool'], table: string, rows: object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join();
  if (columns === '') return;
  await pool.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

const timeOf = (ms: number) => (ms === Number.POSITIVE_INFINITY ? 'infinity' : new Date(ms).toISOString());

/** Fills the tables of a database with a history, as if it had been scored. */
export async function storeScores({ pool }: Pick<TestDatabase, 'pool'>, periods: Period[]): Promise<void> {
  await pool.query('delete from score_history; delete from asset_scores; delete from score_sums');
  const now = periods.filter(({ to }) => to === Number.POSITIVE_INFINITY);
  await insert(
    pool,
    'score_history',
    periods.map(({ assetNo, from, to, risk, type, attackSurface, department, location }) => ({
      asset_no: assetNo,
      partition: assetNo % PARTITIONS,
      valid_from: timeOf(from),
      valid_to: timeOf(to),
      score: risk?.score ?? null,
      likelihood: risk?.likelihood ?? null,
      type,
      attack_surface: attackSurface,
      department,
      location,
    })),
  );
  await insert(
    pool,
    'asset_scores',
    now.map(({ assetNo, from, risk }) => ({
      asset_no: assetNo,
      partition: assetNo % PARTITIONS,
      score: risk?.score ?? null,
      likelihood: risk?.likelihood ?? null,
      scored_at: timeOf(from),
    })),
  );
  await insert(pool, 'score_sums', sumRows(now));
}

const sumRows = (now: Period[]) =>
  Array.from({ length: PARTITIONS }, (_, partition) => {
    const here = now.filter(({ assetNo }) => assetNo % PARTITIONS === partition);
    return (['organization', ...KINDS] as const).flatMap((kind) =>
      [...groupsOf(here, kind)].map(([name, of]) => {
        const { assets, scoredAssets, fourthPowers, likelihood } = sumOf(of);
        const sums = { fourth_powers: String(fourthPowers), likelihood };
        return { partition, kind, name, assets, scored_assets: scoredAssets, ...sums };
      }),
    );
  }).flat();

/** Live assets of all numbers, beside whatever their scores say; each is named by its number. */
export async function storeAssets({ pool }: Pick<TestDatabase, 'pool'>): Promise<void> {
  await pool.query(`
    insert into assets (asset_no, id, partition, entity_key, name, type, attack_surface, department, location,
                        criticality, sources, custom_fields, state)
      select a, ('00000000-0000-4000-8000-' || lpad(a::text, 12, '0'))::uuid, a % ${PARTITIONS}, 'machine:' || a,
             'host' || a, 'Server', 'Infrastructure', 'IT', 'Oslo', criticality, '{}', '{}', json_build_object(
               'id', ('00000000-0000-4000-8000-' || lpad(a::text, 12, '0')), 'entityType', 'machine',
               'name', 'host' || a, 'aliases', '[]'::json, 'ipAddresses', '[]'::json, 'macAddresses', '[]'::json,
               'criticality', criticality, 'tags', '{}'::json, 'customFields', '{}'::json, 'sources', '[]'::json,
               'department', 'IT', 'location', 'Oslo', 'firstSeen', ${T0}, 'updatedAt', ${T0}, 'deletedAt', null,
               'typing', '{"type": "Server", "attackSurface": "Infrastructure", "supports": []}'::json)
        from generate_series(1, ${ASSETS_MAX}) a,
             lateral (select case when a % 3 = 0 then 'critical' end as criticality) c;
    insert into asset_seen (asset_no, last_seen) select asset_no, to_timestamp(${T0 / 1000}) from assets;
    insert into asset_history
      select partition, asset_no, asset_no, to_timestamp(${T0 / 1000}), 'created', '{}', 0, state from assets`);
}
