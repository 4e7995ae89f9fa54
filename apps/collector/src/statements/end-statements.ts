import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import {
  entityKey,
  isFqdn,
  type Organization,
  type Settings,
  STATEMENTS_MAX,
  statedDevice,
} from '#libs/domain';
import type { PulledSignal } from '#libs/integrations';
import { subjectOfKey } from '#libs/sealing';
import { readOrganization } from '#libs/tables';
import { appendEnds, type End, type Site } from '../append-ends.ts';
import { type KeyedAsset, mayGetFqdn, type NamedAsset, openedAssets, statesOf } from '../opened-assets.ts';
import type { ListedDevices } from './listed-devices.ts';
import { revokedWeaknesses } from './moved-weaknesses.ts';

/** Assets that are read at once at most, and devices that are looked up at once. */
const CHUNK = 500;
/** Rows that are read at once without the state of the asset. */
const ROWS = 5_000;

/** A sync of an integration. */
export interface SyncOfSource {
  syncId: string;
  /** Source name of the integration. */
  source: string;
  settings: Settings;
}

/** What is stored of an asset beside its state: reading the state of every asset would take most of a sync. */
interface StatedRow {
  assetNo: number;
  entityKey: string;
  /** As `statedDevice` writes them. */
  devices: string[];
}

/**
 * Ends the statements about devices that now have the name of another asset, and the weaknesses there unless another
 * device of the source still is that asset (R-SRC-6). Runs before the page is appended, so that an asset that the device
 * describes after all gets its statement back.
 * @param append appends signals of the sync; before the statements end, since only these show which asset is meant.
 * Null: no weakness ends, because assets have only the statement about their first device
 * @throws LogUnavailableError, KeysUnavailableError, SubjectKeyError
 */
export async function endMoved(
  site: Site,
  signals: readonly PulledSignal[],
  { syncId, source, settings }: SyncOfSource,
  append: ((signals: PulledSignal[]) => Promise<void>) | null,
): Promise<void> {
  const names = new Map(
    signals.flatMap(({ deviceId, entity }) => (deviceId ? [[deviceId, entity.name]] : [])),
  );
  const devices = [...names.keys()];
  const isMoved = (one: NamedAsset) => (of: string, deviceId: string) => {
    const name = names.get(deviceId);
    return of === source && name !== undefined && isOfAnother(one, name, settings.assetMatching);
  };
  for (let from = 0; from < devices.length; from += CHUNK) {
    const asked = devices
      .slice(from, from + CHUNK)
      .map((deviceId) => ({ device: statedDevice(source, deviceId), name: names.get(deviceId)! }));
    for await (const rows of assetsOfOtherNames(site.db, asked, settings.assetMatching)) {
      const named = await openedAssets(rows, site.sealer);
      const moved = named.map((one) => ({ one, ends: endedOf(one.stored, isMoved(one)) }));
      if (append !== null) {
        const left = moved.flatMap(({ one, ends }) => (isLeft(one, source, ends) ? [one] : []));
        for await (const revoked of revokedWeaknesses(site, left, source)) await append(revoked);
      }
      await appendEnds(
        site,
        moved.flatMap(({ ends }) => ends),
        settings,
        syncId,
      );
    }
  }
}

/**
 * Devices of the source were the asset, and each is another one now. An asset with as many statements as are kept may be
 * further devices.
 */
function isLeft({ asset: { statements = [] } }: NamedAsset, source: string, ends: readonly End[]): boolean {
  const devices = statements.filter((one) => one.source === source && one.deviceId !== null);
  return ends.length > 0 && devices.length === ends.length && statements.length < STATEMENTS_MAX;
}

/**
 * Assets of devices that another name may now refer to. Looks up each device: `&&` with all of them at once would compare
 * each with those of every asset. Of a device that has kept its name, no state is read, unless FQDNs distinguish assets.
 */
async function* assetsOfOtherNames(
  db: Kysely<Schema>,
  asked: readonly { device: string; name: string }[],
  matching: Settings['assetMatching'],
): AsyncGenerator<KeyedAsset[]> {
  const devices = asked.map(({ device }) => device);
  const keys = asked.map(({ name }) => entityKey('machine', name));
  const isFullName = asked.map(({ name }) => matching === 'fqdn' && isFqdn(name));
  const { rows } = await sql<{ assetNo: number }>`
    select distinct asset_no as "assetNo"
    from unnest(${devices}::text[], ${keys}::text[], ${isFullName}::boolean[]) as asked (device, key, is_full_name)
    join assets on stated_devices <> '{}' and stated_devices @> array[device]
    where entity_key <> key or is_full_name`.execute(db);
  yield* statesOf(
    db,
    rows.map(({ assetNo }) => assetNo),
  );
}

/** The name belongs to another asset than the given one. */
function isOfAnother(named: NamedAsset, name: string, matching: Settings['assetMatching']): boolean {
  if (entityKey('machine', name) !== named.key) return true;
  if (matching === 'name' || mayGetFqdn(named) || !isFqdn(name)) return false;
  const { fqdn, aliases } = named.asset;
  return ![fqdn, ...aliases].some((called) => called?.toLowerCase() === name.toLowerCase());
}

/**
 * Ends the statements about devices that a complete pull did not list under the name of their asset (R-SRC-5). Returns
 * how many.
 * @param signal its reason is thrown between two pages of assets if it is aborted
 * @throws LogUnavailableError, KeysUnavailableError, SubjectKeyError
 */
export async function endUnlistedDevices(
  site: Site,
  listed: ListedDevices,
  { syncId, source, settings }: SyncOfSource,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  // Only the opened name of a sealed machine shows whether it is listed.
  const mayEnd = (key: string, devices: Device[]) =>
    devices.some(([of, deviceId]) => of === source && (isSealed(key) || !listed.has(deviceId, key)));
  for await (const assets of statedAssets(site.db, mayEnd)) {
    signal.throwIfAborted();
    const named = await openedAssets(assets, site.sealer);
    const ended = named.flatMap(({ key, stored }) =>
      endedOf(stored, (of, deviceId) => of === source && !listed.has(deviceId, key)),
    );
    await appendEnds(site, ended, settings, syncId);
    count += ended.length;
  }
  return count;
}

/**
 * Ends the statements of integrations that were removed. Returns how many.
 * @param site as of `endRemoved`
 * @param signal ends it between two pages of assets
 * @throws LogUnavailableError
 */
export async function endStatementsOfRemoved(
  site: Omit<Site, 'sealer'>,
  signal: AbortSignal,
): Promise<number> {
  const before = sourcesOf(await readOrganization(site.db));
  let count = 0;
  const mayEnd = (_: string, devices: Device[]) => devices.some(([source]) => !before.has(source));
  for await (const assets of statedAssets(site.db, mayEnd)) {
    if (signal.aborted) break;
    // Read after the assets: an integration that was added since is folded before its statements.
    const organization = await readOrganization(site.db);
    const { settings } = organization;
    const present = sourcesOf(organization);
    const ended = assets.flatMap((row) => endedOf(row, (source) => !present.has(source)));
    await appendEnds(site, ended, settings, null);
    count += ended.length;
  }
  return count;
}

const sourcesOf = ({ integrations = [] }: Pick<Organization, 'integrations'>): ReadonlySet<string> =>
  new Set(integrations.map(({ source }) => source));

/** The statements of an asset about devices that end. */
const endedOf = (
  { entityKey: key, asset }: KeyedAsset,
  isEnded: (source: string, deviceId: string) => boolean,
): End[] =>
  (asset.statements ?? []).flatMap(({ source, deviceId }) =>
    source !== null && deviceId !== null && isEnded(source, deviceId)
      ? [{ entityKey: key, payload: { type: 'StatementEnded', assetId: asset.id, source, deviceId } }]
      : [],
  );

/** Source and id. */
type Device = [source: string, deviceId: string];

const isSealed = (key: string): boolean => subjectOfKey(key) !== undefined;

/** Assets with statements about devices for which `mayEnd` is true; a list for each page of rows, also an empty one. */
async function* statedAssets(
  db: Kysely<Schema>,
  mayEnd: (entityKey: string, devices: Device[]) => boolean,
): AsyncGenerator<KeyedAsset[]> {
  for (let after = -1; ; ) {
    const { rows } = await sql<StatedRow>`
      select asset_no as "assetNo", entity_key as "entityKey", stated_devices as devices from assets
      where stated_devices <> '{}' and asset_no > ${after}
      order by asset_no limit ${ROWS}`.execute(db);
    const found = rows.filter(({ entityKey: key, devices }) =>
      mayEnd(
        key,
        devices.map((device) => JSON.parse(device) as Device),
      ),
    );
    for (let from = 0; from < Math.max(1, found.length); from += CHUNK) {
      yield* statesOf(
        db,
        found.slice(from, from + CHUNK).map(({ assetNo }) => assetNo),
      );
    }
    if (rows.length < ROWS) return;
    after = rows.at(-1)!.assetNo;
  }
}
