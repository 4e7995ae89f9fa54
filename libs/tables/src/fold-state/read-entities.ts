import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema } from '#libs/database';
import {
  type Asset,
  type AssetState,
  dueAt,
  type Finding,
  type FindingSeen,
  initialEntity,
  ORGANIZATION_KEY,
  type Organization,
  type Stamp,
  type TrackedFinding,
} from '#libs/domain';
import { entityBytes, type LoadedEntity } from './loaded-entity.ts';

/** Entities of any partitions by key, with all that the fold needs of them; one that no row speaks of is new. */
export async function readEntities(db: Kysely<Schema>, keys: string[]): Promise<Map<string, LoadedEntity>> {
  const { entities, byNumber } = await readAssets(db, keys);
  if (byNumber.size > 0) await loadFindings(db, byNumber);
  return entities;
}

/** A row of `finding_seen` as the fold reads it. */
export type SeenRow = Omit<Selectable<Schema['finding_seen']>, 'partition'>;

/** Assets with the entity of each, by number. */
export type LoadedAssets = Map<number, { asset: AssetState; entity: LoadedEntity }>;

/**
 * Entities by key with everything but their findings.
 * @param partition of all of them; omitted: of several ones
 */
export async function readAssets(
  db: Kysely<Schema>,
  keys: string[],
  partition?: number,
): Promise<{ entities: Map<string, LoadedEntity>; byNumber: LoadedAssets }> {
  const entities = new Map(
    keys.map((key) => [key, { state: initialEntity(key), bytes: entityBytes(0) } satisfies LoadedEntity]),
  );
  const assets = await db
    .selectFrom('assets')
    .innerJoin('asset_seen', (join) =>
      join
        .onRef('asset_seen.asset_no', '=', 'assets.asset_no')
        .onRef('asset_seen.partition', '=', 'assets.partition'),
    )
    .select(['assets.asset_no', 'entity_key', 'last_seen', sql<string>`state::text`.as('state')])
    .where(sql<boolean>`entity_key = any(${keys})`)
    .$if(partition !== undefined, (query) => query.where('assets.partition', '=', partition!))
    .orderBy('assets.asset_no')
    .execute();
  const byNumber: LoadedAssets = new Map();
  for (const row of assets) {
    const entity = entities.get(row.entity_key)!;
    const asset = assetState(JSON.parse(row.state) as Asset, row.last_seen);
    entity.state.assets.push(asset);
    entity.bytes += entityBytes(row.state.length);
    byNumber.set(row.asset_no, { asset, entity });
  }
  const organization = entities.get(ORGANIZATION_KEY);
  if (organization) await loadOrganization(db, organization);
  return { entities, byNumber };
}

async function loadOrganization(db: Kysely<Schema>, entity: LoadedEntity): Promise<void> {
  const row = await db
    .selectFrom('organization')
    .select(sql<string>`state::text`.as('state'))
    .where('entity_key', '=', ORGANIZATION_KEY)
    .executeTakeFirst();
  if (!row) return;
  entity.state.organization = JSON.parse(row.state) as Organization;
  entity.bytes += entityBytes(row.state.length);
}

const assetState = (asset: Asset, lastSeen: number): AssetState => ({
  asset,
  lastSeen,
  findings: new Map(),
  unread: undefined,
  unchanging: undefined,
  findingCounter: 0,
  nothingDueBefore: Number.POSITIVE_INFINITY,
});

async function loadFindings(db: Kysely<Schema>, assets: LoadedAssets): Promise<void> {
  const rows = await db
    .selectFrom('findings as f')
    .innerJoin('finding_seen as s', (join) =>
      join
        .onRef('s.asset_no', '=', 'f.asset_no')
        .onRef('s.finding_no', '=', 'f.finding_no')
        .onRef('s.partition', '=', 'f.partition'),
    )
    .select([
      'f.asset_no',
      's.seen_at',
      's.signal_id',
      's.last_seen',
      's.expires_at',
      's.retain_until',
      's.stamp_at',
      's.stamp_upload',
      's.instance_stamps',
      sql<string>`f.body::text`.as('body'),
    ])
    .where(sql<boolean>`f.asset_no = any(${[...assets.keys()]}::bigint[])`)
    .orderBy('f.asset_no')
    .orderBy('f.finding_no')
    .execute();
  for (const row of rows) {
    const { asset, entity } = assets.get(row.asset_no)!;
    const finding = JSON.parse(row.body) as Finding;
    const tracked: TrackedFinding = {
      finding,
      seen: seenOf(row),
    };
    asset.findings.set(finding.id, tracked);
    asset.findingCounter = Math.max(asset.findingCounter, finding.number);
    asset.nothingDueBefore = Math.min(asset.nothingDueBefore, dueAt(tracked));
    entity.bytes += entityBytes(row.body.length);
  }
}

/** The fields of a row of `finding_seen`. */
export const seenOf = (row: Omit<SeenRow, 'asset_no' | 'finding_no' | 'digest'>): FindingSeen => ({
  // Rows of before the column: the receipt of the upload is the nearest that is known.
  seenAt: row.seen_at ?? row.stamp_at,
  signalId: row.signal_id,
  lastSeen: row.last_seen,
  expiresAt: row.expires_at,
  retainUntil: row.retain_until,
  stamp: { at: row.stamp_at, uploadId: row.stamp_upload },
  instanceStamps: row.instance_stamps as Record<string, Stamp> | null,
});
