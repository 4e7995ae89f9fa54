import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString, Length, Matches, MaxLength } from 'class-validator';
import { Trimmed } from '../http/trimmed.ts';

export const ASSIGNEE_CHARACTERS_MAX = 256;
export const TICKET_URL_CHARACTERS_MAX = 2_000;
const LABEL_CHARACTERS_MAX = 200;

/** A tag of a finding. Tags are stored in lower case. */
export const TAG = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,49}$/;
export const TAG_RULE = '1 to 50 letters, digits and . _ : / - and begin with a letter or a digit';

/** Without a user name or password, which would be a secret in the log. */
export const TICKET_URL = /^https:\/\/[A-Za-z0-9[][^\s@\\/?#]*([/?#][^\s\\]*)?$/;
export const TICKET_URL_RULE = 'an absolute https address without a user name';

/** Who is responsible for a finding. */
export class AssigneeDto {
  @ApiProperty({ enum: ['user', 'team'] })
  @IsIn(['user', 'team'])
  type!: 'user' | 'team';

  @ApiProperty({
    maxLength: ASSIGNEE_CHARACTERS_MAX,
    example: 'ana',
    description: 'A user needs no account of the service. The name of a user is a personal text',
  })
  @Trimmed()
  @IsString()
  @Length(1, ASSIGNEE_CHARACTERS_MAX)
  name!: string;
}

/** A ticket of another system. */
export class TicketDto {
  @ApiProperty({
    maxLength: TICKET_URL_CHARACTERS_MAX,
    pattern: TICKET_URL.source,
    example: 'https://tickets.example/browse/RISK-42',
  })
  @IsString()
  @MaxLength(TICKET_URL_CHARACTERS_MAX)
  @Matches(TICKET_URL, { message: `url must be ${TICKET_URL_RULE}` })
  url!: string;

  @ApiProperty({ maxLength: LABEL_CHARACTERS_MAX, example: 'RISK-42' })
  @Trimmed()
  @IsString()
  @Length(1, LABEL_CHARACTERS_MAX)
  label!: string;
}
