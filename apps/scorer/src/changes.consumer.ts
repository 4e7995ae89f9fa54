import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { ASSETS_TOPIC, type ChangeTopic, FINDINGS_TOPIC } from '#libs/contracts';
import { EVENT_LOG, type EventLog, OnAssigned, OnBatch, OnRevoked, type StoredRecord } from '#libs/event-log';
import { Scorer } from './scorer.service.ts';

/**
 * Consumes the change topics. Their records only wake the scorer, and their group assigns the partitions to processes.
 * The scorer reads what has changed from the history, which is written before any record. It therefore follows a topic
 * from its end, and the owner of a partition of the findings also scores without a record.
 */
@Controller()
export class ChangesConsumer {
  constructor(
    private readonly scorer: Scorer,
    @Inject(EVENT_LOG) private readonly log: EventLog,
  ) {}

  @OnAssigned(FINDINGS_TOPIC)
  async findingsAssigned(@Payload() partition: number): Promise<number> {
    const end = await this.end(FINDINGS_TOPIC, partition);
    this.scorer.hold(partition);
    return end;
  }

  @OnRevoked(FINDINGS_TOPIC)
  findingsRevoked(@Payload() partition: number): Promise<void> {
    return this.scorer.release(partition);
  }

  @OnBatch(FINDINGS_TOPIC)
  findings(@Payload() records: StoredRecord[]): Promise<number> {
    return this.wake(records);
  }

  @OnAssigned(ASSETS_TOPIC)
  assetsAssigned(@Payload() partition: number): Promise<number> {
    return this.end(ASSETS_TOPIC, partition);
  }

  @OnBatch(ASSETS_TOPIC)
  assets(@Payload() records: StoredRecord[]): Promise<number> {
    return this.wake(records);
  }

  private async end(topic: ChangeTopic, partition: number): Promise<number> {
    return (await this.log.ends(topic))[partition]!;
  }

  /** Returns the offset to read next. */
  private async wake(records: StoredRecord[]): Promise<number> {
    const { partition, offset } = records.at(-1)!;
    await this.scorer.wake(partition);
    return offset + 1;
  }
}
