import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { ASSETS_TOPIC, FINDINGS_TOPIC } from '#libs/contracts';
import { OnAssigned, OnBatch, type StoredRecord } from '#libs/event-log';
import { ScorerService } from './scorer.service.ts';

/** The scorer's side of the change topics. */
@Controller()
export class ChangesConsumer {
  constructor(private readonly scorer: ScorerService) {}

  @OnAssigned(FINDINGS_TOPIC)
  findingsAssigned(@Payload() partition: number): Promise<number> {
    return this.scorer.open(FINDINGS_TOPIC, partition);
  }

  @OnBatch(FINDINGS_TOPIC)
  findings(@Payload() records: StoredRecord[]): Promise<number> {
    return this.scorer.follow(FINDINGS_TOPIC, records);
  }

  @OnAssigned(ASSETS_TOPIC)
  assetsAssigned(@Payload() partition: number): Promise<number> {
    return this.scorer.open(ASSETS_TOPIC, partition);
  }

  @OnBatch(ASSETS_TOPIC)
  assets(@Payload() records: StoredRecord[]): Promise<number> {
    return this.scorer.follow(ASSETS_TOPIC, records);
  }
}
