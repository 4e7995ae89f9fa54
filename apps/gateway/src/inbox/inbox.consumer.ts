import { Controller, Inject, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { Config } from '#libs/config';
import { OnAssigned, OnBatch, OnRevoked, type StoredRecord } from '#libs/event-log';
import { SIGNALS_TOPIC } from '#libs/intake';
import { atScrape, inboxLagRecords } from '#libs/telemetry';
import { CONFIG } from '../tokens.ts';
import { InboxService } from './inbox.service.ts';

/** The gateway's side of the inbox; gateways share its partitions. */
@Controller()
export class InboxConsumer implements OnModuleInit, OnModuleDestroy {
  private unregister = () => {};

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly inbox: InboxService,
  ) {}

  onModuleInit(): void {
    if (this.config.kafkaInbox) this.unregister = atScrape('inbox', () => this.report());
  }

  onModuleDestroy(): void {
    this.unregister();
  }

  @OnAssigned(SIGNALS_TOPIC)
  assigned(@Payload() partition: number): Promise<number> {
    return this.inbox.open(partition);
  }

  @OnBatch(SIGNALS_TOPIC)
  batch(@Payload() records: StoredRecord[]): Promise<number> {
    return this.inbox.take(records);
  }

  @OnRevoked(SIGNALS_TOPIC)
  revoked(@Payload() partition: number): Promise<void> {
    return this.inbox.close(partition);
  }

  private async report(): Promise<void> {
    inboxLagRecords.reset();
    for (const [partition, records] of await this.inbox.lags()) inboxLagRecords.set({ partition }, records);
  }
}
