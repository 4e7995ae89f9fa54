import { sql, type Transaction } from 'kysely';
import type { Schema } from '#libs/database';
import { posture2 } from '#libs/domain';
import type { NumberedTimeline } from './read-timelines.ts';

/** The decision on each finding of an asset that has one, by the number of the finding. */
export type AssetDecisions = ReadonlyMap<number, posture2.CveDecision>;

/** An asset whose findings are decided on. */
export interface DecidedAsset {
  assetNo: number;
  decisions: AssetDecisions;
}

/** The decisions on the last known state of an asset and its findings, with ends and catalogues as of `at` (epoch ms). */
export function decisionsOf(
  { asset, findings, findingNos }: NumberedTimeline,
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
  tx: Transaction<Schema>,
  partition: number,
  assets: DecidedAsset[],
): Promise<void> {
  const stored = await readRows(
    tx,
    assets.map(({ assetNo }) => assetNo),
  );
  const rows = assets.flatMap(rowsOf);
  const changed = rows.filter((row) => !isSame(stored.get(keyOf(row)), row));
  const present = new Set(rows.map(keyOf));
  await upsert(tx, partition, changed);
  await remove(
    tx,
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
}

const rowsOf = ({ assetNo, decisions }: DecidedAsset): DecisionRow[] =>
  [...decisions].map(([findingNo, { epss: _, kev, ...decided }]) => ({
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
] as const satisfies (keyof DecisionRow)[];

async function readRows(tx: Transaction<Schema>, assetNos: number[]): Promise<Map<string, DecisionRow>> {
  const { rows } = await sql<DecisionRow>`
    select asset_no as "assetNo", finding_no as "findingNo", decision, exploitation, automatable,
           technical_impact as "technicalImpact", mission, cve, kev_added::text as "kevAdded",
           kev_due::text as "kevDue", kev_ransomware as "kevRansomware"
    from finding_decisions where asset_no = any(${assetNos}::bigint[])`.execute(tx);
  return new Map(rows.map((row) => [keyOf(row), row]));
}

async function upsert(tx: Transaction<Schema>, partition: number, rows: DecisionRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into finding_decisions (partition, asset_no, finding_no, decision, exploitation, automatable,
                                   technical_impact, mission, cve, kev_added, kev_due, kev_ransomware)
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
      ${rows.map(({ kevRansomware }) => kevRansomware)}::boolean[]
    ) t
    on conflict (asset_no, finding_no) do update set
      decision = excluded.decision, exploitation = excluded.exploitation, automatable = excluded.automatable,
      technical_impact = excluded.technical_impact, mission = excluded.mission, cve = excluded.cve,
      kev_added = excluded.kev_added, kev_due = excluded.kev_due, kev_ransomware = excluded.kev_ransomware`.execute(
    tx,
  );
}

async function remove(tx: Transaction<Schema>, rows: DecisionRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    delete from finding_decisions d using unnest(
      ${rows.map(({ assetNo }) => assetNo)}::bigint[], ${rows.map(({ findingNo }) => findingNo)}::integer[]
    ) t (asset_no, finding_no)
    where d.asset_no = t.asset_no and d.finding_no = t.finding_no`.execute(tx);
}
