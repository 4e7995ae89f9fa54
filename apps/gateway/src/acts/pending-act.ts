import { ApiProperty } from '@nestjs/swagger';
import type { Position } from '#libs/event-log';
import { LogPositionDto } from '../findings/finding.dto.ts';

/** An act that is in the log and not yet folded. */
export class PendingAct {
  constructor(readonly position: Position) {}
}

/** Its answer, a 202. */
export class PendingActDto {
  @ApiProperty({ description: 'What happens next' })
  message!: string;
  @ApiProperty({ type: LogPositionDto, description: 'Position of the act in the log' })
  position!: LogPositionDto;
}
