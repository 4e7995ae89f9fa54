import type { LogEnd } from '#libs/backup';
import { encodeIntake } from '#libs/contracts';
import {
  assetId,
  closedEventId,
  type Envelope,
  findingId,
  furtherAssetId,
  type IntakeEvent,
  type IntakePayload,
  type LogOpened,
} from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { type SealKeys, Seals } from '#libs/sealing';
import {
  type ReplaceMended,
  replaceInMendedAsset,
  replaceInMendedFinding,
  replaceInMendedSeen,
} from './mended-texts.ts';
import { withoutNames } from './old-subjects.ts';
import { openedRecord } from './opened-record.ts';

/** Assets of an entity whose ids are followed; a machine with as many domains has no more names. */
const NAMES_MAX = 1_000;

/** Stands for a record that does not decode: its bytes may contain anything. It stays a corrupt record. */
const CORRUPT = Buffer.from('corrupt record of the log before it was sealed');

/** The records of one partition of a sealed log, from those of the old one in the order of their offsets. */
export class RecordSealer {
  private readonly seals: Seals;
  /** Old id → new one, of the findings of subjects that events name. */
  private readonly findingIds = new Map<string, string>();
  /** By the old key of a subject: old id → new one, of the assets that its names can mean. */
  private readonly assetIds = new Map<string, Map<string, string>>();

  /** @param named ids of the findings that events name */
  constructor(
    keys: SealKeys,
    private readonly named: ReadonlySet<string>,
    private readonly logId: string,
    private readonly from: LogEnd,
  ) {
    this.seals = new Seals(keys);
  }

  /** Deterministic: the same records give the same bytes. */
  readonly seal = (record: StoredRecord): StoredRecord => {
    const event = openedRecord(record);
    if (!event) return { ...record, key: `corrupt:${record.partition}`, value: CORRUPT, headers: {} };
    const { entityKey } = event.envelope;
    const key = this.seals.entityKeyOf(entityKey);
    const payload = this.payload(event, key, record.partition);
    const envelope = { ...event.envelope, entityKey: key, id: this.idOf(event, key) };
    if (envelope.upload) envelope.upload = withoutNames(envelope.upload);
    return { ...record, key, value: encodeIntake(this.seals.seal({ envelope, payload })) };
  };

  private idOf({ envelope, payload }: IntakeEvent, key: string): string {
    if (payload.type === 'LogOpened') return this.logId;
    const { uploadId } = envelope.cause;
    if (payload.type !== 'AssessmentClosed' || uploadId === null) return envelope.id;
    const isOfKey = envelope.id === closedEventId(uploadId, envelope.entityKey);
    return isOfKey ? closedEventId(uploadId, key) : envelope.id;
  }

  private payload({ envelope, payload }: IntakeEvent, key: string, partition: number): IntakePayload {
    if (payload.type === 'LogOpened') return this.opening(payload, partition);
    if (payload.type === 'EntityMended') return this.mended(payload, envelope.entityKey, key);
    if (key === envelope.entityKey) return payload;
    switch (payload.type) {
      case 'SignalReceived':
        this.noteAsset(payload.entity.name, envelope, key);
        this.noteFindings(payload, envelope.entityKey);
        return payload;
      case 'AssetDescribed':
        this.noteAsset(payload.entity.name, envelope, key);
        return payload;
      case 'FindingAccepted':
      case 'FindingReverted':
      case 'FindingAssigned':
      case 'FindingTagged':
      case 'FindingDueSet':
      case 'FindingTicketsChanged':
      case 'FindingCommented':
        return { ...payload, findingId: this.findingIdOf(payload.findingId, key) };
      default:
        return 'assetId' in payload
          ? { ...payload, assetId: this.assetIdOf(payload.assetId, envelope.entityKey, key) }
          : payload;
    }
  }

  private opening(payload: LogOpened, partition: number): LogOpened {
    const sealedFrom = { logId: this.from.logId, head: this.from.heads[partition]! };
    return { ...payload, logId: this.logId, sealedFrom };
  }

  /** The first asset of an entity has the id of its key; a further one, which only a machine has, that of its name. */
  private noteAsset(name: string, { entityKey: oldKey, rules }: Envelope, key: string): void {
    const ids = this.assetIds.get(oldKey) ?? new Map([[assetId(oldKey), assetId(key)]]);
    this.assetIds.set(oldKey, ids);
    if (!oldKey.startsWith('machine:') || ids.size > NAMES_MAX) return;
    const sealed = this.seals.textOf(oldKey, name, 'name');
    ids.set(furtherAssetId(oldKey, name, rules), furtherAssetId(key, sealed, rules));
  }

  /** Which of the assets a signal means is decided by the fold. */
  private noteFindings(
    { name, observations }: Extract<IntakePayload, { type: 'SignalReceived' }>,
    oldKey: string,
  ): void {
    for (const [oldAsset, asset] of this.assetIds.get(oldKey) ?? []) {
      for (const { type } of observations) {
        const old = findingId(oldAsset, type, name);
        if (this.named.has(old)) this.findingIds.set(old, findingId(asset, type, name));
      }
    }
  }

  /** An asset that no signal has named stays unknown. */
  private assetIdOf(old: string, oldKey: string, key: string): string {
    if (old === assetId(oldKey)) return assetId(key);
    return this.assetIds.get(oldKey)?.get(old) ?? assetId(`${key}|${old}`);
  }

  /** A finding that no signal has named stays unknown; its new id, too, cannot be made from the name of the user. */
  private findingIdOf(old: string, key: string): string {
    return this.findingIds.get(old) ?? findingId(assetId(key), 'unknown', old);
  }

  private mended(
    payload: Extract<IntakePayload, { type: 'EntityMended' }>,
    oldKey: string,
    key: string,
  ): IntakePayload {
    const replace: ReplaceMended = (text, kind) =>
      kind === 'person' ? this.seals.personal(text) : this.seals.textOf(oldKey, text, kind);
    const isSealed = key !== oldKey;
    return {
      ...payload,
      assets: payload.assets.map((asset) => ({
        ...asset,
        ...(isSealed && { assetId: this.assetIdOf(asset.assetId, oldKey, key) }),
        fields: replaceInMendedAsset(asset.fields, replace),
      })),
      findings: payload.findings.map((finding) => ({
        ...finding,
        ...(isSealed && {
          assetId: this.assetIdOf(finding.assetId, oldKey, key),
          findingId: this.findingIdOf(finding.findingId, key),
        }),
        fields: replaceInMendedFinding(finding.fields, replace),
        seen: replaceInMendedSeen(finding.seen, replace),
      })),
    };
  }
}
