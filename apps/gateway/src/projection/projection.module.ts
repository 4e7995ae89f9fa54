import { Module } from '@nestjs/common';
import { ProjectionPositions } from './projection-positions.repository.ts';
import { ProjectionWaiter } from './projection-waiter.ts';

/** The position of the fold, for answers that wait for it. */
@Module({
  providers: [ProjectionPositions, ProjectionWaiter],
  exports: [ProjectionPositions, ProjectionWaiter],
})
export class ProjectionModule {}
