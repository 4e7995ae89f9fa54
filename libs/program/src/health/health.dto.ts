import { ApiProperty } from '@nestjs/swagger';
import type { DependencyState } from './readiness.ts';

export class LivenessDto {
  @ApiProperty({ enum: ['live'] })
  status!: 'live';
}

export class HealthDto {
  @ApiProperty({ enum: ['ready'] })
  status!: 'ready';
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', enum: ['up', 'down'] },
    description: 'All dependencies of the process. Not all are required for its work',
    example: { log: 'up', database: 'up' },
  })
  dependencies!: Record<string, DependencyState>;
}
