import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import type { Logger } from '#libs/config';
import { type FieldMessage, readingAt } from '#libs/domain';
import { EVENT_LOG, type EventLog, LogUnavailableError, type StoredRecord } from '#libs/event-log';
import { SIGNALS_TOPIC } from '#libs/intake';
import { OtherSecretError, SubjectKeyError } from '#libs/sealing';
import { acceptedSignals, inboxPauses, inboxRecords } from '#libs/telemetry';
import { RetryLaterException, UnavailableException } from '../http/http-errors.ts';
import { BODY_BYTES_MAX } from '../http/http-limits.ts';
import { FoldLag } from '../signals/fold-lag.ts';
import { JsonQuota } from '../signals/json-quota.ts';
import { JsonUploadsService, type SignalSender } from '../signals/json-uploads.service.ts';
import type { UploadReceipt } from '../signals/receipts.repository.ts';
import { UploadsLog } from '../signals/uploads-log.ts';
import { LOGGER } from '../tokens.ts';
import { InboxPositions } from './inbox-positions.repository.ts';
import { sourceOf } from './refused-record.ts';
import { type RefusedSignal, RefusedSignals } from './refused-signals.ts';
import { TakenSignals, uploadIdOf } from './taken-signals.ts';

/** The brokers wait 30 s for a member whose partitions move. */
const PAUSE_MS_MAX = 5_000;

/** A topic that ends before its position for so long was created again. */
const ABOVE_END_MS_MAX = 10_000;

const TOO_LARGE: FieldMessage = { field: '', message: `must have at most ${BODY_BYTES_MAX} bytes` };

/**
 * Takes the signals of the inbox, each as an upload of its own. The position is stored after the append: records that
 * are read again have the same upload ids, and are skipped here or dropped by the fold (R-INBOX-3).
 */
@Injectable()
export class InboxService implements OnModuleDestroy {
  /** Of the partitions that this gateway owns: the next offset to read. */
  private readonly next = new Map<number, number>();
  /** Partitions that end before their position, and since when (`performance.now`). */
  private readonly aboveEndSince = new Map<number, number>();
  private readonly stopping = new AbortController();

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly signals: JsonUploadsService,
    private readonly uploads: UploadsLog,
    private readonly quota: JsonQuota,
    private readonly lag: FoldLag,
    private readonly positions: InboxPositions,
    private readonly refused: RefusedSignals,
    private readonly taken: TakenSignals,
  ) {}

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /**
   * Returns the offset to start from.
   * @throws LogUnavailableError while the topic seems to end before the position
   */
  async open(partition: number): Promise<number> {
    const [starts, ends] = await Promise.all([this.log.starts(SIGNALS_TOPIC), this.log.ends(SIGNALS_TOPIC)]);
    const first = starts[partition]!;
    const stored = await this.positions.find(partition);
    if (stored !== null) this.assertBeforeEnd(partition, stored, ends[partition]!);
    const isThere = stored !== null && stored >= first && stored <= ends[partition]!;
    if (!isThere) {
      this.reportJump(partition, stored, first);
      await this.positions.reset(partition, stored, first);
    }
    await this.taken.open(partition);
    const next = isThere ? stored : first;
    this.next.set(partition, next);
    return next;
  }

  async close(partition: number): Promise<void> {
    this.next.delete(partition);
    this.taken.close(partition);
    await this.refused.release(partition);
  }

  /** Owned partitions with the number of records that are not read yet. */
  async lags(): Promise<[partition: number, records: number][]> {
    const ends = await this.log.ends(SIGNALS_TOPIC);
    return [...this.next].map(([partition, next]) => [partition, Math.max(0, ends[partition]! - next)]);
  }

  /**
   * Stores as many records as the limits allow, and waits a while if they allow none.
   * @param records of one partition, in order
   * @returns the offset to read next
   * @throws LogUnavailableError, KeysUnavailableError, ClockError, or an error of the database: nothing is known to be
   *   stored, and the records are read again
   */
  async take(records: StoredRecord[]): Promise<number> {
    try {
      return await this.takeAllowed(records);
    } catch (error) {
      // The settings are not loaded yet.
      if (!(error instanceof UnavailableException)) throw error;
      throw new LogUnavailableError(error.message, { cause: error });
    }
  }

  private async takeAllowed(records: StoredRecord[]): Promise<number> {
    const { partition, offset } = records[0]!;
    const allowed = await this.allowed(records);
    if (allowed.length === 0) return offset;
    const taken = await this.taken.receipts(allowed);
    const others = allowed.filter((record) => !taken.has(uploadIdOf(record)));
    const read = await Promise.all(
      others.map(async (record) => ({ record, result: await this.read(record) })),
    );
    const accepted = read.flatMap(({ result }) => (result.ok ? [result] : []));
    const refused = read.flatMap<RefusedSignal>(({ record, result }) =>
      result.ok ? [] : [{ record, reasons: result.problems }],
    );
    await this.uploads.append(
      accepted.flatMap((signal) => signal.records),
      new Map(),
    );
    await this.refused.publish(partition, refused);
    const receipts = [...taken.values(), ...accepted.map(({ receipt }) => receipt)];
    await this.advance(partition, allowed.at(-1)!.offset + 1, receipts);
    acceptedSignals.inc({ kind: 'inbox' }, receipts.length);
    inboxRecords.inc({ outcome: 'accepted' }, receipts.length);
    inboxRecords.inc({ outcome: 'refused' }, refused.length);
    return this.next.get(partition)!;
  }

  /** The first records, as many as the limits of uploads allow (R-LIM-1, R-LIM-3). */
  private async allowed(records: StoredRecord[]): Promise<StoredRecord[]> {
    let count = 0;
    try {
      await this.taken.assertFolded(records[0]!.partition);
      this.lag.assertWithinLimit();
      for (; count < records.length; count++) await this.quota.take();
    } catch (error) {
      if (!(error instanceof RetryLaterException)) throw error;
      if (count === 0) await this.pause(error);
    }
    return records.slice(0, count);
  }

  private async pause({ reason, seconds }: RetryLaterException): Promise<void> {
    inboxPauses.inc({ reason });
    const { signal } = this.stopping;
    await setTimeout(Math.min(seconds * 1_000, PAUSE_MS_MAX), undefined, { signal }).catch(() => undefined);
  }

  /** Received when the broker stored it: so a record that is read again is the same upload with the same decisions. */
  private async read(record: StoredRecord): ReturnType<JsonUploadsService['prepare']> {
    if (record.value.length > BODY_BYTES_MAX) return { ok: false, problems: [TOO_LARGE] };
    const source = sourceOf(record);
    const receivedAt = Math.min(record.storedAt, this.clock.now());
    const identity = { uploadId: uploadIdOf(record), ...readingAt(receivedAt) };
    const sender: SignalSender = { kind: 'inbox', user: null, requestId: source };
    try {
      const read = await this.signals.prepare(record.value, identity, sender);
      return read.ok ? { ...read, receipt: { ...read.receipt, source } } : read;
    } catch (error) {
      if (!(error instanceof SubjectKeyError) || error instanceof OtherSecretError) throw error;
      // The key of one subject: the record can be sent again once the key is restored, and the others do not wait for it.
      this.logger.error({ source, reason: error.message }, 'a record of the inbox was refused');
      return { ok: false, problems: [{ field: '', message: error.message }] };
    }
  }

  private async advance(partition: number, to: number, receipts: UploadReceipt[]): Promise<void> {
    if (!(await this.positions.advance(partition, this.next.get(partition)!, to, receipts))) {
      throw new LogUnavailableError(`another gateway took over partition ${partition} of ${SIGNALS_TOPIC}`);
    }
    this.next.set(partition, to);
  }

  /** A broker that starts after a crash reports the end of some seconds ago for a moment. */
  private assertBeforeEnd(partition: number, stored: number, end: number): void {
    if (stored <= end) {
      this.aboveEndSince.delete(partition);
      return;
    }
    const since = this.aboveEndSince.get(partition) ?? performance.now();
    this.aboveEndSince.set(partition, since);
    if (performance.now() - since >= ABOVE_END_MS_MAX) return;
    throw new LogUnavailableError(
      `${SIGNALS_TOPIC}/${partition} ends at ${end}, before the next offset ${stored}`,
    );
  }

  private reportJump(partition: number, stored: number | null, first: number): void {
    if (stored === null) return;
    const place = `${SIGNALS_TOPIC}/${partition}`;
    if (stored < first) {
      inboxRecords.inc({ outcome: 'lost' }, first - stored);
      this.logger.error(
        `${place}: the topic removed up to ${first - stored} records before they were read: it begins at ${first}, the next one was ${stored}`,
      );
    } else {
      this.logger.warn(
        `${place}: the topic was created again: it has no offset ${stored}; reading from ${first}`,
      );
    }
  }
}
