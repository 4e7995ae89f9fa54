import { Module } from '@nestjs/common';
import { HistoryRetentionController } from './history-retention.controller.ts';
import { HistoryRetentionRepository } from './history-retention.repository.ts';
import { HistoryRetention } from './history-retention.service.ts';
import { HistoryTrimming } from './history-trimming.service.ts';

@Module({
  controllers: [HistoryRetentionController],
  providers: [HistoryRetentionRepository, HistoryRetention, HistoryTrimming],
})
export class HistoryRetentionModule {}
