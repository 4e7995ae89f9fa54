import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayNotEmpty, IsIn, IsString, MaxLength } from 'class-validator';
import { STREAM_TOPICS, type StreamTopic } from '#libs/changes';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';

const ID_CHARACTERS_MAX = 16_384;

const listed = ({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value);

export class ChangesQuery {
  @ApiPropertyOptional({
    type: String,
    example: 'findings,scores',
    description: 'Topics, separated by commas. Default: all topics',
  })
  @MayBeLeftOut()
  @Transform(listed)
  @ArrayNotEmpty()
  @IsIn(STREAM_TOPICS, { each: true, message: `topics must be one or more of ${STREAM_TOPICS.join(', ')}` })
  topics: StreamTopic[] = [...STREAM_TOPICS];

  @ApiPropertyOptional({
    description: 'Alternative to the header Last-Event-ID. The header takes precedence',
  })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(ID_CHARACTERS_MAX)
  lastEventId?: string;
}
