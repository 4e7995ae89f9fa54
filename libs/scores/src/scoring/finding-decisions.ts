import { type QueryExecutorProvider, type RawBuilder, type SqlBool, sql } from 'kysely';
import { posture2 } from '#libs/domain';
import type { NumberedTimeline } from './read-timelines.ts';

/** The decision on each finding of an asset that has one, by the number of the finding. */
export type AssetDecisions = ReadonlyMap<number, posture2.FindingDecision>;

/** An asset whose findings are decided on. */
export interface DecidedAsset {
  assetNo: number;
  decisions: AssetDecisions;
  /** Numbers of the findings that were decided on; all if omitted. */
  decidedOn?: readonly number[];
}

/** The decisions on the last known state of an asset and its findings, with ends and catalogues as of `at` (epoch ms). */
export function decisionsOf(
  { asset, findings, findingNos }: Pick<NumberedTimeline, 'asset' | 'findings' | 'findingNos'>,
  catalogue: posture2.ThreatCatalogue,
  at: number,
): AssetDecisions {
  const last = asset.at(-1)?.value;
  if (!last) return new Map();
  return new Map(
    findings.flatMap((segments, place) => {
      const finding = segments.at(-1)?.value;
      const decision = finding && posture2.findingDecision(finding, last, catalogue, at);
      return decision ? [[findingNos[place]!, decision] as const] : [];
    }),
  );
}

/** Writes what differs from the stored decisions; all of `assets` belong to one partition. */
export async function writeDecisions(
  tx: QueryExecutorProvider,
  partition: number,
  assets: DecidedAsset[],
): Promise<void> {
  const stored = await readRows(tx, partition, assets);
  const rows = assets.flatMap(rowsOf);
  const changed = rows.filter((row) => !isSame(stored.get(keyOf(row)), row));
  const present = new Set(rows.map(keyOf));
  await upsert(tx, partition, changed);
  await remove(
    tx,
    partition,
    [...stored.values()].filter((row) => !present.has(keyOf(row))),
  );
}

interface DecisionRow {
  assetNo: number;
  findingNo: number;
  decision: string;
  exploitation: string;
  automatable: boolean;
  technicalImpact: string;
  mission: string;
  cve: string;
  kevAdded: string | null;
  kevDue: string | null;
  kevRansomware: boolean | null;
  epss: number | null;
}

const rowsOf = ({ assetNo, decisions }: DecidedAsset): DecisionRow[] =>
  [...decisions].map(([findingNo, { kev, ...decided }]) => ({
    assetNo,
    findingNo,
    ...decided,
    kevAdded: kev?.dateAdded ?? null,
    kevDue: kev?.dueDate ?? null,
    kevRansomware: kev && (kev.isUsedByRansomware ?? false),
  }));

const keyOf = ({ assetNo, findingNo }: DecisionRow): string => `${assetNo} ${findingNo}`;

const isSame = (stored: DecisionRow | undefined, row: DecisionRow): boolean =>
  stored !== undefined && COLUMNS.every((column) => stored[column] === row[column]);

const COLUMNS = [
  'decision',
  'exploitation',
  'automatable',
  'technicalImpact',
  'mission',
  'cve',
  'kevAdded',
  'kevDue',
  'kevRansomware',
  'epss',
] as const satisfies (keyof DecisionRow)[];

async function readRows(
  tx: QueryExecutorProvider,
  partition: number,
  assets: DecidedAsset[],
): Promise<Map<string, DecisionRow>> {
  const whole = assets.filter(({ decidedOn }) => !decidedOn).map(({ assetNo }) => assetNo);
  const isWhole = sql<SqlBool>`asset_no = any(${whole}::bigint[])`;
  const rows = await rowsWhere('read_decisions_of_assets', tx, partition, isWhole);
  for (const { assetNo, decidedOn } of assets) {
    if (!decidedOn) continue;
    const isDecidedOn = sql<SqlBool>`asset_no = ${assetNo}::bigint and finding_no = any(${decidedOn}::integer[])`;
    rows.push(...(await rowsWhere('read_decisions_of_findings', tx, partition, isDecidedOn)));
  }
  return new Map(rows.map((row) => [keyOf(row), row]));
}

async function rowsWhere(
  name: string,
  tx: QueryExecutorProvider,
  partition: number,
  condition: RawBuilder<SqlBool>,
): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    /* ${sql.raw(name)} */
    select asset_no as "assetNo", finding_no as "findingNo", decision, exploitation, automatable,
           technical_impact as "technicalImpact", mission, cve, kev_added::text as "kevAdded",
           kev_due::text as "kevDue", kev_ransomware as "kevRansomware", epss
    from finding_decisions where partition = ${partition} and ${condition}`.execute(tx);
  return rows;
}

async function upsert(tx: QueryExecutorProvider, partition: number, rows: DecisionRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    /* write_finding_decisions */
    insert into finding_decisions (partition, asset_no, finding_no, decision, exploitation, automatable,
                                   technical_impact, mission, cve, kev_added, kev_due, kev_ransomware, epss)
    select ${partition}, t.* from unnest(
      ${rows.map(({ assetNo }) => assetNo)}::bigint[],
      ${rows.map(({ findingNo }) => findingNo)}::integer[],
      ${rows.map(({ decision }) => decision)}::text[],
      ${rows.map(({ exploitation }) => exploitation)}::text[],
      ${rows.map(({ automatable }) => automatable)}::boolean[],
      ${rows.map(({ technicalImpact }) => technicalImpact)}::text[],
      ${rows.map(({ mission }) => mission)}::text[],
      ${rows.map(({ cve }) => cve)}::text[],
      ${rows.map(({ kevAdded }) => kevAdded)}::date[],
      ${rows.map(({ kevDue }) => kevDue)}::date[],
      ${rows.map(({ kevRansomware }) => kevRansomware)}::boolean[],
      ${rows.map(({ epss }) => epss)}::double precision[]
    ) t
    on conflict on constraint finding_decisions_pkey do update set
      decision = excluded.decision, exploitation = excluded.exploitation, automatable = excluded.automatable,
      technical_impact = excluded.technical_impact, mission = excluded.mission, cve = excluded.cve,
      kev_added = excluded.kev_added, kev_due = excluded.kev_due, kev_ransomware = excluded.kev_ransomware,
      epss = excluded.epss`.execute(tx);
}

async function remove(tx: QueryExecutorProvider, partition: number, rows: DecisionRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    /* delete_finding_decisions */
    delete from finding_decisions d using unnest(
      ${rows.map(({ assetNo }) => assetNo)}::bigint[], ${rows.map(({ findingNo }) => findingNo)}::integer[]
    ) t (asset_no, finding_no)
    where d.partition = ${partition} and d.asset_no = t.asset_no and d.finding_no = t.finding_no`.execute(tx);
}
