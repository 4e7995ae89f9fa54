import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { OnAssigned, OnBatch, OnRevoked, type StoredRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { Projection } from '#libs/projection';
import { ChangePublishers } from './publish/change-publishers.ts';

/** The projector's side of the intake log; whoever folds a partition publishes its changes. */
@Controller()
export class IntakeConsumer {
  constructor(
    private readonly projection: Projection,
    private readonly publishers: ChangePublishers,
  ) {}

  @OnAssigned(INTAKE_TOPIC)
  async assigned(@Payload() partition: number): Promise<number> {
    const nextOffset = await this.projection.open(partition);
    this.publishers.hold(partition);
    return nextOffset;
  }

  @OnBatch(INTAKE_TOPIC)
  async batch(@Payload() records: StoredRecord[]): Promise<number> {
    const nextOffset = await this.projection.project(records);
    this.publishers.wake(records[0]!.partition);
    return nextOffset;
  }

  @OnRevoked(INTAKE_TOPIC)
  async revoked(@Payload() partition: number): Promise<void> {
    this.projection.close(partition);
    await this.publishers.release(partition);
  }
}
