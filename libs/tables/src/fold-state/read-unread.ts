import { type Kysely, sql } from 'kysely';
import { bareLiteral, type Schema } from '#libs/database';
import { addUnread, type Finding, type NeededFindings, placeRead, type TrackedFinding } from '#libs/domain';
import { entityBytes, type LoadedEntity, UNREAD_FINDING_BYTES } from './loaded-entity.ts';
import { readAssets, type SeenRow, seenOf } from './read-entities.ts';

/**
 * Entities by key as the fold of a partition needs them: of a finding with a digest only its times, see `readNeeded`. One
 * that no row speaks of is new.
 * @param partition of all of them, with valid digests
 */
export async function readUnreadEntities(
  db: Kysely<Schema>,
  keys: string[],
  partition: number,
): Promise<Map<string, LoadedEntity>> {
  const { entities, byNumber } = await readAssets(db, keys, partition);
  if (byNumber.size === 0) return entities;
  const { rows } = await sql<SeenRow>`
    /* read_findings_seen */
    select asset_no, finding_no, signal_id, last_seen, expires_at, retain_until, stamp_at, stamp_upload, instance_stamps,
           seen_at, digest
    from finding_seen
    where asset_no = any(${bareLiteral([...byNumber.keys()])}::bigint[]) and partition = ${partition}
    order by asset_no, finding_no`.execute(db);
  const withoutDigest = new Map<number, NeededFindings>();
  for (const row of rows) {
    const { asset, entity } = byNumber.get(row.asset_no)!;
    const unread = { number: row.finding_no, digest: row.digest, seen: seenOf(row), id: null };
    addUnread(asset, unread);
    asset.findingCounter = unread.number;
    entity.bytes += UNREAD_FINDING_BYTES;
    if (row.digest !== null) continue;
    const needed = withoutDigest.get(row.asset_no) ?? { asset, unread: [], ids: [] };
    withoutDigest.set(row.asset_no, needed);
    needed.unread.push(unread);
  }
  const read = await readNeeded(db, partition, [...withoutDigest.values()]);
  for (const [assetNumber, bytes] of read) byNumber.get(assetNumber)!.entity.bytes += bytes;
  return entities;
}

interface ContentRow {
  asset_no: number;
  finding_no: number;
  body: string;
}

/**
 * Reads the content of findings, and places it among the findings of their assets.
 * @param needed each asset once
 * @returns its bytes in memory by number of the asset
 */
export async function readNeeded(
  db: Kysely<Schema>,
  partition: number,
  needed: readonly NeededFindings[],
): Promise<Map<number, number>> {
  const bytes = new Map<number, number>();
  if (needed.length === 0) return bytes;
  const numbers = needed.flatMap(({ asset: { asset }, unread }) =>
    unread.map(({ number }) => ({ asset: asset.number, number })),
  );
  const ids = needed.flatMap((one) => one.ids);
  const { rows } = await sql<ContentRow>`
    /* read_findings */
    select f.asset_no, f.finding_no, f.body::text as body
    from unnest(${bareLiteral(numbers.map(({ asset }) => asset))}::bigint[],
                ${bareLiteral(numbers.map(({ number }) => number))}::int[]) as n (asset_no, finding_no)
    join findings f on f.asset_no = n.asset_no and f.finding_no = n.finding_no and f.partition = ${partition}
    union all
    select f.asset_no, f.finding_no, f.body::text
    from findings f where f.id = any(${ids}::uuid[]) and f.partition = ${partition}`.execute(db);
  const byAsset = new Map<number, ContentRow[]>();
  for (const row of rows) {
    const ofAsset = byAsset.get(row.asset_no);
    if (ofAsset) ofAsset.push(row);
    else byAsset.set(row.asset_no, [row]);
  }
  for (const one of needed)
    bytes.set(one.asset.asset.number, place(one, byAsset.get(one.asset.asset.number) ?? []));
  return bytes;
}

/** @returns the bytes in memory of what it has placed */
function place({ asset, ids }: NeededFindings, rows: ContentRow[]): number {
  const read = new Map<number, TrackedFinding>();
  let bytes = 0;
  for (const { finding_no, body } of rows) {
    const unread = asset.unread?.byNumber.get(finding_no);
    if (!unread || read.has(finding_no)) continue;
    const { seen, digest } = unread;
    read.set(finding_no, { finding: JSON.parse(body) as Finding, seen, digest });
    bytes += entityBytes(body.length);
  }
  placeRead(asset, [...read.values()]);
  for (const id of ids) if (!asset.findings.has(id)) asset.unread?.absent.add(id);
  return bytes;
}
