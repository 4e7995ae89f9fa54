import { Module } from '@nestjs/common';
import { ScoresModule } from '../scores/scores.module.ts';
import { LossController } from './loss.controller.ts';
import { LossRepository } from './loss.repository.ts';
import { Losses } from './loss.service.ts';
import { LossFixes } from './loss-fixes.service.ts';
import { LossSlot } from './loss-slot.ts';

@Module({
  imports: [ScoresModule],
  controllers: [LossController],
  providers: [Losses, LossFixes, LossRepository, LossSlot],
})
export class LossModule {}
