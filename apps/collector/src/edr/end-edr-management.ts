import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from '#libs/database';
import type { Organization, Settings } from '#libs/domain';
import { readOrganization } from '#libs/tables';
import { appendEnds, type End, type Site } from '../append-ends.ts';
import { type KeyedAsset, openedAssets, statesOf } from '../opened-assets.ts';
import type { ListedHosts } from './listed-hosts.ts';

/** Assets that are read at once at most. */
const ASSETS_MAX = 500;

/** A complete sync of an EDR inventory. */
export interface CompleteSync {
  syncId: string;
  /** Source name of the integration. */
  source: string;
  listed: ListedHosts;
  settings: Settings;
  /** @throws its reason between two pages of assets if it is aborted */
  signal: AbortSignal;
}

/**
 * Ends the management of the assets that an EDR inventory no longer lists (R-EDR-8). Assets whose first description is
 * not folded yet are unknown here, and are listed. Returns how many.
 * @throws LogUnavailableError, KeysUnavailableError, SubjectKeyError
 */
export async function endUnlisted(
  site: Site,
  { syncId, source, listed, settings, signal }: CompleteSync,
): Promise<number> {
  let count = 0;
  const isManaged = sql`edr_sources @> array[${source}]::text[]`;
  const mayEnd = (key: string) => settings.assetMatching !== 'name' || !listed.hasKey(key);
  for await (const assets of managedAssets(site.db, isManaged, mayEnd)) {
    signal.throwIfAborted();
    const named = await openedAssets(assets, site.sealer);
    const ended = named
      .filter((one) => !listed.has(one, settings.assetMatching))
      .map(({ stored: { asset, entityKey } }) => endOf(entityKey, asset.id, source));
    await appendEnds(site, ended, settings, syncId);
    count += ended.length;
  }
  return count;
}

/**
 * Ends the management of assets by integrations that were removed (R-EDR-8), also if one of another type has got the
 * name. Returns how many.
 * @param site whose database has the acts up to an end of the log, because these may add the integration
 * @param signal ends it between two pages of assets
 * @throws LogUnavailableError
 */
export async function endRemoved(site: Omit<Site, 'sealer'>, signal: AbortSignal): Promise<number> {
  const isStale = sql<SqlBool>`not edr_sources <@ ${edrSourcesOf(await readOrganization(site.db))}::text[]`;
  let count = 0;
  for await (const assets of managedAssets(site.db, isStale)) {
    if (signal.aborted) break;
    // Read after the assets: an integration that was added since is folded before its hosts.
    const organization = await readOrganization(site.db);
    const { settings } = organization;
    const present = edrSourcesOf(organization);
    const ended = assets.flatMap(({ asset: { id, edrSources = [] }, entityKey }) =>
      edrSources.filter((source) => !present.includes(source)).map((source) => endOf(entityKey, id, source)),
    );
    await appendEnds(site, ended, settings, null);
    count += ended.length;
  }
  return count;
}

const edrSourcesOf = ({ integrations = [] }: Pick<Organization, 'integrations'>): string[] =>
  integrations.filter(({ type }) => type === 'edrplugin').map(({ source }) => source);

const endOf = (entityKey: string, assetId: string, source: string): End => ({
  entityKey,
  payload: { type: 'EdrManagementEnded', assetId, source },
});

/**
 * Assets that are managed, and for whose keys `mayEnd` is true. Reading the state of every asset would take most of a
 * sync.
 */
async function* managedAssets(
  db: Kysely<Schema>,
  condition: ReturnType<typeof sql>,
  mayEnd: (entityKey: string) => boolean = () => true,
): AsyncGenerator<KeyedAsset[]> {
  for (let after = -1; ; ) {
    const { rows } = await sql<{ assetNo: number; entityKey: string }>`
      select asset_no as "assetNo", entity_key as "entityKey" from assets
      where edr_sources <> '{}' and ${condition} and asset_no > ${after}
      order by asset_no limit ${ASSETS_MAX}`.execute(db);
    const found = rows.filter(({ entityKey }) => mayEnd(entityKey));
    yield* statesOf(
      db,
      found.map(({ assetNo }) => assetNo),
    );
    if (rows.length < ASSETS_MAX) return;
    after = rows.at(-1)!.assetNo;
  }
}
