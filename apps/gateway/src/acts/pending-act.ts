import { ApiProperty } from '@nestjs/swagger';
import type { Position } from '#libs/event-log';

/** An act that is in the log and not yet folded. */
export class PendingAct {
  constructor(readonly position: Position) {}
}

export class PositionDto {
  @ApiProperty({ example: 'posture.intake' })
  topic!: string;
  @ApiProperty()
  partition!: number;
  @ApiProperty()
  offset!: number;
}

/** Its answer, a 202. */
export class PendingActDto {
  @ApiProperty()
  message!: string;
  @ApiProperty({ type: PositionDto })
  position!: PositionDto;
}
