import { Module } from '@nestjs/common';
import { ProjectionModule } from '../projection/projection.module.ts';
import { ActsRepository } from './acts.repository.ts';
import { ActsService } from './acts.service.ts';

@Module({
  imports: [ProjectionModule],
  providers: [ActsRepository, ActsService],
  exports: [ActsService],
})
export class ActsModule {}
