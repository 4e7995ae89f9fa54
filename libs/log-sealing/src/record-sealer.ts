import type { LogEnd } from '#libs/backup';
import { encodeIntake } from '#libs/contracts';
import { closedEventId, type IntakeEvent, type IntakePayload, type LogOpened } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import type { Seals } from '#libs/sealing';
import {
  type ReplaceMended,
  replaceInMendedAsset,
  replaceInMendedFinding,
  replaceInMendedSeen,
  withoutWebhookAddresses,
} from './mended-texts.ts';
import { type NewIds, replaceIdsIn } from './new-ids.ts';
import { withoutNames } from './old-subjects.ts';
import { openedRecord } from './opened-record.ts';

/** Stands for a record that does not decode: its bytes may contain anything. It stays a corrupt record. */
const CORRUPT = Buffer.from('corrupt record of the log before it was sealed');

/** The records of a sealed log, from those of the old one. */
export class RecordSealer {
  constructor(
    private readonly seals: Seals,
    private readonly ids: NewIds,
    private readonly logId: string,
    private readonly from: LogEnd,
  ) {}

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
    if (payload.type === 'WebhookChanged') {
      return { ...payload, details: withoutWebhookAddresses(payload.details) };
    }
    if (key === envelope.entityKey) return replaceIdsIn(payload, this.ids.inText);
    if ('findingId' in payload) {
      return { ...payload, findingId: this.ids.finding(payload.findingId, key) };
    }
    return 'assetId' in payload
      ? { ...payload, assetId: this.ids.asset(payload.assetId, envelope.entityKey, key) }
      : payload;
  }

  private opening(payload: LogOpened, partition: number): LogOpened {
    const sealedFrom = { logId: this.from.logId, head: this.from.heads[partition]! };
    return { ...payload, logId: this.logId, sealedFrom };
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
        ...(isSealed && { assetId: this.ids.asset(asset.assetId, oldKey, key) }),
        fields: replaceInMendedAsset(asset.fields, replace),
      })),
      findings: payload.findings.map((finding) => ({
        ...finding,
        ...(isSealed && {
          assetId: this.ids.asset(finding.assetId, oldKey, key),
          findingId: this.ids.finding(finding.findingId, key),
        }),
        fields: replaceInMendedFinding(finding.fields, replace),
        seen: replaceInMendedSeen(finding.seen, replace),
      })),
    };
  }
}
