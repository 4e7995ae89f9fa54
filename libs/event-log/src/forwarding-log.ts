import type {
  BatchHandler,
  ConsumeOptions,
  Consumer,
  EventLog,
  LogRecord,
  Position,
  Publisher,
  StoredRecord,
} from './event-log.ts';

/** Forwards every call to another log; a subclass overrides what it adds. */
export abstract class ForwardingLog implements EventLog {
  constructor(protected readonly log: EventLog) {}

  get partitions(): number {
    return this.log.partitions;
  }

  append(topic: string, records: (LogRecord & { partition?: number })[]): Promise<Position[]> {
    return this.log.append(topic, records);
  }

  assertAppendable(): Promise<void> {
    return this.log.assertAppendable();
  }

  consume(topic: string, group: string, handler: BatchHandler, options?: ConsumeOptions): Promise<Consumer> {
    return this.log.consume(topic, group, handler, options);
  }

  publisher(topic: string, partition: number, name: string): Promise<Publisher> {
    return this.log.publisher(topic, partition, name);
  }

  read(topic: string, partition: number, from: number, to: number): AsyncIterable<StoredRecord[]> {
    return this.log.read(topic, partition, from, to);
  }

  starts(topic: string): Promise<number[]> {
    return this.log.starts(topic);
  }

  trim(topic: string, partition: number, before: number): Promise<void> {
    return this.log.trim(topic, partition, before);
  }

  ends(topic: string): Promise<number[]> {
    return this.log.ends(topic);
  }

  close(): Promise<void> {
    return this.log.close();
  }
}
