import { type EncodableEvent, type EncodedPayload, partitionOf } from '#libs/contracts';
import {
  type AssetDescribed,
  CURRENT_RULES,
  closedEventId,
  closedPartEventId,
  type IntakePayload,
  type Reading,
  type SignalReceived,
  signalEventId,
} from '#libs/domain';
import type { Closing, UploadPlan } from './upload-plan.ts';

/** Who sent an upload, when and under which settings: the same on all its events. */
export interface UploadContext extends Reading {
  /** With `receivedAt` the upload's stamp (R-FOLD-4). */
  uploadId: string;
  kind: 'json' | 'zip' | 'inbox' | 'sync';
  /** The sync that it is a page of; omitted for sent uploads. */
  syncId?: string;
  /** Null if no one asked for it. */
  user: string | null;
  requestId: string | null;
  settingsVersion: number;
  partitions: number;
}

/** A signal as it was read, ready for the log. */
export interface UploadedSignal {
  entityKey: string;
  payload: SignalReceived | AssetDescribed | EncodedPayload;
  /** ZIP entry name; null for a JSON upload. */
  entry: string | null;
}

/**
 * Turns the signals of an upload into its events, in order: ordinals run from 1 in every partition (R-FOLD-5), the
 * first event of each carries the upload's header, and an entity is closed right after its last signal (R-ZIP-14).
 * Call it once per signal, with the signals that the plan was made from.
 */
export class UploadEvents {
  private readonly ordinals = new Map<number, number>();
  private index = 0;

  constructor(
    private readonly context: UploadContext,
    private readonly plan: UploadPlan,
  ) {}

  of({ entityKey, payload, entry }: UploadedSignal): EncodableEvent[] {
    const index = this.index++;
    const { uploadId } = this.context;
    const signal = this.event(entityKey, payload, signalEventId(uploadId, index), {
      entry,
      entryIndex: index,
    });
    const closing = this.plan.closings.get(entityKey);
    if (closing?.after !== index) return [signal];
    return [signal, ...closing.names.map((names, part) => this.closed(entityKey, closing, names, part))];
  }

  private closed(
    entityKey: string,
    { after, matching }: Closing,
    names: string[],
    part: number,
  ): EncodableEvent {
    const { uploadId } = this.context;
    const types = this.plan.header.fullAssessmentForTypes;
    const id = part === 0 ? closedEventId(uploadId, entityKey) : closedPartEventId(uploadId, after, part);
    const payload: IntakePayload = { type: 'AssessmentClosed', types, names, matching };
    return this.event(entityKey, payload, id, { entry: null, entryIndex: null });
  }

  private event(
    entityKey: string,
    payload: EncodableEvent['payload'],
    id: string,
    place: { entry: string | null; entryIndex: number | null },
  ): EncodableEvent {
    const {
      kind,
      uploadId,
      at,
      receivedAt,
      syncId = null,
      user,
      requestId,
      settingsVersion,
      partitions,
    } = this.context;
    const partition = partitionOf(entityKey, partitions);
    const ordinal = (this.ordinals.get(partition) ?? 0) + 1;
    this.ordinals.set(partition, ordinal);
    const count = this.plan.counts.get(partition) ?? 0;
    return {
      envelope: {
        id,
        entityKey,
        at,
        rules: CURRENT_RULES,
        settingsVersion,
        cause: { kind, uploadId, receivedAt, ...place, ordinal, count, syncId, user, requestId },
        upload: ordinal === 1 ? this.plan.header : null,
        encryptionKeyId: null,
      },
      payload,
    };
  }
}
