import { Inject, Injectable } from '@nestjs/common';
import type { FieldMessage } from '#libs/domain';
import {
  EVENT_LOG,
  type EventLog,
  FencedError,
  LogUnavailableError,
  type Publisher,
  type StoredRecord,
} from '#libs/event-log';
import { REFUSED_SIGNALS_TOPIC } from '#libs/intake';
import { lastRecord } from '#libs/publish';
import { refusedRecord, SOURCE_HEADER, STORED_AT_HEADER } from './refused-record.ts';

/** A new owner of this name for a partition fences the previous owners. */
const PUBLISHER_NAME = 'inbox';

export interface RefusedSignal {
  record: StoredRecord;
  reasons: FieldMessage[];
}

/** The record that was refused last, by its place in the inbox. */
type LastRefused = Pick<StoredRecord, 'offset' | 'storedAt'>;

interface Output {
  publisher: Publisher;
  last: LastRefused | null;
}

/**
 * Publishes refused records of the inbox, each once: the last published one says how far an earlier owner of the
 * partition came, whose position was not stored.
 */
@Injectable()
export class RefusedSignals {
  /** By partition; opened when a record is refused. */
  private readonly outputs = new Map<number, Output>();

  constructor(@Inject(EVENT_LOG) private readonly log: EventLog) {}

  /**
   * Resolves when they are in the topic of refused records.
   * @param refused of one partition, in order
   * @throws LogUnavailableError; then some of them may be there
   */
  async publish(partition: number, refused: RefusedSignal[]): Promise<void> {
    if (refused.length === 0) return;
    try {
      const output = this.outputs.get(partition) ?? (await this.open(partition));
      const fresh = refused.filter(({ record }) => !isPublished(record, output.last));
      await output.publisher.publish(fresh.map(({ record, reasons }) => refusedRecord(record, reasons)));
      output.last = fresh.at(-1)?.record ?? output.last;
    } catch (error) {
      if (!(error instanceof FencedError)) throw error;
      throw new LogUnavailableError(error.message, { cause: error });
    }
  }

  /** The partition has another owner, or its work is repeated. */
  async release(partition: number): Promise<void> {
    const output = this.outputs.get(partition);
    this.outputs.delete(partition);
    // A failed publisher may also fail to close. The next one takes over its name anyway.
    await output?.publisher.close().catch(() => undefined);
  }

  private async open(partition: number): Promise<Output> {
    const publisher = await this.log.publisher(REFUSED_SIGNALS_TOPIC, partition, PUBLISHER_NAME);
    try {
      const output = {
        publisher,
        last: lastOf(await lastRecord(this.log, REFUSED_SIGNALS_TOPIC, partition)),
      };
      this.outputs.set(partition, output);
      return output;
    } catch (error) {
      await publisher.close();
      throw error;
    }
  }
}

/** A topic that was created again has smaller offsets, but later times. */
const isPublished = ({ offset, storedAt }: StoredRecord, last: LastRefused | null): boolean =>
  last !== null && offset <= last.offset && storedAt <= last.storedAt;

function lastOf(record: StoredRecord | null): LastRefused | null {
  if (record === null) return null;
  const { [SOURCE_HEADER]: source = '', [STORED_AT_HEADER]: storedAt = '' } = record.headers;
  return { offset: Number(source.split('/').at(-1)), storedAt: Date.parse(storedAt) };
}
