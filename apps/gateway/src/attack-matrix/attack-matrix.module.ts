import { Module } from '@nestjs/common';
import { FindingsModule } from '../findings/findings.module.ts';
import { ScoreSlots } from '../scores/score-slots.ts';
import { AttackMatrixController } from './attack-matrix.controller.ts';
import { AttackMatrix } from './attack-matrix.service.ts';
import { TechniqueCountsRepository } from './technique-counts.repository.ts';

@Module({
  imports: [FindingsModule],
  controllers: [AttackMatrixController],
  // Its own: questions about scores do not wait for it.
  providers: [AttackMatrix, TechniqueCountsRepository, ScoreSlots],
})
export class AttackMatrixModule {}
