import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { OnAssigned, OnBatch, OnRevoked, type StoredRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { ProjectorService } from './projector.service.ts';

/** The projector's side of the intake log. */
@Controller()
export class IntakeConsumer {
  constructor(private readonly projector: ProjectorService) {}

  @OnAssigned(INTAKE_TOPIC)
  assigned(@Payload() partition: number): Promise<number> {
    return this.projector.open(partition);
  }

  @OnBatch(INTAKE_TOPIC)
  batch(@Payload() records: StoredRecord[]): Promise<number> {
    return this.projector.project(records);
  }

  @OnRevoked(INTAKE_TOPIC)
  revoked(@Payload() partition: number): void {
    this.projector.close(partition);
  }
}
