import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { OnAssigned, OnBatch, OnRevoked, type StoredRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { ProjectorService } from './projector.service.ts';
import { ChangePublishers } from './publish/change-publishers.ts';

/** The projector's side of the intake log; whoever folds a partition publishes its changes. */
@Controller()
export class IntakeConsumer {
  constructor(
    private readonly projector: ProjectorService,
    private readonly publishers: ChangePublishers,
  ) {}

  @OnAssigned(INTAKE_TOPIC)
  async assigned(@Payload() partition: number): Promise<number> {
    const nextOffset = await this.projector.open(partition);
    this.publishers.hold(partition);
    return nextOffset;
  }

  @OnBatch(INTAKE_TOPIC)
  async batch(@Payload() records: StoredRecord[]): Promise<number> {
    const nextOffset = await this.projector.project(records);
    this.publishers.wake(records[0]!.partition);
    return nextOffset;
  }

  @OnRevoked(INTAKE_TOPIC)
  async revoked(@Payload() partition: number): Promise<void> {
    this.projector.close(partition);
    await this.publishers.release(partition);
  }
}
