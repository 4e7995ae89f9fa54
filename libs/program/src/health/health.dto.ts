import { ApiProperty } from '@nestjs/swagger';

export class LivenessDto {
  @ApiProperty({ enum: ['live'] })
  status!: 'live';
}

export class DependenciesDto {
  @ApiProperty({ enum: ['up', 'down'] })
  log!: 'up' | 'down';
  @ApiProperty({
    enum: ['up', 'down'],
    description: 'Without it uploads still go to the log; queries do not',
  })
  database!: 'up' | 'down';
}

export class HealthDto {
  @ApiProperty({ enum: ['ready'] })
  status!: 'ready';
  @ApiProperty({ type: DependenciesDto })
  dependencies!: DependenciesDto;
}
