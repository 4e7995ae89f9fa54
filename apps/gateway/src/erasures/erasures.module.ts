import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { ProjectionModule } from '../projection/projection.module.ts';
import { ErasuresController } from './erasures.controller.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { ErasuresService } from './erasures.service.ts';
import { InterruptedErasures } from './interrupted-erasures.service.ts';
import { KeyDestroyer } from './key-destroyer.ts';

@Module({
  imports: [ActsModule, ProjectionModule],
  controllers: [ErasuresController],
  providers: [ErasuresRepository, ErasuresService, InterruptedErasures, KeyDestroyer],
})
export class ErasuresModule {}
