import {
  assetId,
  type Envelope,
  findingId,
  furtherAssetId,
  type IntakePayload,
  type SignalReceived,
} from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import type { Seals } from '#libs/sealing';
import { openedRecord } from './opened-record.ts';

/** Assets of an entity whose ids are followed; a machine with as many domains has no more names. */
const NAMES_MAX = 1_000;

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

/** Replaces ids of findings and assets: a text that is one, or each one in a text, such as a query. */
export type ReplaceIds = (text: string) => string;

export const replaceIds = (text: string, replace: ReplaceIds): string =>
  text.replace(UUID, (id) => replace(id.toLowerCase()));

/** Replaces the ids that a change of the organization names: of findings and assets of any partition. */
export function replaceIdsIn(payload: IntakePayload, replace: ReplaceIds): IntakePayload {
  if (payload.type !== 'PlanSaved') return payload;
  const { findingIds, query } = payload;
  return { ...payload, findingIds: findingIds.map(replace), query: query && replace(query) };
}

/**
 * The new ids of assets and findings of subjects: they follow from the entity key, which changes. Plans and tables name
 * findings of all partitions, so the whole log is read before its first record is sealed.
 */
export class NewIds {
  /** Old id → new one: of all assets of subjects, and of the findings that something names. */
  private readonly ids = new Map<string, string>();
  /** By the old key of a subject: old ids of the assets that its names can mean. */
  private readonly assets = new Map<string, string[]>();

  /** @param named old ids of the findings that events or tables name */
  constructor(
    private readonly seals: Seals,
    private readonly named: ReadonlySet<string>,
  ) {}

  /** Takes the records of a partition in the order of their offsets. */
  readonly take = (record: StoredRecord): void => {
    const event = openedRecord(record);
    if (!event) return;
    const { envelope, payload } = event;
    const key = this.seals.entityKeyOf(envelope.entityKey);
    if (key === envelope.entityKey) return;
    if (payload.type !== 'SignalReceived' && payload.type !== 'AssetDescribed') return;
    const assets = this.assetsOf(payload.entity.name, envelope, key);
    if (payload.type === 'SignalReceived') this.noteFindings(payload, assets);
  };

  /** An asset that no signal has named stays unknown. */
  asset(old: string, oldKey: string, key: string): string {
    if (old === assetId(oldKey)) return assetId(key);
    return this.ids.get(old) ?? assetId(`${key}|${old}`);
  }

  /** A finding that no signal has named stays unknown; its new id, too, cannot be made from the name of the user. */
  finding(old: string, key: string): string {
    return this.ids.get(old) ?? findingId(assetId(key), 'unknown', old);
  }

  /** A text with new ids in place of the old ones; others stay. */
  readonly inText: ReplaceIds = (text) => replaceIds(text, (id) => this.ids.get(id) ?? id);

  /** The first asset of an entity has the id of its key; a further one, which only a machine has, that of its name. */
  private assetsOf(name: string, { entityKey: oldKey, rules }: Envelope, key: string): string[] {
    const assets = this.assets.get(oldKey) ?? [assetId(oldKey)];
    if (assets.length === 1) this.ids.set(assets[0]!, assetId(key));
    this.assets.set(oldKey, assets);
    if (!oldKey.startsWith('machine:') || assets.length > NAMES_MAX) return assets;
    const old = furtherAssetId(oldKey, name, rules);
    if (this.ids.has(old)) return assets;
    this.ids.set(old, furtherAssetId(key, this.seals.textOf(oldKey, name, 'name'), rules));
    assets.push(old);
    return assets;
  }

  /** Which of the assets a signal means is decided by the fold. */
  private noteFindings({ name, observations }: SignalReceived, assets: readonly string[]): void {
    for (const oldAsset of assets) {
      for (const { type } of observations) {
        const old = findingId(oldAsset, type, name);
        if (this.named.has(old)) this.ids.set(old, findingId(this.ids.get(oldAsset)!, type, name));
      }
    }
  }
}
