import { Module } from '@nestjs/common';
import { FindingsModule } from '../findings/findings.module.ts';
import { PagingModule } from '../paging/paging.module.ts';
import { ScoresModule } from '../scores/scores.module.ts';
import { AttackMatrixController } from './attack-matrix.controller.ts';
import { AttackMatrix } from './attack-matrix.service.ts';
import { TechniqueCountsRepository } from './technique-counts.repository.ts';

@Module({
  imports: [FindingsModule, PagingModule, ScoresModule],
  controllers: [AttackMatrixController],
  providers: [AttackMatrix, TechniqueCountsRepository],
})
export class AttackMatrixModule {}
